import { expect, test } from "vitest";
import { allMails, frame, ratedMail } from "./support.ts";

test("the subject has no control characters, line breaks or changes of writing direction", () => {
  const title = "A\r\nBcc: x@y.example\u0000\u0007\u2028B\u202eC\u2066";
  for (const { subject } of allMails(title, { title })) {
    expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
  }
  expect(ratedMail({ title }).subject).toContain("A Bcc: x@y.example BC");
});

test.each([
  ["a long title", "Very long title ".repeat(40)],
  ["families", "👨‍👩‍👧‍👦".repeat(80)],
  ["flags", "🇦🇹".repeat(80)],
  ["letters with many marks", `e${"\u0301".repeat(3000)}`.repeat(3)],
])("the subject shortens %s between characters", (_, title) => {
  for (const { subject } of allMails("", { title })) {
    expect(Array.from(new Intl.Segmenter().segment(subject)).length).toBeLessThanOrEqual(80);
    expect(subject.length).toBeLessThan(260);
    expect(subject).not.toMatch(/\p{Surrogate}/u);
  }
  const { subject } = ratedMail({ title });
  const kept = /“(.*)…”$/u.exec(subject)?.[1] ?? "none";
  const whole = Array.from(new Intl.Segmenter().segment(title), ({ segment }) => segment);
  expect(whole.some((_, n) => whole.slice(0, n).join("").trimEnd() === kept)).toBe(true);
});

test("the subject keeps 48 characters of a title, or 47 and an ellipsis if there are more", () => {
  const shown = (title: string) => /“(.*)”$/u.exec(ratedMail({ title }).subject)?.[1];
  expect(shown("a".repeat(48))).toBe("a".repeat(48));
  expect(shown("a".repeat(49))).toBe(`${"a".repeat(47)}…`);
  expect(shown("🇦🇹".repeat(48))).toBe("🇦🇹".repeat(48));
  expect(shown(`${"a".repeat(46)} and more`)).toBe(`${"a".repeat(46)}…`);
});

test.each(["\u200e\n", "\u3164", "\u200b", "\u2800", "\u{e0041}", "\u0301", " \u00a0"])(
  "the subject leaves out a title that nobody can see (%j), and the mail a name",
  (title) => {
    const mail = ratedMail({ title }, frame, title);
    expect(mail.subject).toBe("New rating (3 of 5) for your song");
    expect(mail.text).toMatch(/^Hello,\n/);
  },
);

test("the subject does not shorten a title of usual length, and the body shortens none", () => {
  expect(ratedMail().subject).toBe("New rating (3 of 5) for “Midnight Ferry”");
  const title = `${"Very long title ".repeat(40)}end`;
  const mail = ratedMail({ title });
  expect(mail.html).toContain(title);
  expect(mail.text).toContain(title);
});
