import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import {
  baseTime,
  freePrice,
  insert,
  makeListen,
  makeSong,
  makeUser,
  type TestUser,
  unique,
} from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { failingDatabase } from "../../support/faults/failing-database";
import { makeMember, makeSession } from "../../support/login";
import {
  addressOf,
  askToConfirm,
  consume,
  deliver,
  failMails,
  letTimePass,
  mailRow,
  mailsTo,
  owe,
  oweRating,
  oweSubmission,
} from "../../support/mails";
import { request } from "../../support/request";

const minute = 60_000;

async function theRow(): Promise<Record<string, unknown>> {
  const [row, ...more] = await rowsOf("SELECT * FROM outbox");
  if (!row || more.length > 0) throw new Error("not one row");
  return row as Record<string, unknown>;
}

function freeAddress(): string {
  return `${unique("someone")}@elsewhere.example`;
}

test("a rating owes a mail, which waits for more ratings and is sent once", async () => {
  const owner = await makeUser({ displayName: "Ada" });
  const song = await makeSong(owner, { title: "Night Bus", received: 2 });
  const rater = await makeUser({ displayName: "A rater with a name" });
  const startedAt = Date.now() - 60 * minute;
  await makeListen(rater, song, { startedAt, finishedAt: startedAt + minute });
  const { cookie } = await makeSession(rater);
  await request(`/songs/${song.id}/rating`, { cookie, json: { score: 3 } });

  const row = await theRow();
  expect(row).toMatchObject({ user_id: owner.id, kind: "rating", state: "pending", attempts: 0 });
  expect(Number(row.not_before)).toBe(Number(row.created_at) + 5000);
  const id = String(row.id);
  const to = addressOf(owner);
  expect(await consume([id], { now: () => Number(row.not_before) - 1 })).toEqual([1]);
  expect(await mailsTo(to)).toEqual([]);

  expect(await consume([id], { now: () => Number(row.not_before) })).toEqual(["done"]);
  const [mail, ...more] = await mailsTo(to);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({
    from: "Fivefold <ratings@fivefold.example>",
    to: [to],
    bcc: [],
    replyTo: ["support@fivefold.example"],
    subject: "New rating (3 of 5) for “Night Bus”",
    headers: {
      "List-Unsubscribe": expect.stringMatching(
        /^<http:\/\/127\.0\.0\.1:8787\/unsubscribe\?token=/,
      ),
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  });
  for (const told of ["Ada", "Night Bus", "Great Song", "3 of 5 ratings received"]) {
    expect(mail?.html).toContain(told);
    expect(mail?.text).toContain(told);
  }
  expect(JSON.stringify(mail)).not.toContain(rater.displayName);
  const link = /<(.*)>/.exec(mail?.headers["List-Unsubscribe"] ?? "")?.[1] ?? "";
  expect(mail?.text).toContain(link);

  expect(await mailRow(id)).toMatchObject({
    state: "sent",
    sent_at: row.not_before,
    mail_id: id,
    ...{ to: null, bcc: null, subject: null, html: null, text: null, fault: null },
  });
});

test("a submission owes a mail, which is due at once", async () => {
  const { user, cookie } = await makeMember({ credits: freePrice, musician: "ysolde-perrin" });
  const { trackId, title } = trackOf("ysolde-perrin", 3);
  await request("/submissions", { cookie, json: { trackId } });
  const { id, kind, created_at, not_before } = await theRow();
  expect([kind, not_before]).toEqual(["submission", created_at]);
  expect(await consume([String(id)], { now: () => Number(not_before) })).toEqual(["done"]);
  const [mail, ...more] = await mailsTo(addressOf(user));
  expect(more).toEqual([]);
  expect(mail?.subject).toContain("Your song was submitted");
  expect(mail?.text).toContain(title);
  expect(mail?.text).toContain("5 ratings");
});

test("the queue hands a mail to the consumer", async () => {
  const user = await makeUser();
  const id = await owe(user.id, "premium_ended");
  await env.DELIVERING_QUEUE.send({ outboxId: id });
  await expect.poll(() => mailRow(id), { timeout: 60_000 }).toMatchObject({ state: "sent" });
  expect(await mailsTo(addressOf(user))).toHaveLength(1);
});

test("the configured operator gets a copy of the mails about songs, and of no others", async () => {
  const user = await makeUser();
  const song = await makeSong(user);
  const mails = [
    { id: await oweRating(song), copied: true },
    { id: await oweSubmission(song), copied: true },
    { id: await owe(user.id, "premium_ended"), copied: false },
    { id: await owe(user.id, "premium_ended"), copied: false },
  ];
  const MAIL_BCC = freeAddress();
  for (const { id, copied } of mails) {
    expect(await deliver([id], { MAIL_BCC })).toEqual(["done"]);
    const [mail] = (await mailsTo(addressOf(user))).slice(-1);
    expect(mail?.bcc).toEqual(copied ? [MAIL_BCC] : []);
  }
  expect(await mailsTo(MAIL_BCC)).toHaveLength(2);
  const id = await askToConfirm(user.id, freeAddress());
  await deliver([id], { MAIL_BCC });
  expect(await mailRow(id)).toMatchObject({ state: "sent" });
  expect(await mailsTo(MAIL_BCC)).toHaveLength(2);
});

describe("preferences apply when a mail is sent:", () => {
  const columns = {
    rating: "receive_rating_emails",
    other: "receive_subscription_emails",
  } as const;

  async function setPreference(user: TestUser, topic: keyof typeof columns, wanted: number) {
    const row = { user_id: user.id, updated_at: baseTime, [columns[topic]]: wanted };
    await env.DB.prepare("DELETE FROM email_preferences").run();
    await insert("email_preferences", row).run();
  }

  async function eachKind(user: TestUser) {
    const song = await makeSong(user);
    return [
      await oweRating(song),
      await oweSubmission(song),
      await owe(user.id, "premium_ended"),
      await owe(user.id, "premium_ended"),
    ];
  }

  async function states(ids: string[]): Promise<unknown[]> {
    return (await Promise.all(ids.map(mailRow))).map(({ state, fault }) => fault ?? state);
  }

  test.each([
    { topic: "rating", told: ["unwanted", "unwanted", "sent", "sent"] },
    { topic: "other", told: ["sent", "sent", "unwanted", "unwanted"] },
  ] as const)(
    "if $topic mails have been switched off since, only those are skipped",
    async ({ topic, told }) => {
      const user = await makeUser();
      const ids = await eachKind(user);
      await setPreference(user, topic, 0);
      expect(await deliver(ids)).toEqual(Array(4).fill("done"));
      expect(await states(ids)).toEqual(told);
      expect(await mailsTo(addressOf(user))).toHaveLength(2);
    },
  );

  test("if mails are switched on, all are sent", async () => {
    const user = await makeUser({ receiveRatingEmails: true });
    const ids = await eachKind(user);
    await deliver(ids);
    expect(await states(ids)).toEqual(Array(4).fill("sent"));
  });

  test("if mails are switched off between two attempts, there is no second attempt", async () => {
    const user = await makeUser();
    const id = await oweRating(await makeSong(user));
    await failMails(addressOf(user), { status: 500 });
    await deliver([id]);
    await setPreference(user, "rating", 0);
    await letTimePass();
    expect(await deliver([id])).toEqual(["done"]);
    expect(await mailRow(id)).toMatchObject({ state: "skipped", to: null, html: null });
    expect(await mailsTo(addressOf(user))).toEqual([]);
  });

  test("if they cannot be read, the mail is sent", async () => {
    const user = await makeUser({ receiveRatingEmails: false });
    const id = await oweRating(await makeSong(user));
    const DB = failingDatabase(env.DB, (sql) =>
      sql.includes("email_preferences") && !sql.includes(";") ? "refused" : "fine",
    );
    expect(await deliver([id], { DB })).toEqual(["done"]);
    expect(await mailsTo(addressOf(user))).toHaveLength(1);
  });

  test("those of another user do not matter", async () => {
    await makeUser({ receiveRatingEmails: false });
    const user = await makeUser();
    const other = await makeUser({ receiveRatingEmails: false });
    const ids = [await oweRating(await makeSong(user)), await oweRating(await makeSong(other))];
    await deliver(ids);
    expect(await states(ids)).toEqual(["sent", "unwanted"]);
  });
});

test("a mail about something that no longer exists is skipped", async () => {
  exemptFromInvariants("a mail about a rating or a submission has that rating or submission");
  const user = await makeUser();
  const ids = [await owe(user.id, "rating"), await owe(user.id, "submission")];
  expect(await deliver(ids)).toEqual(["done", "done"]);
  for (const id of ids) {
    expect(await mailRow(id)).toMatchObject({ state: "skipped", fault: "gone" });
  }
});
