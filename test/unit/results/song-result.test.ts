import fc from "fast-check";
import { expect, test } from "vitest";
import type { CommunityFigures } from "~/exchange/community/community";
import type { Score } from "~/exchange/rating/scale";
import { resultCsv } from "~/results/csv";
import { opinionWords } from "~/results/opinions";
import { inOneLine, shortVerdict, verdict, verdictOf } from "~/results/sentences";
import { assignToSubmissions, songResult } from "~/results/song-result";
import { knownRatings as song } from "./known.ts";

const community: CommunityFigures = {
  songsRatedThisWeek: 10,
  promisesKept: 40,
  halfWithinMs: 3_600_000,
  mostWithinMs: 7_200_000,
  likedShare: 0.5,
};

test.each([
  { what: "in order of arrival", submitted: [0, 0], rated: [1, 2, 3, 4, 5, 6], totals: [5, 1] },
  { what: "the oldest promise first", submitted: [0, 1], rated: [2, 3, 4], totals: [3, 0] },
  {
    what: "one beyond all promises belongs to the submission that was there",
    submitted: [0, 10],
    rated: [1, 2, 3, 4, 5, 6, 11],
    totals: [6, 1],
  },
  { what: "beyond the last promise", submitted: [0], rated: [1, 2, 3, 4, 5, 6, 7], totals: [7] },
  {
    what: "those that came before have filled the oldest promises",
    submitted: [0, 1],
    rated: [20, 21],
    before: 4,
    totals: [5, 1],
  },
])("ratings are divided into fives $what", ({ submitted, rated, before, totals }) => {
  expect(assignToSubmissions(submitted, rated, before).totals).toEqual(totals);
});

test("ratings are divided into fives, each once, and no promise before the one before it is full", () => {
  const times = (most: number) =>
    fc.array(fc.nat(50), { minLength: 1, maxLength: most }).map((all) => all.sort((a, b) => a - b));
  fc.assert(
    fc.property(times(6), times(30), fc.nat(12), (submitted, rated, before) => {
      const { places, totals } = assignToSubmissions(submitted, rated, before);
      expect(places.length).toBe(rated.length);
      expect(totals.reduce((sum, total) => sum + total, 0)).toBe(rated.length + before);
      for (const [place, total] of totals.entries()) {
        if (place > 0 && total > 0) expect(totals[place - 1]).toBeGreaterThanOrEqual(5);
      }
    }),
  );
});

test.each<[Score[], string, string | null]>([
  [[], "Nobody has rated it yet.", null],
  [[3, 4], "Two of five are in.", "Too early to tell."],
  [[3, 1, 4, 2, 3], "3 of 5 liked it.", null],
  [[1, 1, 1, 1, 1, 4], "1 of 6 liked it.", null],
])("what is said of %j: %s %s", (scores, said, note) => {
  expect(songResult(song(scores), null).verdict).toEqual({ said, note });
});

test.each([
  [5, 0, "All five are in. Two are shown here.", "All five are in"],
  [4, 1, "Four of five are in. Two are shown here.", "Four of five are in"],
  [12, 3, "Twelve of 15 are in. Two are shown here.", "Twelve of 15 are in"],
  [10, 0, "All ten are in. Two are shown here.", "All ten are in"],
])("what is said of %i of which two are seen, %i to come: %s", (received, owed, said, short) => {
  const seen = { liked: 1, others: 1 };
  expect(inOneLine(verdictOf(seen, { received, owed }))).toBe(said);
  expect(verdict(seen, received)).toBe(said);
  expect(shortVerdict(seen, { received, owed })).toBe(short);
});

test("what is said of five, with the range, and the average only where it is known", () => {
  const result = songResult(song([3, 1, 4, 2, 3]), community);
  expect(result.range).toEqual({
    low: 25,
    high: 85,
    average: 50,
    sentence: "Play it to a hundred musicians here, and between 25 and 85 of them would like it.",
  });
  expect(songResult(song([3, 1, 4, 2, 3]), null).range?.average).toBeNull();
  expect(songResult(song([3, 1, 4, 2]), community).range).toBeNull();
});

test("what is said of ten that all liked it: against the others, and against the time before", () => {
  const all = songResult(song(Array(10).fill(4), [0, 6]), community);
  expect(all.comparisons).toEqual([
    "It is liked more than songs here usually are.",
    "Too early to tell whether it is liked more than the time before.",
  ]);
  const better = songResult(song([1, 1, 1, 1, 1, 4, 4, 4, 4, 4], [0, 6]), null);
  expect(better.comparisons).toEqual(["It is liked more than the time before."]);
});

test("no mean and no decimal is said, whatever was given", () => {
  const scores = fc.array(fc.constantFrom<Score>(1, 2, 3, 4), { maxLength: 40 });
  fc.assert(
    fc.property(scores, (given) => {
      const { submissions: _dots, ...said } = songResult(song(given, [0, 6, 11]), community);
      expect(JSON.stringify(said)).not.toMatch(/\d\.\d|average rating|NaN/);
    }),
  );
});

test("the usual wait is said as long as ratings are owed and the song is in the rotation", () => {
  const at = Date.UTC(2026, 0, 1) - 3_600_000;
  const waits = songResult(song([3, 3, 3, 3, 3, 4], [at - 1, at]), community).wait;
  expect(waits?.usual).toMatch(/within 2 hours\.$/);
  expect(waits?.usuallyBy).toBe(at + community.mostWithinMs);
  expect(songResult(song([3]), community).wait).toEqual({
    usual: expect.stringMatching(/within 2 hours\. This one has waited longer\.$/),
    usuallyBy: null,
  });
  const unknown = { usual: "Too few songs lately to say.", usuallyBy: null };
  expect(songResult(song([3]), null).wait).toEqual(unknown);
  expect(songResult(song([3, 3, 3, 3, 3]), community).wait).toBeNull();
  expect(songResult({ ...song([3]), resting: true }, community).wait).toBeNull();
});

test("of hidden ratings only their number is said", () => {
  const known = { ...song([4, 1]), received: 12, owed: 3 };
  const result = songResult({ ...known, submissions: song([], [0, 0, 0]).submissions }, community);
  expect(result).toMatchObject({
    verdict: { said: "Twelve of 15 are in.", note: "Two are shown here." },
    scores: [1, 4],
    range: null,
    comparisons: [],
  });
  expect(result.submissions.map(({ received, scores }) => [received, scores])).toEqual([
    [5, []],
    [5, []],
    [2, [1, 4]],
  ]);
});

test("nothing tells in which order the ratings of a submission came", () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray<Score>([1, 2, 3, 4, 4], { minLength: 5 }),
      fc.shuffledSubarray<Score>([1, 2, 3, 3, 4], { minLength: 5 }),
      (first, second) => {
        const shuffled = songResult(song([...first, ...second], [0, 0]), community);
        expect(shuffled).toEqual(
          songResult(song([1, 2, 3, 4, 4, 1, 2, 3, 3, 4], [0, 0]), community),
        );
      },
    ),
  );
});

test("dots have words, from worst to best", () => {
  expect(opinionWords([4, 1, 3, 3])).toBe(
    "1 × Not for me, 2 × Great Song, 1 × Added to my playlist!",
  );
});

const { submissions, reasons } = songResult(song([4, 3, 3, 1, 3]), null);

test("the CSV has a line for each submission and label, without a time of a rating", () => {
  const text = resultCsv({
    title: "A song",
    artists: ["Ann", "Bob"],
    hidden: 0,
    result: { submissions, reasons },
  });
  expect(text.split("\r\n")).toEqual([
    '"Song","Artists","Submission","Submitted on","Rating","Times"',
    '"A song","Ann, Bob","1","1970-01-01","Not for me","1"',
    '"A song","Ann, Bob","1","1970-01-01","Mediocore","0"',
    '"A song","Ann, Bob","1","1970-01-01","Great Song","3"',
    '"A song","Ann, Bob","1","1970-01-01","Added to my playlist!","1"',
    "",
  ]);
});

test.each([
  ["=HYPERLINK(1)", `"'=HYPERLINK(1)"`],
  ["+1", `"'+1"`],
  ["-1", `"'-1"`],
  ["@SUM(1)", `"'@SUM(1)"`],
  [" =1", `"' =1"`],
  ["\t=1", `"'\t=1"`],
  ["＝1", `"'＝1"`],
  ["a;=1; ＋1", `"a;'=1;' ＋1"`],
  ["Day-to-day; night", '"Day-to-day; night"'],
  ['Say "hi", then go', '"Say ""hi"", then go"'],
])("the CSV holds no formula: %j", (title, field) => {
  const text = resultCsv({ title, artists: [], hidden: 3, result: { submissions, reasons } });
  expect(text).toContain(`\r\n${field},`);
  expect(text).toContain('"3 more ratings, which only Premium shows"');
});

const mixesOf = (
  files: (string | null)[],
  scores: Score[] = [],
  loudness: (number | null)[] = [],
) => {
  const known = song(
    scores,
    files.map((_, place) => place * 5),
  );
  const submissions = known.submissions.map((one, place) => ({
    ...one,
    file: files[place] ?? null,
    loudness: loudness[place] ?? null,
  }));
  return songResult({ ...known, submissions }, community);
};

test.each([
  [
    [null, null],
    [null, null],
  ],
  [["a"], ["First mix"]],
  [
    ["a", "b", "c"],
    ["First mix", "Second mix", "Third mix"],
  ],
  [
    ["a", "a", "b", "a"],
    ["First mix", "First mix", "Second mix", "First mix"],
  ],
])("mixes of an own recording are numbered by their files: %j", (files, named) => {
  expect(mixesOf(files).submissions.map(({ mix }) => mix)).toEqual(named);
});

test.each([
  { later: [4, 4, 4, 4, 4], said: "It is liked more than the mix before." },
  {
    later: [1, 1, 1, 2, 3],
    said: "Too early to tell whether it is liked more than the mix before.",
  },
] as { later: Score[]; said: string }[])(
  "mixes of an own recording are compared: $said",
  ({ later, said }) => {
    const fives: Score[] = [1, 1, 1, 1, 1, ...later];
    expect(mixesOf(["a", "b"], fives).comparisons).toContain(said);
    expect(mixesOf(["a", "a"], fives).comparisons).toContain(said.replace("mix", "time"));
  },
);

const louder = "This mix sounded louder than the one before, so this is no fair comparison.";
const quieter = "This mix sounded quieter than the one before, so this is no fair comparison.";
const unknown =
  "We do not know which of the two mixes sounded louder, so this may be no fair comparison.";

test.each<[(number | null)[], string[]]>([
  [[-140, -90], []],
  [[-160, -180], []],
  [[-200, -90], [louder]],
  [[-90, -200], [quieter]],
  [[null, -90], [unknown]],
  [[-90, null], [unknown]],
])("of two mixes with the loudness %j is said: %j", (loudness, said) => {
  const fives: Score[] = [1, 1, 1, 1, 1, 4, 4, 4, 4, 4];
  const { comparisons } = mixesOf(["a", "b"], fives, loudness);
  expect(comparisons).toEqual(["It is liked more than the mix before.", ...said]);
  const same = mixesOf(["a", "a"], fives, loudness).comparisons;
  expect(same).toEqual(["It is liked more than the time before."]);
  expect(mixesOf(["a", "b"], fives.slice(1), loudness).comparisons).toEqual([]);
});
