import { expect, test } from "vitest";
import type { Score } from "~/exchange/rating/scale";
import type { RatedSong } from "~/letters/rated-song";
import { ratingMail } from "~/letters/rating-mail";
import { tierConfigs } from "~/members/tiers";
import { appOrigin, frame, ratedMail, read, sent, song } from "./support.ts";

/** Numbered songs, all with the same changes. */
function manySongs(count: number, changes: Partial<RatedSong> = {}): RatedSong[] {
  return Array.from({ length: count }, (_, n) => ({
    ...song,
    songId: `s${n}`,
    title: `Song no. ${n}.`,
    ...changes,
  }));
}

test("one rating of one song is the heading of the mail, and its preview in the inbox", () => {
  const { html } = ratedMail();
  expect(html.match(/<h1[^>]*>(.*?)<\/h1>/)?.[1]).toBe("Great Song");
  expect(html.match(/<body[^>]*><div style="display:none[^>]*>(\S+ \S+)/)?.[1]).toBe("Great Song");
});

test("one rating of one song comes with the song, its artists, links to Spotify and to its ratings, and the count", () => {
  const mail = ratedMail();
  expect(mail.text).toContain(
    "Midnight Ferry\nThe Lanterns, Ada Quist\nOpen on Spotify:\nhttps://open.spotify.com/track/t1",
  );
  expect(mail.text).toContain("3 of 5 ratings received");
  expect(mail.text).toContain(`\n${appOrigin}/ratings-of-my-songs?song=s1#song-s1\n`);
  expect(mail.text).toContain("Song info comes from Spotify.");
  expect(mail.html).toContain(`href="https://open.spotify.com/track/t1"`);
  expect(mail.html).toContain(`href="${appOrigin}/ratings-of-my-songs?song=s1#song-s1"`);
  expect(mail.html).toContain(`<bdi dir="auto">Midnight Ferry</bdi>`);
});

test("one rating of one song beyond the entitlement is counted without mentioning it", () => {
  const mail = ratedMail({ received: 6 });
  expect(mail.subject).toBe("New rating for “Midnight Ferry”");
  expect(mail.text).toContain("6 ratings received");
  expect(mail.text).not.toContain("of 5");
});

test("one rating of one song draws one stroke per rating, and those that are to come as faint ones", () => {
  const pieces = (received: number) => {
    const { html } = ratedMail({ received, scores: [1] });
    const inCard = html.slice(html.indexOf('<td class="card'));
    return ["stroke", "faint"].map(
      (name) => inCard.match(new RegExp(`class="${name}-5"`, "g"))?.length ?? 0,
    );
  };
  // An upright stroke has three pieces, of which the fifth takes one; the fifth has ten.
  expect([1, 2, 3, 4, 5].map(pieces)).toEqual([
    ...[3, 6, 9, 12].map((full, n) => [full, 2 * (3 - n) + 9 - n]),
    [8, 0],
  ]);
});

test("one rating of one song has its label's mark, which is told apart without colour", () => {
  const marks = ([1, 2, 3, 4] as Score[]).map((score) => {
    const { html } = ratedMail({ scores: [score] });
    const [mark = ""] =
      /<table[^>]*aria-hidden="true"[^>]*>(?=.*<h1).*?<\/table>/.exec(
        html.slice(html.indexOf('<td class="card')),
      ) ?? [];
    return mark.replace(/#[0-9a-f]{6}/g, "colour").replace(/(ring|edge)-5/g, "border");
  });
  expect(new Set(marks).size).toBe(4);
});

test("several ratings of one song are all listed, each label once and with its count", () => {
  const scores: Score[] = [1, 3, 1];
  const mail = ratedMail({ scores, received: 4 });
  expect(mail.subject).toBe("3 new ratings (4 of 5) for “Midnight Ferry”");
  expect(mail.text).toContain("  * Not for me × 2\n  * Great Song\n");
  expect(read(mail.html)).toMatch(/3 new ratings Not for me × 2 Great Song 4 of 5/);
});

test("a mail of all five says in its footer that its reader chose it, and no other does", () => {
  const { html, text } = ratedMail({}, { ...frame, rhythm: "complete" });
  for (const whole of [html, text])
    expect(whole).toContain("You chose to get them once all five ratings of a song are in.");
  expect(ratedMail().text).not.toContain("You chose");
});

test.each([
  [1, "You have 1 more rating"],
  [3, "You have 3 more ratings"],
])("ratings that only Premium shows are counted (%i), with a link to see them", (hidden, words) => {
  const scores: Score[] = [3, 1];
  const mail = ratedMail({ scores, hidden, received: 5 });
  expect(mail.subject).toBe(`${2 + hidden} new ratings (5 of 5) for “Midnight Ferry”`);
  expect(mail.text).toContain(`${words}\nOnly premium users can see all ratings.`);
  expect(mail.text).toContain(`${tierConfigs.free.maxVisibleRatings} most recent ratings`);
  expect(mail.text).toContain(`\n${appOrigin}/subscribe\n`);
  expect(mail.html).toContain(`<strong>${words}</strong>`);
  expect(mail.html).toContain(`href="${appOrigin}/subscribe"`);
});

test("ratings that only Premium shows are not mentioned if there are none, nor is Premium", () => {
  const mail = ratedMail();
  expect(mail.html + mail.text).not.toMatch(/premium|subscribe"/i);
});

test("ratings that only Premium shows are counted even if the owner can see no new rating", () => {
  const mail = ratedMail({ scores: [], hidden: 1 });
  expect(mail.subject).toBe("New rating (3 of 5) for “Midnight Ferry”");
  expect(mail.text).toContain("You have 1 more rating\n");
});

test("several songs each have their ratings and their count, and one link leads to all", () => {
  const counts = { hidden: 2, received: 8, entitled: 10 };
  const other: RatedSong = { ...song, ...counts, songId: "s2", title: "שיר", scores: [1, 2] };
  const mail = sent(ratingMail([song, other], frame));
  expect(mail.subject).toBe("5 new ratings for 2 of your songs");
  expect(mail.text).toMatch(/Midnight Ferry\n[\s\S]*Great Song\n\n3 of 5 ratings received/);
  expect(mail.text).toMatch(
    /שיר\n[\s\S]*Not for me\n {2}\* Mediocore\n\n8 of 10 ratings received. And 2 more, which/,
  );
  expect(mail.text).toContain("You have 2 more ratings\n");
  expect(mail.html).toContain('<bdi dir="auto">שיר</bdi>');
  expect(mail.html + mail.text).not.toContain("?song=");
  expect(mail.text).toContain(`See the ratings of my songs:\n${appOrigin}/ratings-of-my-songs\n`);
});

test("several songs end with a count if they are too many for a mail", () => {
  const mail = sent(ratingMail(manySongs(11), frame));
  expect(mail.subject).toBe("11 new ratings for 11 of your songs");
  for (const whole of [mail.html, mail.text]) {
    expect(whole).toContain("Song no. 9.");
    expect(whole).not.toContain("Song no. 10.");
    expect(whole).toContain("And 1 more song with new ratings.");
  }
  expect(sent(ratingMail(manySongs(10), frame)).text).not.toContain("more song");
});

test("several songs stay far below the size at which mail clients cut a mail off, even 50 with long titles", () => {
  const title = `${'👩‍🎤 & <Very> "long" '.repeat(20)}`;
  const scores = Array.from({ length: 50 }, (): Score => 4);
  const given = { title, artists: [title], scores, hidden: 9 };
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  for (const received of [5, 10, 20, 60]) {
    const songs = manySongs(50, { ...given, received, entitled: received });
    const mail = sent(ratingMail(songs, frame), frame, title);
    expect(bytes(mail.html)).toBeLessThan(100_000);
    expect(bytes(mail.text)).toBeLessThan(100_000);
    expect(mail.text).toContain("And 40 more songs with new ratings.");
  }
});
