import { expect, test } from "vitest";
import type { Score } from "~/exchange/rating/scale";
import {
  baseTime,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
} from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { dataOf, request } from "../../support/request";

/** The page's labels of the scores 1 to 4. */
const labels = ["Not for me", "Mediocore", "Great Song", "Added to my playlist!"];

/** The time of a test's nth rating: a minute that nothing else on the page has. */
function timeOf(n: number): number {
  return baseTime + 86_400_000 * n + 123 * 60_000;
}

/** Rates a song with these scores, a day apart, each by a different user. */
async function rateBy(song: TestSong, scores: Score[]): Promise<void> {
  for (const [index, score] of scores.entries()) {
    const rater = await makeUser({ displayName: `Rita Rater ${index}` });
    await makeRating(rater, song, { score, at: timeOf(index) });
  }
}

/** An owner whose song was rated 1, 2, 3 and 4, in this order. */
async function rated(tier: "free" | "premium" | "past_due") {
  const owner = await makeUser({ tier });
  const song = await makeSong(owner);
  await rateBy(song, [1, 2, 3, 4]);
  const { cookie } = await makeSession(owner);
  return { owner, song, cookie };
}

/** The page as HTML and as the data that client-side navigation fetches. */
async function read(cookie?: string) {
  const options = cookie ? { cookie } : {};
  const page = await (await request("/ratings-of-my-songs", options)).text();
  const data = await (await request(dataOf("/ratings-of-my-songs"), options)).text();
  return { page, data, lines: linesOf(page) };
}

/** The labels of a page's rating lines, in order. */
function linesOf(page: string): string[] {
  return [...page.matchAll(/<li>((?:(?!<\/li>).)+)<time/g)].map(([, line = ""]) =>
    line.replace(/<!-- -->|<[^>]+>/g, "").trim(),
  );
}

test("a free user sees the two newest ratings, and the others never leave the server", async () => {
  const { song, cookie } = await rated("free");
  const { page, data, lines } = await read(cookie);
  expect(lines).toEqual(["Added to my playlist!", "Great Song"]);
  expect(page.includes("It already received 4 ratings:")).toBe(true);
  expect(page.includes("You have 2 more ratings")).toBe(true);
  const withoutKey = page.replace(/<ul class="mark-key">.+?<\/ul>/, "");
  for (const text of [withoutKey, data]) {
    const shown = [song.title, `${timeOf(2)}`, `${timeOf(3)}`];
    const hidden = ["Not for me", "Mediocore", `${timeOf(0)}`, `${timeOf(1)}`];
    expect(shown.filter((part) => text.includes(part))).toEqual(shown);
    expect(hidden.filter((part) => text.includes(part))).toEqual([]);
  }
});

test.each(["premium", "past_due"] as const)("a %s user sees all, newest first", async (tier) => {
  const { cookie } = await rated(tier);
  const { page, data, lines } = await read(cookie);
  expect(lines).toEqual([...labels].reverse());
  expect(page.includes("more rating")).toBe(false);
  expect([0, 1, 2, 3].filter((n) => data.includes(`${timeOf(n)}`))).toEqual([0, 1, 2, 3]);
});

test("the limit of two applies to each song, and the latest song comes first", async () => {
  const owner = await makeUser();
  const first = await makeSong(owner, { submittedAt: [baseTime] });
  const last = await makeSong(owner, { submittedAt: [baseTime + 1] });
  await rateBy(first, [1, 1, 1]);
  await rateBy(last, [4, 4, 4]);
  const { page, lines } = await read((await makeSession(owner)).cookie);
  expect(lines).toEqual([labels[3], labels[3], labels[0], labels[0]]);
  expect(page.indexOf(last.title)).toBeLessThan(page.indexOf(first.title));
  expect(page.match(/You have 1 more rating</g)).toHaveLength(2);
});

test("the songs come before all that is said about them, with a key of their signs", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const { cookie } = await makeSession(owner);
  const inOrder = [song.title, "Every song you add", "Receive an Email", "Upgrade to Premium"];
  const placesOn = (page: string, texts: string[]) => texts.map((text) => page.indexOf(text));
  const { page } = await read(cookie);
  expect(placesOn(page, inOrder)).toEqual(placesOn(page, inOrder).toSorted((a, b) => a - b));
  expect(page).not.toContain("mark-key");
  await rateBy(song, [1]);
  const rated = (await read(cookie)).page;
  expect(rated.indexOf("mark-key")).toBeGreaterThan(0);
  expect(rated.indexOf("mark-key")).toBeLessThan(rated.indexOf(song.title));
});

test("with two ratings nothing is hidden from a free user", async () => {
  const owner = await makeUser();
  await rateBy(await makeSong(owner), [1, 4]);
  const { page, lines } = await read((await makeSession(owner)).cookie);
  expect(lines).toEqual([labels[3], labels[0]]);
  expect(page.includes("more rating")).toBe(false);
});

test("the page has only the user's own songs, and does not reveal who rated them", async () => {
  const { owner, song, cookie } = await rated("premium");
  const elsewhere = await makeSong(await makeUser());
  await makeRating(owner, elsewhere);
  const { page, data } = await read(cookie);
  for (const text of [page, data]) {
    expect(text.includes(song.title)).toBe(true);
    expect(text.includes(elsewhere.title)).toBe(false);
    // The owner's id is part of their e-mail address.
    const others = text.replaceAll(owner.id, "");
    expect(others.match(/Rita|rater_?id|user-/gi)).toBeNull();
  }
});

test("a rating says how long ago it was, with its time to the minute in the attributes", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const at = Date.now() - 3 * 60 * 60 * 1000;
  await makeRating(await makeUser(), song, { at });
  const { cookie } = await makeSession(owner);
  const { page } = await read(cookie);
  const time = /<time dateTime="([^"]*)" title="([^"]*)">([^<]*)<\/time>/.exec(page);
  expect(time?.slice(1)).toEqual([
    `${new Date(at).toISOString().slice(0, 16)}:00.000Z`,
    expect.stringMatching(/ UTC$/),
    "3 hours ago",
  ]);
  expect(page).toContain('role="img" aria-label="1 × ');
  expect(page).toContain("1 of 5");
});

test("the page has no ratings without a login", async () => {
  const { song } = await rated("free");
  const { page, data, lines } = await read();
  expect(lines).toEqual([]);
  expect([page, data].map((text) => text.includes(song.title))).toEqual([false, false]);
});
