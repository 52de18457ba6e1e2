import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { reasonBits } from "~/exchange/rating/reasons";
import type { Score } from "~/exchange/rating/scale";
import {
  baseTime,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
} from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { makeSession } from "../../support/login";
import { dataOf, request } from "../../support/request";

const day = 86_400_000;

const groove = reasonBits({ liked: ["Groove"], improve: [] });
const grooveAndSound = reasonBits({ liked: ["Groove"], improve: ["Sound"] });
const lyrics = reasonBits({ liked: ["Lyrics"], improve: ["Melody", "Vocals"] });

/** Gives a song a rating for each of these reasons, a day apart. */
async function giveReasons(song: TestSong, all: (number | null)[]): Promise<void> {
  for (const [place, reasons] of all.entries()) {
    await makeRating(await makeUser(), song, { reasons, at: baseTime + (place + 1) * day });
  }
}

/** Rates a song with these scores, a day apart. */
async function rateBy(song: TestSong, scores: Score[]): Promise<void> {
  for (const [place, score] of scores.entries()) {
    await makeRating(await makeUser(), song, { score, at: baseTime + (place + 1) * day });
  }
}

async function logIn(owner: TestUser): Promise<string> {
  return (await makeSession(owner)).cookie;
}

async function read(path: string, cookie?: string) {
  const response = await request(path, cookie ? { cookie } : {});
  const text = (await response.text()).replaceAll("<!-- -->", "").replaceAll("&quot;", '"');
  return { status: response.status, text, headers: response.headers };
}

const twice = [baseTime, baseTime + 5.5 * day];

describe("the page of a song", () => {
  test("says of two submissions what was said, what follows from it, and what changed", async () => {
    const owner = await makeUser({ tier: "premium" });
    const song = await makeSong(owner, { submittedAt: twice });
    await rateBy(song, [1, 1, 2, 1, 1, 4, 3, 4, 4, 3]);
    const { status, text } = await read(`/ratings-of-my-songs/${song.id}`, await logIn(owner));
    expect(status).toBe(200);
    for (const said of [
      "5 of 10 liked it.",
      "Submission 1, ",
      'aria-label="4 × Not for me, 1 × Mediocore"',
      "Submission 2, ",
      'aria-label="2 × Great Song, 3 × Added to my playlist!"',
      "Play it to a hundred musicians here, and between 25 and 75 of them would like it.",
      "It is liked more than the time before.",
      `/?menu=addownsong&amp;track=${song.trackId}`,
    ]) {
      expect(text).toContain(said);
    }
    expect(text).not.toContain("average song");
    // It waits for nothing.
    expect(text).not.toContain("How long it takes");
  });

  test("marks the average song and says how long songs wait, where both are known", async () => {
    const owner = await makeUser({ tier: "premium" });
    const song = await makeSong(owner, { submittedAt: twice });
    await rateBy(song, [4, 3, 4, 4, 3]);
    const cookie = await logIn(owner);
    const path = `/ratings-of-my-songs/${song.id}`;
    expect((await read(path, cookie)).text).toContain("Too few songs lately to say.");
    await env.DB.prepare(
      `INSERT INTO community_figures (id, computed_at, songs_rated_this_week, promises_kept,
         half_within_ms, most_within_ms, ratings, liked)
       VALUES (1, ?, 1, 30, 3600000, 7200000, 200, 102)`,
    )
      .bind(Date.now())
      .run();
    const { text } = await read(path, cookie);
    expect(text).toContain("the average song here: 51");
    expect(text).toContain("within 1 hour, and nine of ten within 2 hours");
    // That was over long ago.
    expect(text).not.toContain("Usually by");
    const waiting = await makeSong(owner, { submittedAt: [Date.now() - 3_600_000] });
    const today = new Date(Date.now() + 3_600_000).getUTCDate();
    const waits = await read(`/ratings-of-my-songs/${waiting.id}`, cookie);
    expect(waits.text).toMatch(new RegExp(`Usually by ${today} [A-Z][a-z]+\\.`));
    expect((await read("/ratings-of-my-songs", cookie)).text).toMatch(
      new RegExp(
        `5 ratings are still to come.</span> <time[^>]*>Usually by ${today} [A-Z][a-z]+\\.`,
      ),
    );
    await env.DB.prepare("DELETE FROM community_figures").run();
  });

  test("leaves what is too early to tell unsaid", async () => {
    const owner = await makeUser({ tier: "premium" });
    const song = await makeSong(owner);
    const path = `/ratings-of-my-songs/${song.id}`;
    const cookie = await logIn(owner);
    expect((await read(path, cookie)).text).toContain("Nobody has rated it yet.");
    await rateBy(song, [4, 4]);
    const { text } = await read(path, cookie);
    expect(text).toContain("2 of 5 so far.</span><small> Too early to tell.");
    expect(text).not.toContain("Play it to a hundred");
  });

  test("is for its owner alone, and so is the file", async () => {
    const song = await makeSong(await makeUser(), { received: 1 });
    const stranger = await logIn(await makeUser());
    for (const path of [`/ratings-of-my-songs/${song.id}`, `/ratings-of-my-songs/${song.id}.csv`]) {
      const { status, text } = await read(path, stranger);
      expect([status, text.includes(song.title)]).toEqual([404, false]);
    }
    const visitor = await read(`/ratings-of-my-songs/${song.id}`);
    expect([visitor.status, visitor.text.includes(song.title)]).toEqual([200, false]);
    expect(visitor.text).toContain(`value="/ratings-of-my-songs/${song.id}"`);
    expect((await read(`/ratings-of-my-songs/${song.id}.csv`)).status).toBe(303);
  });
});

describe("the reasons", () => {
  async function pageWith(
    all: (number | null)[],
    { tier = "premium", submissions = 1 }: { tier?: "free" | "premium"; submissions?: number } = {},
  ) {
    const owner = await makeUser({ tier });
    const song = await makeSong(owner, {
      submittedAt: Array.from({ length: submissions }, (_, n) => baseTime + n * 60_000),
    });
    await giveReasons(song, all);
    const cookie = await logIn(owner);
    const path = `/ratings-of-my-songs/${song.id}`;
    const [page, data, file] = await Promise.all(
      [path, dataOf(path), `${path}.csv`].map((one) => read(one, cookie)),
    );
    return { page: page?.text ?? "", data: data?.text ?? "", file: file?.text ?? "" };
  }

  test("are told once three ratings carry some, and only what three of them name", async () => {
    // The fourth that says why counts once there are six.
    const all = [grooveAndSound, groove, null, grooveAndSound, grooveAndSound];
    const { page, file } = await pageWith(all);
    expect(page).toContain("What they named");
    expect(page).toContain("From the first 3 ratings that say why.");
    expect(page).toMatch(
      /They liked<.*Groove<.*<b>3<\/b>.*Could be better<\/h3><p[^>]*>Shows once three agree\.</,
    );
    for (const aspect of ["Sound", "Lyrics", "Melody", "Vocals"]) {
      expect(page).not.toContain(aspect);
      expect(file).not.toContain(aspect);
    }
    expect(file).toContain('"","","Liked: Groove","3"');
  });

  test("of several submissions are told together, and the page says so", async () => {
    const together = "All submissions together.";
    expect((await pageWith([groove, groove, groove])).page).not.toContain(together);
    const twice = { submissions: 2 };
    expect((await pageWith([groove, groove, groove], twice)).page).toContain(together);
  });

  test("are not told of two ratings, nor where no three name the same", async () => {
    const few = await pageWith([groove, groove, null, null]);
    expect(few.page).toContain("Shows once three agree.");
    expect(few.page + few.file).not.toContain("Groove");
    const scattered = await pageWith([groove, groove, lyrics]);
    expect(scattered.page).toContain("Shows once three agree.");
    expect(scattered.page + scattered.file).not.toMatch(/Groove|Lyrics/);
  });

  test("never come to a free owner, who is told only what Premium would show", async () => {
    const { page, data, file } = await pageWith([groove, groove, groove, groove, groove], {
      tier: "free",
    });
    expect(page).toContain("You have 3 more ratings");
    expect(page).toContain("what listeners liked, and what they would improve.");
    expect(page).not.toContain("once three agree");
    expect(page + data + file).not.toContain("Groove");
  });
});

test("the file has submissions and labels, and no time of a rating", async () => {
  const owner = await makeUser({ tier: "premium" });
  const song = await makeSong(owner, { submittedAt: twice, title: '=1+1 "x"' });
  await rateBy(song, [3, 1, 3, 2, 4, 1]);
  const { text, headers } = await read(`/ratings-of-my-songs/${song.id}.csv`, await logIn(owner));
  expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(headers.get("Content-Disposition")).toContain("attachment");
  const lines = text.trimEnd().split("\r\n").slice(1);
  expect(lines.map((line) => line.split(",").slice(-4).join(" "))).toEqual([
    '"1" "2026-01-15" "Not for me" "1"',
    '"1" "2026-01-15" "Mediocore" "1"',
    '"1" "2026-01-15" "Great Song" "2"',
    '"1" "2026-01-15" "Added to my playlist!" "1"',
    '"2" "2026-01-21" "Not for me" "1"',
    '"2" "2026-01-21" "Mediocore" "0"',
    '"2" "2026-01-21" "Great Song" "0"',
    '"2" "2026-01-21" "Added to my playlist!" "0"',
  ]);
  expect(text).toContain(`"'=1+1 ""x"""`);
});

describe("how many really are in a playlist", () => {
  const said = "really are in a playlist";

  test("is said once three are, in steps of three ratings, and a day after each", async () => {
    const owner = await makeUser({ tier: "premium" });
    const song = await makeSong(owner);
    const cookie = await logIn(owner);
    const page = async () => (await read(`/ratings-of-my-songs/${song.id}`, cookie)).text;
    const rate = async (inPlaylist: boolean, at?: number) =>
      makeRating(await makeUser(), song, { score: 4, inPlaylist, ...(at ? { at } : {}) });
    for (const inPlaylist of [true, true, false, true]) await rate(inPlaylist);
    expect(await page()).not.toContain(said);
    await rate(true);
    await rate(true, Date.now() - day);
    expect(await page()).not.toContain(said);
    await rate(true, Date.now() - 2 * day);
    expect(await page()).toContain(`"Added to my playlist!": 5 of the first 6 ${said}.`);
  });

  test("outlives the raters' accounts", async () => {
    const owner = await makeUser({ tier: "premium" });
    const song = await makeSong(owner);
    const raters = [await makeUser(), await makeUser(), await makeUser()];
    for (const rater of raters) await makeRating(rater, song, { score: 4, inPlaylist: true });
    for (const { id } of raters) {
      await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(id).run();
    }
    const { text } = await read(`/ratings-of-my-songs/${song.id}`, await logIn(owner));
    expect(text).toContain(`3 of the first 3 ${said}.`);
  });
});

describe("two worlds that differ in hidden ratings alone", () => {
  test("look the same to a free owner, byte for byte", async () => {
    const owner = await makeUser();
    const song = await makeSong(owner, { submittedAt: twice });
    await rateBy(song, [1, 1, 1, 1, 1, 1, 1, 1, 3, 4]);
    const cookie = await logIn(owner);
    const hidden = "id NOT IN (SELECT id FROM ratings ORDER BY created_at DESC LIMIT 2)";
    const list = "/ratings-of-my-songs";
    const page = `${list}/${song.id}`;
    const paths = [
      list,
      dataOf(list),
      `${list}?song=${song.id}`,
      page,
      dataOf(page),
      `${page}.csv`,
    ];
    const everything = async () => {
      const answers: string[] = [];
      for (const path of paths) {
        const { status, text } = await read(path, cookie);
        // What differs in every answer: the nonce, and the server's clock.
        answers.push(`${status} ${text.replace(/[0-9a-f]{32}|\d{13}/g, "-")}`);
      }
      return answers;
    };
    await everything();
    const before = await everything();
    await env.DB.prepare(
      `UPDATE ratings SET score = 4, reasons = 8, in_playlist = 1 WHERE ${hidden}`,
    ).run();
    expect(await everything()).toEqual(before);
    // And what is not hidden makes a difference, so that the comparison means something.
    await env.DB.prepare("UPDATE ratings SET score = 2, in_playlist = 0").run();
    expect(await everything()).not.toEqual(before);
    const [, , , shown] = before;
    expect(shown).toContain("All ten are in.</span><small> Two are shown here.");
    expect(shown).toContain("You have 8 more ratings");
  });
});

test("the order in which ratings came makes no difference to dots and file", async () => {
  const owner = await makeUser({ tier: "premium" });
  const song = await makeSong(owner);
  await rateBy(song, [1, 2, 3, 4, 4]);
  const cookie = await logIn(owner);
  const answers = async () => [
    (await read(dataOf(`/ratings-of-my-songs/${song.id}`), cookie)).text.replace(/\d{13}/g, "-"),
    (await read(`/ratings-of-my-songs/${song.id}.csv`, cookie)).text,
  ];
  const before = await answers();
  exemptFromInvariants("a rating comes after its listen has finished and is closed");
  await env.DB.prepare("UPDATE ratings SET created_at = ? - created_at")
    .bind(2 * baseTime + 6 * day)
    .run();
  expect(await answers()).toEqual(before);
});
