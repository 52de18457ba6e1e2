import { describe, expect, test } from "vitest";
import { ratingMail } from "~/domain/mail-templates/rating-mail";
import { allMails, frame, song } from "./support.ts";

describe("the subject", () => {
  test("has no control characters, line breaks or changes of writing direction", () => {
    const title = "A\r\nBcc: x@y.example\u0000\u0007\u2028B\u202eC\u2066";
    for (const { subject } of allMails(title, { title })) {
      expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
    }
    expect(ratingMail("", [{ ...song, title }], frame).subject).toContain("A Bcc: x@y.example BC");
  });

  test.each([
    ["a long title", "Very long title ".repeat(40)],
    ["families", "👨‍👩‍👧‍👦".repeat(80)],
    ["flags", "🇦🇹".repeat(80)],
    ["letters with many marks", `e${"\u0301".repeat(3000)}`.repeat(3)],
  ])("shortens %s between characters", (_, title) => {
    for (const { subject } of allMails("", { title })) {
      expect(Array.from(new Intl.Segmenter().segment(subject)).length).toBeLessThanOrEqual(80);
      expect(subject.length).toBeLessThan(260);
      expect(subject).not.toMatch(/\p{Surrogate}/u);
    }
    const { subject } = ratingMail("", [{ ...song, title }], frame);
    const kept = /“(.*)…”$/u.exec(subject)?.[1] ?? "none";
    const whole = Array.from(new Intl.Segmenter().segment(title), ({ segment }) => segment);
    expect(whole.some((_, n) => whole.slice(0, n).join("").trimEnd() === kept)).toBe(true);
  });

  test("does not shorten a title of usual length, and the body shortens none", () => {
    expect(ratingMail("", [song], frame).subject).toBe("New rating (3 of 5) for “Midnight Ferry”");
    const title = `${"Very long title ".repeat(40)}end`;
    const mail = ratingMail("", [{ ...song, title }], frame);
    expect(mail.html).toContain(title);
    expect(mail.text).toContain(title);
  });
});
