import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { reasonBits } from "~/exchange/rating/reasons";
import type { Score } from "~/exchange/rating/scale";
import { baseTime, makeRating, makeUser } from "../../support/database/factories";
import { hides, shows } from "../../support/expectations";
import { addressOf, consume, mailTo, oweRating } from "../../support/mails";
import { song } from "../../support/people";

const minute = 60_000;
const all: Score[] = [4, 1, 3, 2, 3];

interface Rated {
  tier?: "free" | "premium";
  /** Those of the first ratings. */
  reasons?: (number | null)[];
  /** Whether another rating has come since that can still change. */
  isFollowed?: boolean;
}

/** The mail about the last of some ratings, of a song that was submitted once. */
async function mailAfter(
  scores: Score[],
  { tier = "premium", reasons = [], isFollowed = false }: Rated = {},
) {
  const it = await song({ title: "Harbour", owner: { tier } });
  for (const [n, score] of scores.slice(0, -1).entries()) {
    const said = { score, reasons: reasons[n] ?? null };
    await makeRating(await makeUser(), it, { ...said, at: baseTime + (n + 2) * minute });
  }
  const at = baseTime + 60 * minute;
  const id = await oweRating(it, { score: scores.at(-1) ?? 3, at });
  const now = at + 5 * minute;
  if (isFollowed) await makeRating(await makeUser(), it, { score: 1, at: now - 2 * minute });
  await consume([id], { now: () => now });
  return { it, ...(await mailTo(addressOf(it.owner))) };
}

test("the mail about the fifth rating says what all five say, and leads to the song's page", async () => {
  const { it, html, text, subject } = await mailAfter(all);
  for (const body of [html, text]) {
    shows(
      body,
      "3 of 5 liked it.",
      "between 25 and 85 of them would like it.",
      "1 × Not for me, 1 × Mediocore, 2 × Great Song, 1 × Added to my playlist!",
      `${env.APP_ORIGIN}/ratings-of-my-songs/${it.id}`,
    );
  }
  hides(html, /<img|<svg/);
  expect(subject).toBe("All five ratings are in: “Harbour”");
});

const liked = (...names: string[]) => reasonBits({ liked: names, improve: ["Sound"] });

test.each([
  { tier: "premium", told: ["3 of 5 liked it.", "Could be better: Sound (3)."] },
  { tier: "free", told: ["One is shown here."] },
] as const)(
  "the mail about the fifth rating leaves out a newer one that can still change ($tier)",
  async ({ tier, told }) => {
    const reasons = Array(4).fill(liked());
    const { text } = await mailAfter(all, { tier, reasons, isFollowed: true });
    for (const said of told) shows(text, said);
    hides(text, "2 × Not for me");
  },
);

test("the mail about the fifth rating names the reasons that three ratings give, and is silent below", async () => {
  const { html, text } = await mailAfter(all, { reasons: [liked("Groove"), liked(), liked()] });
  for (const body of [html, text]) {
    shows(body, "Could be better: Sound (3).");
    hides(body, "Groove");
  }
  const few = await mailAfter(all, { reasons: [liked(), liked()] });
  const free = await mailAfter(all, { tier: "free", reasons: [null, liked(), liked(), liked()] });
  for (const { text } of [few, free]) hides(text, "Sound");
});

test("the mail about any other rating says nothing of them all", async () => {
  const { text } = await mailAfter([4, 1, 3, 2]);
  hides(text, /liked it|too early|[○◐⊕]/);
  shows(text, "See the ratings of this song");
});

test("a free owner's mail is the same, whatever the hidden ratings say", async () => {
  const one = await mailAfter([1, 1, 1, 4, 3], { tier: "free" });
  const other = await mailAfter([4, 4, 3, 4, 3], { tier: "free" });
  const plain = ({ it, subject, html, text }: typeof one) =>
    [subject, html, text]
      .join("\n")
      .replaceAll(it.id, "")
      .replaceAll(it.artists.join(), "")
      .replace(/Hi [^,<\n]+/g, "")
      .replace(/Musician-[\w-]+/gi, "")
      .replace(/token=[\w.~-]+/g, "");
  expect(plain(one)).toBe(plain(other));
  shows(
    one.text,
    "All five are in.\n1 × Great Song, 1 × Added to my playlist! Two are shown here.\n",
  );
});
