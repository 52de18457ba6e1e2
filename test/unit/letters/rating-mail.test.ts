import { describe, expect, test } from "vitest";
import type { MailFrame } from "~/letters/mail";
import { type RatedSong, ratingMail } from "~/letters/rating-mail";
import { tierConfigs } from "~/members/tiers";

const appOrigin = "https://fivefold.example";
const frame: MailFrame = {
  appOrigin,
  operator: "Mill Lane Music",
  contactEmail: "hello@fivefold.example",
  unsubscribeUrl: `${appOrigin}/unsubscribe?token=a.b`,
};

function rated(changes: Partial<RatedSong> = {}): RatedSong {
  return {
    songId: "s1",
    title: "Midnight Ferry",
    artists: ["The Lanterns"],
    spotifyUrl: "https://open.spotify.com/track/t1",
    labels: ["Great Song"],
    hidden: 0,
    received: 3,
    entitled: 5,
    ...changes,
  };
}

/** Numbered songs, all with the same changes. */
function manySongs(count: number, changes: Partial<RatedSong> = {}): RatedSong[] {
  return Array.from({ length: count }, (_, n) =>
    rated({ songId: `s${n}`, title: `Song no. ${n}.`, ...changes }),
  );
}

describe("one rating of one song", () => {
  test("is the heading of the mail, and its preview in the inbox", () => {
    const { html } = ratingMail("Ada", [rated()], frame);
    expect(html.match(/<h1[^>]*>(.*?)<\/h1>/)?.[1]).toBe("Great Song");
    expect(html.match(/<body[^>]*><div style="display:none[^>]*>(\S+ \S+)/)?.[1]).toBe(
      "Great Song",
    );
  });

  test("comes with the song, its artists, links to Spotify and to its ratings, and the count", () => {
    const mail = ratingMail("Ada", [rated()], frame);
    expect(mail.text).toContain(
      "Midnight Ferry\nThe Lanterns\nOpen on Spotify:\nhttps://open.spotify.com/track/t1",
    );
    expect(mail.text).toContain("3 of 5 ratings received");
    expect(mail.text).toContain(`\n${appOrigin}/ratings-of-my-songs?song=s1#song-s1\n`);
    expect(mail.text).toContain("Song info comes from Spotify.");
    expect(mail.html).toContain(`href="https://open.spotify.com/track/t1"`);
    expect(mail.html).toContain(`href="${appOrigin}/ratings-of-my-songs?song=s1#song-s1"`);
    expect(mail.html).toContain(`<bdi dir="auto">Midnight Ferry</bdi>`);
  });

  test("beyond the entitlement is counted without mentioning it", () => {
    const mail = ratingMail("Ada", [rated({ received: 6 })], frame);
    expect(mail.subject).toBe("New rating for “Midnight Ferry”");
    expect(mail.text).toContain("6 ratings received");
    expect(mail.text).not.toContain("of 5");
  });

  test("draws one stroke per rating", () => {
    const strokes = (received: number) => {
      const { html } = ratingMail("Ada", [rated({ received })], frame);
      const inCard = html.slice(html.indexOf('<td class="card'));
      return inCard.match(/class="stroke"/g)?.length;
    };
    // The fifth cuts each of the four in two.
    expect([1, 2, 3, 4, 5].map(strokes)).toEqual([1, 2, 3, 4, 8]);
  });
});

describe("several ratings of one song", () => {
  test("are all listed, each label once and with its count", () => {
    const labels = ["Not for me", "Great Song", "Not for me"];
    const mail = ratingMail("Ada", [rated({ labels, received: 4 })], frame);
    expect(mail.subject).toBe("3 new ratings (4 of 5) for “Midnight Ferry”");
    expect(mail.text).toContain("  * Not for me × 2\n  * Great Song\n");
    expect([...mail.html.matchAll(/<li[^>]*>(.*?)<\/li>/g)].map(([, label]) => label)).toEqual([
      "Not for me × 2",
      "Great Song",
    ]);
  });
});

describe("a digest", () => {
  test.each([
    ["daily", "once a day"],
    ["weekly", "once a week"],
  ] as const)("says in its footer that its reader chose it (%s)", (rhythm, words) => {
    const { html, text } = ratingMail("Ada", [rated()], { ...frame, rhythm });
    for (const whole of [html, text])
      expect(whole).toContain(`You chose to get new ratings ${words}.`);
    expect(ratingMail("Ada", [rated()], frame).text).not.toContain("You chose");
  });
});

describe("ratings that only Premium shows", () => {
  test.each([
    [1, "You have 1 more rating"],
    [3, "You have 3 more ratings"],
  ])("are counted (%i), with a link to see them", (hidden, words) => {
    const labels = ["Great Song", "Not for me"];
    const mail = ratingMail("Ada", [rated({ labels, hidden, received: 5 })], frame);
    expect(mail.subject).toBe(`${2 + hidden} new ratings (5 of 5) for “Midnight Ferry”`);
    expect(mail.text).toContain(`${words}\nOnly premium users can see all ratings.`);
    expect(mail.text).toContain(`${tierConfigs.free.maxVisibleRatings} most recent ratings`);
    expect(mail.text).toContain(`\n${appOrigin}/subscribe\n`);
    expect(mail.html).toContain(`<strong>${words}</strong>`);
    expect(mail.html).toContain(`href="${appOrigin}/subscribe"`);
  });

  test("are not mentioned if there are none, nor is Premium", () => {
    const mail = ratingMail("Ada", [rated()], frame);
    expect(mail.html + mail.text).not.toMatch(/premium|subscribe"/i);
  });

  test("are counted even if the owner can see no new rating", () => {
    const mail = ratingMail("Ada", [rated({ labels: [], hidden: 1 })], frame);
    expect(mail.subject).toBe("New rating (3 of 5) for “Midnight Ferry”");
    expect(mail.text).toContain("You have 1 more rating\n");
  });
});

describe("several songs", () => {
  test("each have their ratings and their count, and one link leads to all", () => {
    const songs = [
      rated(),
      rated({
        songId: "s2",
        title: "שיר",
        labels: ["Not for me", "Mediocore"],
        hidden: 2,
        received: 8,
        entitled: 10,
      }),
    ];
    const mail = ratingMail("Ada", songs, frame);
    expect(mail.subject).toBe("5 new ratings for 2 of your songs");
    expect(mail.text).toMatch(/Midnight Ferry\n[\s\S]*Great Song\n\n3 of 5 ratings received/);
    expect(mail.text).toMatch(
      /שיר\n[\s\S]*Not for me\n {2}\* Mediocore\n\nAnd 2 more, [\s\S]*8 of 10/,
    );
    expect(mail.text).toContain("You have 2 more ratings\n");
    expect(mail.html).toContain('<bdi dir="auto">שיר</bdi>');
    expect(mail.html + mail.text).not.toContain("?song=");
    expect(mail.text).toContain(`See the ratings of my songs:\n${appOrigin}/ratings-of-my-songs\n`);
  });

  test("end with a count if they are too many for a mail", () => {
    const mail = ratingMail("Ada", manySongs(11), frame);
    expect(mail.subject).toBe("11 new ratings for 11 of your songs");
    for (const whole of [mail.html, mail.text]) {
      expect(whole).toContain("Song no. 9.");
      expect(whole).not.toContain("Song no. 10.");
      expect(whole).toContain("And 1 more song with new ratings.");
    }
    expect(ratingMail("Ada", manySongs(10), frame).text).not.toContain("more song");
  });

  test("stay far below the size at which mail clients cut a mail off, even 50 with long titles", () => {
    const title = `${'👩‍🎤 & <Very> "long" '.repeat(20)}`;
    const labels = Array.from({ length: 50 }, () => "Added to my playlist!");
    const given = { title, artists: [title], labels, hidden: 9 };
    const bytes = (text: string) => new TextEncoder().encode(text).length;
    for (const received of [5, 10, 20, 60]) {
      const songs = manySongs(50, { ...given, received, entitled: received });
      const mail = ratingMail(title, songs, frame);
      expect(bytes(mail.html)).toBeLessThan(100_000);
      expect(bytes(mail.text)).toBeLessThan(100_000);
      expect(mail.text).toContain("And 40 more songs with new ratings.");
    }
  });
});
