import { expect, test } from "vitest";
import type { Score } from "~/exchange/rating/scale";
import { confirmationMail } from "~/letters/proof-mails";
import type { RatedSong } from "~/letters/rated-song";
import { ratingMail } from "~/letters/rating-mail";
import { submissionMail } from "~/letters/song-mails";
import {
  allMails,
  confirmation,
  frame,
  headings,
  preview,
  ratedMail,
  read,
  sent,
  song,
} from "./support.ts";

const lists: Partial<RatedSong>[] = [
  {},
  { hidden: 2 },
  { scores: [], hidden: 1 },
  { scores: [3, 1] },
  { received: 6 },
];

test("every mail has no empty parts", () => {
  for (const { html, text } of lists.flatMap((changes) => allMails("Ada", changes))) {
    expect(html).not.toMatch(/<(h1|p|ul|li|a|bdi|strong)\b[^>]*><\/\1>/);
    expect(text).not.toMatch(/\n{3}/);
    expect(text).not.toMatch(/^:$/m);
  }
});

test("every mail has one heading, and a preview for the inbox", () => {
  for (const { subject, html } of allMails("Ada")) {
    expect(headings(html)).toHaveLength(1);
    expect(preview(html)).toMatch(/\w{3}/);
    expect(preview(html)).not.toBe(subject);
  }
});

test("the preview shows up to three of the new ratings of one song", () => {
  const scores: Score[] = [2, 3, 1, 3];
  const { html } = ratedMail({ scores });
  expect(preview(html)).toBe("Mediocore, Great Song, Not for me");
});

test("the preview shows up to three of the songs that were rated", () => {
  const songs = ["One", "Two", "Three", "Four"].map((title) => ({ ...song, title }));
  expect(preview(sent(ratingMail(songs, frame)).html)).toBe("“One”, “Two”, “Three”");
});

test("the preview shows how many ratings a new song will get, and how long a link works", () => {
  const { html } = sent(submissionMail({ ...song, entitled: 10 }, frame));
  expect(preview(html)).toContain("10 ratings");
  expect(preview(sent(confirmationMail(confirmation)).html)).toContain("24 hours");
});

test("the heading counts several new ratings, of one song or many", () => {
  const scores: Score[] = [3, 1];
  const one = ratedMail({ scores, hidden: 1 });
  expect(headings(one.html)).toEqual(["3 new ratings"]);
  const two = sent(ratingMail([song, { ...song, scores }], frame));
  expect(headings(two.html)).toEqual(["3 new ratings"]);
});

test("the mail that confirms an address says where the address was given, and why", () => {
  const { html, text } = sent(confirmationMail(confirmation));
  for (const words of [text, read(html).replaceAll("  ", " ")]) {
    expect(words).toContain("This address was entered on Fivefold");
    expect(words).toContain("to get e-mails about new ratings");
  }
});
