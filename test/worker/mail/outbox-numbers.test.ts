/** What mails of one song say of its ratings, one after the other. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { isSettled } from "~/db/settled";
import { heldAt } from "~/outbox/retry";
import { baseTime, makeSong, makeUser } from "../../support/database/factories";
import { addressOf, consume, mailsTo, oweRating } from "../../support/mails";

const minute = 60_000;
const waitMs = 5 * minute;

async function rate(song: Parameters<typeof oweRating>[0], at: number, notBefore: number) {
  const id = await oweRating(song, { at, notBefore });
  await env.DB.prepare("UPDATE outbox SET created_at = ? WHERE id = ?").bind(at, id).run();
  return id;
}

/** Numbers in a mail, in its subject and its body: "3 of 5". */
function saidIn(text: string, words: RegExp): number | null {
  return Number(words.exec(text)?.[1] ?? 0) || null;
}

test.each([
  { minutes: [0, 3, 4, 12, 14], told: [1, 3, 5] },
  { minutes: [0, 1, 2, 3, 3.5], told: [3, 5] },
])(
  "each mail counts what is settled, and no two say the same ($minutes)",
  async ({ minutes, told }) => {
    const owner = await makeUser({ tier: "premium" });
    const song = await makeSong(owner, { submittedAt: [baseTime - minute] });
    const times = minutes.map((after) => baseTime + after * minute);
    const events = times
      .flatMap((at) => [
        { at, due: null },
        { at: at + waitMs, due: at },
      ])
      .sort((one, other) => one.at - other.at);
    const ids = new Map<number, string>();
    for (const { at, due } of events) {
      if (due === null) ids.set(at, await rate(song, at, at + waitMs));
      else {
        const before = (await mailsTo(addressOf(owner))).length;
        await consume([ids.get(due)], { now: () => at });
        const [mail] = (await mailsTo(addressOf(owner))).slice(before);
        const settled = times.filter((one) => isSettled(one, at)).length;
        if (mail) {
          const said =
            saidIn(mail.subject ?? "", /\((\d) of 5\)/) ??
            (mail.subject?.includes("All five ratings are in") ? 5 : null);
          expect(said).toBeLessThanOrEqual(settled);
          if (said !== 5) expect(mail.text).toContain(`${said} of 5 ratings received`);
        }
      }
    }
    const subjects = (await mailsTo(addressOf(owner))).map(({ subject }) => subject ?? "");
    expect(
      subjects.map((subject) =>
        subject.includes("All five") ? 5 : saidIn(subject, /\((\d) of 5\)/),
      ),
    ).toEqual(told);
  },
);

test("a mail about a complete submission counts none that came after, which have the next one", async () => {
  const owner = await makeUser({ tier: "premium" });
  const song = await makeSong(owner, { title: "Harbour", submittedAt: [baseTime, baseTime + 1] });
  const at = (minutes: number) => baseTime + minutes * minute;
  const held = [];
  for (const minutes of [10, 20, 30, 40]) held.push(await rate(song, at(minutes), heldAt));
  const fifth = await rate(song, at(50), at(55));
  await env.DB.prepare("UPDATE outbox SET not_before = ? WHERE not_before = ?")
    .bind(at(55), heldAt)
    .run();
  for (const minutes of [51, 52, 53, 54]) await rate(song, at(minutes), heldAt);
  const tenth = await rate(song, at(54.5), at(59.5));
  await consume([fifth, ...held], { now: () => at(55) });
  await env.DB.prepare("UPDATE outbox SET not_before = ? WHERE not_before = ?")
    .bind(at(59), heldAt)
    .run();
  await consume([tenth], { now: () => at(59.5) });
  const mails = await mailsTo(addressOf(owner));
  expect(mails.map(({ subject }) => subject)).toEqual([
    "Five ratings are in: “Harbour”",
    "All ten ratings are in: “Harbour”",
  ]);
  expect(mails.map(({ text }) => /of \d+ liked it/.exec(text ?? "")?.[0])).toEqual([
    "of 5 liked it",
    "of 10 liked it",
  ]);
});
