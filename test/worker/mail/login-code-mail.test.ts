/** The mail with a login's code: sent at once, never stored, never late. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { codeMs } from "~/login/login-code";
import { codeOf } from "~/login/login-code.server";
import { addressFingerprint } from "~/mailing/suppression.server";
import { MailError } from "~/outbox/mailer";
import { readConfig } from "~/platform/env";
import { passTime } from "../../support/clock";
import { contents } from "../../support/database/contents";
import { insert, makeSong, makeUser } from "../../support/database/factories";
import { row, rows } from "../../support/database/rows";
import { answers, hides, shows, stored } from "../../support/expectations";
import {
  consume,
  deliver,
  delivers,
  mailsTo,
  mailTo,
  oweRating,
  stubMailer,
} from "../../support/mails";
import { makeOperator } from "../../support/operator";
import {
  askForCode,
  beginEmailLogin,
  codeFor,
  freeAddress,
  linkFor,
  press,
} from "../session/email-login-flow";

const { sessionSecret } = readConfig(env);

/** Asks for a code. @returns the id of the row that owes its mail. */
async function oweCode(address: string): Promise<string> {
  await beginEmailLogin(address);
  return (await rows("outbox")).at(-1)?.id ?? "";
}

test("the mail with a code goes out at once, with code and link, to known and unknown addresses alike", async () => {
  const known = freeAddress();
  await makeUser({ ownEmail: known, displayName: "Ada Quist" });
  const texts = [];
  for (const address of [known, freeAddress()]) {
    await delivers(await oweCode(address));
    const { subject, bcc, headers, html, text } = await mailTo(address);
    const [code, link] = [await codeFor(address), await linkFor(address)];
    expect([subject, bcc]).toEqual([`${code} is your code for Fivefold`, []]);
    shows(text, code, `${env.APP_ORIGIN}${link}`);
    // The preview, which mail clients show beside the subject.
    shows(html, new RegExp(`<body[^>]*>\\s*<div[^>]*>${code} is your code\\. It works`));
    expect(headers).not.toHaveProperty("List-Unsubscribe");
    hides(html + text, /Ada Quist|unsubscribe/i);
    texts.push(text.replaceAll(code, "code").replaceAll(link, "link"));
  }
  expect(texts[0]).toBe(texts[1]);
});

test("the words of a mail with a code are in the database at no time, also while it is tried again", async () => {
  const address = freeAddress();
  const id = await oweCode(address);
  const code = await codeFor(address);
  const mailer = stubMailer(new MailError("failed", "500"), new MailError("failed", "500"));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await consume([id], { mailer });
    const kept = JSON.stringify(await contents());
    expect([kept.includes(code), kept.includes("is your code")]).toEqual([false, false]);
    passTime(3 * 60_000);
  }
  const [first, ...others] = mailer.sent;
  expect(others).toEqual([first, first]);
  await stored("outbox", { state: "sent", fault: null, attempts: 3 });
});

test("the database refuses to keep the words of a mail with a code", async () => {
  const id = await oweCode(freeAddress());
  for (const column of ["subject", "html", "text"]) {
    const keep = env.DB.prepare(`UPDATE outbox SET ${column} = '123456' WHERE id = ?`).bind(id);
    await expect(keep.run()).rejects.toThrow("outbox_secret");
  }
  const give = env.DB.prepare("UPDATE outbox SET user_id = ?").bind((await makeUser()).id);
  await expect(give.run()).rejects.toThrow("outbox_user_known");
});

test("a mail with a code is not sent late, nor once a newer one was asked for, nor once it was used", async () => {
  const address = freeAddress();
  await makeUser({ ownEmail: address });
  const replaced = await oweCode(address);
  const used = await oweCode(address);
  await press(await linkFor(address));
  const late = await oweCode(freeAddress());
  passTime(codeMs);
  await delivers(replaced, used, late);
  const skipped = { state: "skipped", fault: "superseded", attempts: 1 };
  expect(await rows("outbox")).toMatchObject([skipped, skipped, skipped]);
  expect(await mailsTo(address)).toEqual([]);
});

test("each code has a mail of its own, beside those of others in the same batch", async () => {
  const addresses = [freeAddress(), freeAddress(), freeAddress()];
  const ids = [];
  for (const address of addresses) ids.push(await oweCode(address));
  const song = await makeSong(await makeUser());
  ids.push(await oweRating(song));
  await delivers(...ids);
  for (const address of addresses) await mailTo(address);
  expect(await rows("outbox")).toMatchObject(ids.map((id) => ({ state: "sent", mailId: id })));
});

test.each(["bounced", "complained"])(
  "an address that %s gets a mail with a code all the same",
  async (topic) => {
    const address = freeAddress();
    const fingerprint = await addressFingerprint(sessionSecret, address);
    const bounced_at = topic === "bounced" ? Date.now() : null;
    await insert("mail_suppressions", { fingerprint, topic, bounced_at }).run();
    await deliver([await oweCode(address)]);
    await mailTo(address);
  },
);

test("a mail with a code that failed is shown to the operator, who names nobody, and can be sent again in time", async () => {
  const address = freeAddress();
  const id = await oweCode(address);
  await consume([id], { mailer: stubMailer(new MailError("refused", "422 invalid")) });
  const owed = await row("outbox");
  expect(owed).toMatchObject({ state: "failed", to: null, text: null });
  const { page, act } = await makeOperator();
  const shown = await page();
  shows(shown, "“login_code” to ", "422 invalid");
  hides(shown, address);
  await answers(act({ do: "send_again", mail: id }), 303);
  await deliver([id]);
  const code = await codeOf(sessionSecret, owed.subjectId);
  shows((await mailTo(address)).subject, code);
});

test("the queue is told at once, and of nothing that was refused", async () => {
  const address = freeAddress();
  for (let n = 0; n < 6; n += 1) await askForCode(address);
  const owed = await rows("outbox");
  expect(owed).toHaveLength(4);
  for (const { notBefore, createdAt } of owed) expect(notBefore).toBe(createdAt);
});
