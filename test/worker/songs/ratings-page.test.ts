import { expect, test } from "vitest";
import type { Score } from "~/exchange/rating/scale";
import { hourMs } from "~/platform/dates";
import { baseTime, makeRating } from "../../support/database/factories";
import { type Cast, type Someone, someone, song } from "../../support/people";
import { dataOf, request } from "../../support/request";

/** The page's labels of the scores 1 to 4. */
const labels = ["Not for me", "Mediocore", "Great Song", "Added to my playlist!"];
const path = "/ratings-of-my-songs";

/** The time of a test's nth rating: a minute that nothing else on the page has. */
function timeOf(n: number): number {
  return baseTime + 86_400_000 * n + 123 * 60_000;
}

/** Rates a song with these scores, a day apart, each by a different user. */
async function rateBy(it: Cast<typeof song>, scores: Score[]): Promise<void> {
  for (const [index, score] of scores.entries()) {
    const rater = await someone({ displayName: `Rita Rater ${index}` });
    await makeRating(rater, it, { score, at: timeOf(index) });
  }
}

/** A song that was rated with these scores, in this order. */
async function rated(scores: Score[], owner: Parameters<typeof song>[0] = {}) {
  const it = await song(owner);
  await rateBy(it, scores);
  return it;
}

/** The page as HTML and as the data that client-side navigation fetches. */
async function read(by: Someone) {
  const page = await by.reads(path);
  return { page, data: await by.reads(dataOf(path)), lines: linesOf(page) };
}

/** The labels of a page's rating lines, in order. */
function linesOf(page: string): string[] {
  return [...page.matchAll(/<li>((?:(?!<\/li>).)+)<time/g)].map(([, line = ""]) =>
    line.replace(/<[^>]+>/g, "").trim(),
  );
}

test("a free user sees the two newest ratings, and the others never leave the server", async () => {
  const it = await rated([1, 2, 3, 4]);
  const { page, data, lines } = await read(it.owner);
  expect(lines).toEqual(["Added to my playlist!", "Great Song"]);
  expect(page).toContain("It already received 4 ratings:");
  expect(page).toContain("You have 2 more ratings");
  const withoutKey = page.replace(/<ul class="mark-key">.+?<\/ul>/, "");
  for (const text of [withoutKey, data]) {
    const shown = [it.title, `${timeOf(2)}`, `${timeOf(3)}`];
    const hidden = ["Not for me", "Mediocore", `${timeOf(0)}`, `${timeOf(1)}`];
    expect(shown.filter((part) => text.includes(part))).toEqual(shown);
    expect(hidden.filter((part) => text.includes(part))).toEqual([]);
  }
});

test.each(["premium", "past_due"] as const)("a %s user sees all, newest first", async (tier) => {
  const { owner } = await rated([1, 2, 3, 4], { owner: { tier } });
  const { page, data, lines } = await read(owner);
  expect(lines).toEqual([...labels].reverse());
  expect(page).not.toContain("more rating");
  for (const n of [0, 1, 2, 3]) expect(data).toContain(`${timeOf(n)}`);
});

test("the limit of two applies to each song, and the latest song comes first", async () => {
  const first = await rated([1, 1, 1]);
  const { owner } = first;
  const last = await rated([4, 4, 4], { owner, submittedAt: [baseTime + 1] });
  const { page, lines } = await read(owner);
  expect(lines).toEqual([labels[3], labels[3], labels[0], labels[0]]);
  expect(page.indexOf(last.title)).toBeLessThan(page.indexOf(first.title));
  expect(page.match(/You have 1 more rating</g)).toHaveLength(2);
});

test("the songs come before all that is said about them, with a key of their signs", async () => {
  const it = await song();
  const inOrder = [it.title, "Every song you add", "Receive an Email", "Upgrade to Premium"];
  const before = await it.owner.reads(path);
  const places = inOrder.map((text) => before.indexOf(text));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(before).not.toContain("mark-key");
  await rateBy(it, [1]);
  const after = await it.owner.reads(path);
  expect(after.indexOf("mark-key")).toBeGreaterThan(0);
  expect(after.indexOf("mark-key")).toBeLessThan(after.indexOf(it.title));
});

test("with two ratings nothing is hidden from a free user", async () => {
  const { page, lines } = await read((await rated([1, 4])).owner);
  expect(lines).toEqual([labels[3], labels[0]]);
  expect(page).not.toContain("more rating");
});

test("the page has only the user's own songs, and does not reveal who rated them", async () => {
  const { owner, title } = await rated([1, 2, 3, 4], { owner: { tier: "premium" } });
  const elsewhere = await song();
  await makeRating(owner, elsewhere);
  const { page, data } = await read(owner);
  for (const text of [page, data]) {
    expect(text).toContain(title);
    expect(text).not.toContain(elsewhere.title);
    // The owner's id is part of their e-mail address.
    const others = text.replaceAll(owner.id, "");
    expect(others.match(/Rita|rater_?id|user-/gi)).toBeNull();
  }
});

test("a rating says how long ago it was, with its time to the minute in the attributes", async () => {
  const it = await song();
  const at = Date.now() - 3 * hourMs;
  await makeRating(await someone(), it, { at });
  const page = await it.owner.reads(path);
  const time = /<time dateTime="([^"]*)" title="([^"]*)">([^<]*)<\/time>/.exec(page);
  expect(time?.slice(1)).toEqual([
    `${new Date(at).toISOString().slice(0, 16)}:00.000Z`,
    expect.stringMatching(/ UTC$/),
    "3 hours ago",
  ]);
  expect(page).toContain('role="img" aria-label="1 × ');
  expect(page).toContain("One of five is in");
});

test("the page has no ratings without a login", async () => {
  const { title } = await rated([1, 2]);
  for (const asked of [path, dataOf(path)]) {
    const text = await (await request(asked)).text();
    expect([linesOf(text), text.includes(title)]).toEqual([[], false]);
  }
});
