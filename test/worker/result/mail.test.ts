import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { reasonBits } from "~/exchange/rating/reasons";
import type { Score } from "~/exchange/rating/scale";
import { baseTime, makeRating, makeSong, makeUser } from "../../support/database/factories";
import { addressOf, consume, deliver, mailsTo, oweRating } from "../../support/mails";

const minute = 60_000;

/**
 * The mail about the last of some ratings, of a song that was submitted once.
 * @param reasons those of the first ratings.
 */
async function mailAfter(
  scores: Score[],
  tier: "free" | "premium",
  reasons: (number | null)[] = [],
) {
  const owner = await makeUser({ tier });
  const song = await makeSong(owner, { title: "Harbour" });
  const [last = 3, ...earlier] = scores.toReversed();
  for (const [place, score] of earlier.toReversed().entries()) {
    await makeRating(await makeUser(), song, {
      score,
      at: baseTime + (place + 2) * minute,
      reasons: reasons[place] ?? null,
    });
  }
  const id = await oweRating(song, { score: last, at: baseTime + 60 * minute });
  await deliver([id]);
  const [mail, ...more] = await mailsTo(addressOf(owner));
  expect(more).toEqual([]);
  return { mail, song };
}

test("the mail about the fifth rating says what all five say, and leads to the song's page", async () => {
  const { mail, song } = await mailAfter([4, 1, 3, 2, 3], "premium");
  const page = `${env.APP_ORIGIN}/ratings-of-my-songs/${song.id}`;
  for (const body of [mail?.html, mail?.text]) {
    expect(body).toContain("3 of 5 liked it.");
    expect(body).toContain("between 25 and 85 of them would like it.");
    expect(body).toContain(
      "1 × Not for me, 1 × Mediocore, 2 × Great Song, 1 × Added to my playlist!",
    );
    expect(body).toContain(page);
  }
  expect(mail?.html).not.toMatch(/<img|<svg/);
  expect(mail?.subject).toBe("All five ratings are in: “Harbour”");
});

test.each([
  { tier: "premium", first: "3 of 5 liked it." },
  { tier: "free", first: "One is shown here." },
] as const)("it leaves out a newer one that can still change ($tier)", async ({ tier, first }) => {
  const owner = await makeUser({ tier });
  const song = await makeSong(owner, { title: "Harbour" });
  const reasons = reasonBits({ liked: [], improve: ["Sound"] });
  for (const [place, score] of ([4, 1, 3, 2] as const).entries()) {
    await makeRating(await makeUser(), song, { score, at: baseTime + place * minute, reasons });
  }
  const fifth = baseTime + 60 * minute;
  const id = await oweRating(song, { score: 3, at: fifth });
  const now = fifth + 5 * minute;
  await makeRating(await makeUser(), song, { score: 1, at: now - 2 * minute });
  await consume([id], { now: () => now });
  const [mail] = await mailsTo(addressOf(owner));
  expect(mail?.text).toContain(first);
  expect(mail?.text).not.toContain("2 × Not for me");
  if (tier === "premium") expect(mail?.text).toContain("Could be better: Sound (3).");
});

test("it names the reasons that three ratings give, and is silent below", async () => {
  const liked = (...names: string[]) => reasonBits({ liked: names, improve: ["Sound"] });
  const told = await mailAfter([4, 1, 3, 2, 3], "premium", [liked("Groove"), liked(), liked()]);
  for (const body of [told.mail?.html, told.mail?.text]) {
    expect(body).toContain("Could be better: Sound (3).");
    expect(body).not.toContain("Groove");
  }
  const few = await mailAfter([4, 1, 3, 2, 3], "premium", [liked(), liked()]);
  const free = await mailAfter([4, 1, 3, 2, 3], "free", [null, liked(), liked(), liked()]);
  for (const { mail } of [few, free]) expect(mail?.text).not.toContain("Sound");
});

test("the mail about any other rating says nothing of them all", async () => {
  const { mail } = await mailAfter([4, 1, 3, 2], "premium");
  expect(mail?.text).not.toMatch(/liked it|too early|[○◐⊕]/);
  expect(mail?.text).toContain("See the ratings of this song");
});

test("a free owner's mail is the same, whatever the hidden ratings say", async () => {
  const one = await mailAfter([1, 1, 1, 4, 3], "free");
  const other = await mailAfter([4, 4, 3, 4, 3], "free");
  const plain = ({ mail, song }: typeof one) =>
    [mail?.subject, mail?.html, mail?.text]
      .join("\n")
      .replaceAll(song.id, "")
      .replaceAll(song.artists.join(), "")
      .replace(/Hi [^,<\n]+/g, "")
      .replace(/Musician-[\w-]+/gi, "")
      .replace(/token=[\w.~-]+/g, "");
  expect(plain(one)).toBe(plain(other));
  expect(one.mail?.text).toContain(
    "All five are in.\n1 × Great Song, 1 × Added to my playlist! Two are shown here.\n",
  );
});
