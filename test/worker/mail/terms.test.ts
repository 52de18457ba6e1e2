/** Rule 51, terms: each member gets one mail about terms that are to hold. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { mailTerms } from "~/mailing/terms-mails.server";
import { makeUser } from "../../support/database/factories";
import { db, rows } from "../../support/database/rows";
import { answers, shows } from "../../support/expectations";
import { noteQueued } from "../../support/mail-queue";
import { addressOf, deliver, mailsTo } from "../../support/mails";
import { request } from "../../support/request";

const day = 24 * 60 * 60 * 1000;

function runs(from: number) {
  const config = { terms: { from, changes: null } };
  return mailTerms({ db, mailQueue: noteQueued(), config, now: Date.now() });
}

test("terms that hold already are mailed to nobody", async () => {
  await makeUser();
  expect(await runs(Date.now())).toEqual({ count: 0 });
});

test("coming terms are mailed once to each member, in portions, and say what changes", async () => {
  const users = await Promise.all(Array.from({ length: 3 }, () => makeUser()));
  const from = Date.parse("2099-01-01");
  expect((await runs(from)).count).toBe(3);
  expect((await runs(from)).count).toBe(0);
  // The next version is another mail.
  expect((await runs(from + day)).count).toBe(3);
  const owed = await rows("outbox", { kind: "terms" });
  const changed = { TERMS_FROM: "2099-01-01", TERMS_CHANGES: "Rounds cost nothing." };
  await deliver(
    owed.filter(({ dedupeKey }) => dedupeKey.includes(String(from))).map(({ id }) => id),
    changed,
  );
  for (const user of users) {
    const [mail, ...more] = await mailsTo(addressOf(user));
    expect(more).toEqual([]);
    shows(mail?.subject, "Our terms change on 1 January 2099");
    shows(mail?.text, "Rounds cost nothing.", "/terms", "cancel your subscription");
    expect(mail?.headers["List-Unsubscribe"]).toBeUndefined();
  }
});

test("the page says from when they hold, and what is new", async () => {
  const coming = { ...env, TERMS_FROM: "2099-01-01", TERMS_CHANGES: "Rounds cost nothing." };
  const text = await (await answers(request("/terms", { bindings: coming }), 200)).text();
  shows(text, "They hold from 1 January 2099.", "What is new: Rounds cost nothing.");
  shows(await (await request("/terms")).text(), "Of 1 November 2026.", "without a reason");
});
