import { expect, test } from "vitest";
import { submissionTerms, submittedText } from "~/exchange/submission/question";

const track = { trackId: "single" };

test.each([
  [0, 4, "It costs nothing today."],
  [6, 6, "This uses your 6 ratings."],
  [1, 1, "This uses your rating."],
  [4, 9, "This uses 4 of your 9 ratings."],
])("a price of %i with %i ratings given", (cost, credits, text) => {
  expect(submissionTerms({ cost }, { credits, before: null, track, compares: true })).toEqual({
    cost: text,
    gain: "It gets 5 ratings from other musicians.",
    pending: null,
  });
});

test("who has lost a free submission reads why it costs something", () => {
  const terms = { credits: 6, before: null, track, compares: true };
  expect(submissionTerms({ cost: 6, freeLost: true }, terms).cost).toBe(
    "One song a day is free, and you have added today's. This uses your 6 ratings.",
  );
});

test.each([
  [5, 0, "second", "the first 5, so that you can compare the two", null],
  [5, 2, "second", "the first 5", "2 of its 5 ratings are still to come"],
  [5, 5, "second", "the first 5", "All of its 5 ratings are still to come"],
  [10, 1, "third", "those before, so that you can compare them", "1 of its 10 ratings is still"],
  [100, 0, "21st", "those before", null],
  [50, 0, "11th", "those before", null],
])("%i ratings promised and %i of them owed", (entitled, owed, nth, apart, pending) => {
  const release = { ...track, title: "Night Bus", album: "Night Bus" };
  const before = { ...release, entitled, owed, resting: false };
  const standing = { credits: 6, before, track };
  const terms = submissionTerms({ cost: 6 }, { ...standing, compares: true });
  expect(terms.gain).toContain(
    `This is its ${nth} submission: it gets 5 more ratings, kept apart from ${apart}`,
  );
  if (pending === null) expect(terms.pending).toBeNull();
  else expect(terms.pending).toContain(pending);
  // One that is out of the rotation comes back, and still waits for some.
  const back = submissionTerms(
    { cost: 6 },
    { ...standing, before: { ...before, resting: true }, compares: true },
  );
  const promise = "submitting it again promises 5 more";
  expect(back.pending).toBe(
    terms.pending?.replace(promise, `${promise} and brings it back into the rotation`) ?? null,
  );
  // Nothing to compare for whoever sees the latest two ratings alone.
  const { gain } = submissionTerms({ cost: 6 }, { ...standing, compares: false });
  expect(gain).toBe(`This is its ${nth} submission: it gets 5 more ratings.`);
});

test("under another release, it is said that the recording was submitted before, and where its ratings are", () => {
  const before = { trackId: "single", title: "Night Bus", album: "Night Bus EP", resting: false };
  const standing = { credits: 6, before: { ...before, entitled: 5, owed: 0 }, compares: false };
  const terms = submissionTerms({ cost: 6 }, { ...standing, track: { trackId: "on the album" } });
  expect(terms.gain).toBe(
    "You have submitted this recording before, under another release: “Night Bus” on “Night Bus EP”. It is the same song here. Its ratings stay with it, and it goes on under the release that you submit now. This is its second submission: it gets 5 more ratings.",
  );
});

test("a song in a list says how many of its ratings are in", () => {
  expect(submittedText({ entitled: 10, owed: 3 })).toBe(
    "Submitted before: 7 of its 10 ratings are in.",
  );
  expect(submittedText({ entitled: 5, owed: 4 })).toBe(
    "Submitted before: 1 of its 5 ratings is in.",
  );
  expect(submittedText({ entitled: 5, owed: 0 })).toBe(
    "Submitted before: all of its 5 ratings are in.",
  );
});
