import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { trackOf } from "../../support/catalogue";
import {
  baseTime,
  freePrice,
  insert,
  makeListen,
  makeSong,
  makeUser,
  unique,
} from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { row } from "../../support/database/rows";
import { hides, shows, stored } from "../../support/expectations";
import { failingDatabase } from "../../support/faults/failing-database";
import {
  addressOf,
  askToConfirm,
  consume,
  deliver,
  delivers,
  failMails,
  letTimePass,
  mailsTo,
  mailTo,
  owe,
  oweRating,
  oweSubmission,
} from "../../support/mails";
import { someone, song } from "../../support/people";

const minute = 60_000;

async function stateOf(id: string): Promise<string> {
  const { state, fault } = await row("outbox", { id });
  return fault ?? state;
}

test("a rating owes a mail, which waits for more ratings and is sent once", async () => {
  const it = await song({ title: "Night Bus", received: 2, owner: { displayName: "Ada" } });
  const startedAt = Date.now() - 60 * minute;
  const rater = await someone({ displayName: "A rater with a name" });
  await makeListen(rater, it, { startedAt, finishedAt: startedAt + minute });
  await rater.sends(`/songs/${it.id}/rating`, { score: 3 });

  const { id, createdAt, notBefore, ...owed } = await row("outbox");
  expect(owed).toMatchObject({ userId: it.ownerId, kind: "rating", state: "pending", attempts: 0 });
  expect(notBefore).toBe(createdAt + 5000);
  const to = addressOf(it.owner);
  expect(await consume([id], { now: () => notBefore - 1 })).toEqual([1]);
  expect(await mailsTo(to)).toEqual([]);

  expect(await consume([id], { now: () => notBefore })).toEqual(["done"]);
  const mail = await mailTo(to);
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
    for (const body of [mail.html, mail.text]) shows(body, told);
  }
  hides(JSON.stringify(mail), rater.displayName);
  shows(mail.text, mail.headers["List-Unsubscribe"]?.slice(1, -1) ?? "no link");

  await stored("outbox", {
    ...{ state: "sent", sentAt: notBefore, mailId: id },
    ...{ to: null, bcc: null, subject: null, html: null, text: null, fault: null },
  });
});

test("a submission owes a mail, which is due at once", async () => {
  const owner = await someone({ credits: freePrice, musician: "ysolde-perrin" });
  const { trackId, title } = trackOf("ysolde-perrin", 3);
  await owner.sends("/submissions", { trackId });
  const { id, kind, createdAt, notBefore } = await row("outbox");
  expect([kind, notBefore]).toEqual(["submission", createdAt]);
  expect(await consume([id], { now: () => notBefore })).toEqual(["done"]);
  const mail = await mailTo(addressOf(owner));
  shows(mail.subject, "Your song was submitted");
  shows(mail.text, title, "5 ratings");
});

test("the queue hands a mail to the consumer", async () => {
  const user = await makeUser();
  const id = await owe(user.id, "premium_ended");
  await env.DELIVERING_QUEUE.send({ outboxId: id });
  await expect.poll(() => stateOf(id), { timeout: 60_000 }).toBe("sent");
  await mailTo(addressOf(user));
});

/** Two mails about a song, and two about the subscription. */
async function eachKind(user: { id: string; displayName: string }) {
  const it = await makeSong(user);
  return [
    await oweRating(it),
    await oweSubmission(it),
    await owe(user.id, "premium_ended"),
    await owe(user.id, "premium_ended"),
  ];
}

test("the configured operator gets a copy of the mails about songs, and of no others", async () => {
  const user = await makeUser();
  const MAIL_BCC = `${unique("copies")}@elsewhere.example`;
  const ids = await eachKind(user);
  ids.push(await askToConfirm(user.id, `${unique("someone")}@elsewhere.example`));
  for (const [n, id] of ids.entries()) {
    expect(await deliver([id], { MAIL_BCC })).toEqual(["done"]);
    expect(await stateOf(id)).toBe("sent");
    if (n > 3) continue;
    const mail = (await mailsTo(addressOf(user))).at(-1);
    expect(mail?.bcc).toEqual(n < 2 ? [MAIL_BCC] : []);
  }
  expect(await mailsTo(MAIL_BCC)).toHaveLength(2);
});

/** Switches mails off. */
async function switchOff({ id }: { id: string }, topic: "rating" | "subscription") {
  const preferences = { user_id: id, updated_at: baseTime, [`receive_${topic}_emails`]: 0 };
  await insert("email_preferences", preferences).run();
}

test.each([
  { topic: "rating", told: ["unwanted", "unwanted", "sent", "sent"] },
  { topic: "subscription", told: ["sent", "sent", "unwanted", "unwanted"] },
] as const)(
  "if $topic mails have been switched off since, only those are skipped",
  async ({ topic, told }) => {
    const user = await makeUser();
    const ids = await eachKind(user);
    await switchOff(user, topic);
    await delivers(...ids);
    expect(await Promise.all(ids.map(stateOf))).toEqual(told);
    expect(await mailsTo(addressOf(user))).toHaveLength(2);
  },
);

test("if mails are switched on, all are sent, whatever another user wants", async () => {
  const [user, other] = [
    await makeUser({ receiveRatingEmails: true }),
    await makeUser({ receiveRatingEmails: false }),
  ];
  const ids = [...(await eachKind(user)), await oweRating(await makeSong(other))];
  await deliver(ids);
  const told = [...Array(4).fill("sent"), "unwanted"];
  expect(await Promise.all(ids.map(stateOf))).toEqual(told);
});

test("if mails are switched off between two attempts, there is no second attempt", async () => {
  const user = await makeUser();
  const id = await oweRating(await makeSong(user));
  await failMails(addressOf(user), { status: 500 });
  await deliver([id]);
  await switchOff(user, "rating");
  await letTimePass();
  await delivers(id);
  await stored("outbox", { state: "skipped", to: null, html: null });
  expect(await mailsTo(addressOf(user))).toEqual([]);
});

test("if the preferences cannot be read, the mail is sent", async () => {
  const user = await makeUser({ receiveRatingEmails: false });
  const id = await oweRating(await makeSong(user));
  const DB = failingDatabase(env.DB, (sql) =>
    sql.includes("email_preferences") && !sql.includes(";") ? "refused" : "fine",
  );
  expect(await deliver([id], { DB })).toEqual(["done"]);
  await mailTo(addressOf(user));
});

test("a mail about something that no longer exists is skipped", async () => {
  exemptFromInvariants("a mail about a rating or a submission has that rating or submission");
  const user = await makeUser();
  const ids = [await owe(user.id, "rating"), await owe(user.id, "submission")];
  await delivers(...ids);
  expect(await Promise.all(ids.map(stateOf))).toEqual(["gone", "gone"]);
});
