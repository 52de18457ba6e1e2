import { expect, test } from "vitest";
import { coverColour } from "~/covers/tones";
import type { MailResult, RatedSong } from "~/letters/rated-song";
import { ratingMail } from "~/letters/rating-mail";
import { frame, headings, preview, ratedMail, read, sent, song } from "./support.ts";

const whole: MailResult = {
  scores: [3, 2, 3, 4, 3],
  hidden: 0,
  verdict: "4 of 5 liked it.",
  sentences: ["Play it to a hundred musicians here."],
};

function complete(changes: Partial<RatedSong> = {}) {
  return ratedMail({ scores: [...whole.scores], received: 5, result: whole, ...changes });
}

test("when all five are in, the mail says so, and its verdict is the largest", () => {
  const { subject, html, text } = complete();
  expect(subject).toBe("All five ratings are in: “Midnight Ferry”");
  expect([headings(html), preview(html)]).toEqual([["4 of 5 liked it."], "4 of 5 liked it."]);
  const said = "4 of 5 liked it.\n1 × Mediocore, 3 × Great Song, 1 × Added to my playlist!\n";
  expect(text).toContain(said);
  expect(text).toContain("Play it to a hundred musicians here.");
  expect(text).toContain(
    "See what the ratings say:\nhttps://fivefold.example/ratings-of-my-songs/s1",
  );
  // Each fact is told once.
  expect(text).not.toMatch(/ratings received|New since|\* Great Song/);
});

test("when all five are in, a mark stands for each, from worst to best, whatever the order in which they came", () => {
  const orders = [whole.scores, whole.scores.toReversed(), whole.scores.toSorted()];
  const [first, ...others] = orders.map(
    (scores) => complete({ scores, result: { ...whole, scores } }).html,
  );
  expect(first?.match(/width="30"/g)).toHaveLength(4);
  for (const html of others) expect(html).toBe(first);
});

test("when all five are in, a single new one is named beside the whole", () => {
  expect(complete({ scores: [2] }).text).toContain("New since the last e-mail: Mediocore.");
});

test.each([
  [10, 10, "All ten ratings are in"],
  [5, 10, "Five ratings are in"],
  [7, 10, "Five ratings are in"],
  [11, 10, "All ten ratings are in"],
])(
  "when all five are in, of %i received and %i owed, the subject claims no more than that",
  (received, entitled, words) => {
    expect(complete({ received, entitled }).subject).toBe(`${words}: “Midnight Ferry”`);
  },
);

test("when all five are in, what is not shown is a stroke without a mark, and no label is the heading", () => {
  const result: MailResult = {
    ...{ scores: [1, 3], hidden: 3, sentences: [] },
    verdict: "All five are in. Two are shown here.",
  };
  const { html, text } = complete({ scores: [1], hidden: 0, result });
  expect(headings(html)).toEqual(["All five are in."]);
  expect(text).toContain("1 × Not for me, 1 × Great Song. Two are shown here.\n");
  expect(html.match(/class="stroke-5" width="5"/g)).toHaveLength(3);
  expect(read(html)).not.toContain("liked it");
});

test("when all five are in, a list of songs has the result of each that is complete", () => {
  const songs = [
    { ...song, received: 5, result: whole },
    { ...song, songId: "s2", title: "Other" },
  ];
  const { html, text } = sent(ratingMail(songs, frame));
  expect(headings(html)).toEqual(["2 new ratings"]);
  expect(text).toContain("4 of 5 liked it.\n1 × Mediocore");
  expect(text).toMatch(/Other\n[\s\S]*\* Great Song/);
});

test("a tile of its colour stands for a drawn cover, without words of its own", () => {
  const tile = new RegExp(
    `aria-hidden="true"[^>]*><tbody><tr><td[^>]*height="96" style="background-color:${coverColour(1)}[^>]*></td>`,
  );
  expect(complete({ tint: 1, hasDrawnCover: true }).html).toMatch(tile);
  expect(complete({ tint: 7, hasDrawnCover: true }).html).not.toMatch(tile);
});
