/** What mails of one song say of its ratings, one after the other. */
import { expect, test } from "vitest";
import { isSettled } from "~/db/settled";
import { heldAt } from "~/outbox/retry";
import { baseTime, makeSong, makeUser } from "../../support/database/factories";
import { change } from "../../support/database/rows";
import { shows } from "../../support/expectations";
import { addressOf, consume, mailsTo, oweRating } from "../../support/mails";

const minute = 60_000;
const waitMs = 5 * minute;

async function rate(song: Parameters<typeof oweRating>[0], at: number, notBefore = heldAt) {
  const id = await oweRating(song, { at, notBefore });
  await change("outbox", { id }, { createdAt: at });
  return id;
}

/** The number of ratings that a mail's subject counts: "3 of 5". */
function counted(subject: string): number {
  if (subject.includes("All five ratings are in")) return 5;
  return Number(/\((\d) of 5\)/.exec(subject)?.[1]);
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
    const ids = new Map<number, string>();
    const said: number[] = [];
    for (const at of [...times, ...times.map((time) => time + waitMs)].sort((a, b) => a - b)) {
      const due = ids.get(at - waitMs);
      if (due === undefined) {
        ids.set(at, await rate(song, at, at + waitMs));
        continue;
      }
      await consume([due], { now: () => at });
      for (const { subject, text } of (await mailsTo(addressOf(owner))).slice(said.length)) {
        const count = counted(subject);
        said.push(count);
        expect(count).toBeLessThanOrEqual(times.filter((time) => isSettled(time, at)).length);
        if (count !== 5) shows(text, `${count} of 5 ratings received`);
      }
    }
    expect(said).toEqual(told);
  },
);

test("a mail about a complete submission counts none that came after, which have the next one", async () => {
  const owner = await makeUser({ tier: "premium" });
  const song = await makeSong(owner, { title: "Harbour", submittedAt: [baseTime, baseTime + 1] });
  const at = (minutes: number) => baseTime + minutes * minute;
  const release = (notBefore: number) => change("outbox", { notBefore: heldAt }, { notBefore });
  const held: string[] = [];
  for (const minutes of [10, 20, 30, 40]) held.push(await rate(song, at(minutes)));
  const fifth = await rate(song, at(50), at(55));
  await release(at(55));
  for (const minutes of [51, 52, 53, 54]) await rate(song, at(minutes));
  const tenth = await rate(song, at(54.5), at(59.5));
  await consume([fifth, ...held], { now: () => at(55) });
  await release(at(59));
  await consume([tenth], { now: () => at(59.5) });
  expect(await mailsTo(addressOf(owner))).toMatchObject([
    {
      subject: "Five ratings are in: “Harbour”",
      text: expect.stringContaining(" of 5 liked it"),
    },
    {
      subject: "All ten ratings are in: “Harbour”",
      text: expect.stringContaining(" of 10 liked it"),
    },
  ]);
});
