import { expect, test } from "vitest";
import { pictureOf } from "~/results/picture";

test("a picture of five says how many liked it, with their marks", () => {
  expect(pictureOf({ received: 5, uploads: [{ number: 1, counts: [0, 1, 3, 1] }] })).toEqual({
    said: "4 of 5 liked it.",
    note: null,
    fives: [{ scores: [2, 3, 3, 3, 4], hidden: 0 }],
  });
});

test("where two of five are shown, it names no label, and has strokes for the others", () => {
  expect(pictureOf({ received: 5, uploads: [{ number: 1, counts: [1, 1, 0, 0] }] })).toEqual({
    said: "All five are in.",
    note: "Two are shown here.",
    fives: [{ scores: [1, 2], hidden: 3 }],
  });
});

test("of many submissions all are counted, and the newest four drawn", () => {
  const uploads = [1, 2, 3, 4, 5].map((number) => ({ number, counts: [0, 0, number % 2, 4] }));
  const { said, fives } = pictureOf({ received: 25, uploads });
  expect(said).toBe("23 of 23 liked it.");
  expect(fives.map(({ scores, hidden }) => [scores.length, hidden])).toEqual([
    [4, 1],
    [5, 0],
    [4, 1],
    [5, 0],
  ]);
});
