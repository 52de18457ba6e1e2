/** Reports of songs, of which the operator gets one mail a song. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { mailReports } from "~/operator/report-mail.server";
import { MailError } from "~/outbox/mailer";
import { readConfig } from "~/platform/env";
import { countingDatabase } from "../../support/database/counting-database";
import { insert } from "../../support/database/factories";
import { change, db, row, rows } from "../../support/database/rows";
import { stubMailer } from "../../support/mails";
import { type Cast, someone, song } from "../../support/people";

const config = readConfig(env);
const now = Date.now();

async function report(it: Cast<typeof song>, words: string) {
  const user = await someone({ offered: [it] });
  const answer = await user.posts(`/songs/${it.id}/pass`, { reason: "report", words });
  expect(answer.status).toBe(303);
  return user;
}

async function sweep(mailer = stubMailer()) {
  await mailReports({ db, mailer, config, now });
  return mailer.sent.map(({ mail, key }) => ({ ...mail, key }));
}

test("the operator is mailed once a song, with the reporter's words and without the reporter", async () => {
  const [it, other] = [await song(), await song()];
  const user = await report(it, "Nothing but <b>silence</b>");
  await report(it, "Silence");
  await report(other, "No music");
  const mails = await sweep();
  const to = config.contactEmail;
  expect(mails).toMatchObject([{ to, subject: expect.stringContaining(it.title) }, { to }]);
  expect(JSON.stringify(mails)).not.toContain(user.id);
  expect(JSON.stringify(mails)).not.toContain(user.displayName);
  expect(await sweep()).toEqual([]);
  await report(it, "Still silence");
  expect(await sweep()).toEqual([]);
  expect((await rows("reports")).filter(({ mailedAt }) => mailedAt)).toHaveLength(4);
});

test("of an operator's song the mail does not have the words, which could tell who reported it", async () => {
  const it = await song();
  const [spotifyId = ""] = config.operators;
  await change("users", { id: it.ownerId }, { spotifyId });
  await report(it, "I told you so, Otto");
  const [mail] = await sweep();
  expect(mail?.text).toContain("only on the page of the other operators");
  expect(`${mail?.html}${mail?.text}`).not.toContain("told you so");
});

test("words that a mail client could make a link of are left out, and kept", async () => {
  await report(await song(), "See evil.example/login");
  const [mail] = await sweep();
  expect(mail?.text).toContain("may contain a link");
  expect(`${mail?.html}${mail?.text}`).not.toContain("evil");
  expect(await row("reports")).toMatchObject({ words: "See evil.example/login" });
});

test("of reports at the same time the mail has the words of one, the same at each try", async () => {
  const song_id = (await song()).id;
  for (const id of ["second", "first"]) {
    const words = `The ${id} words`;
    await insert("reports", { id, song_id, words, created_at: 1 }).run();
  }
  const [mail] = await sweep();
  expect([mail?.key, mail?.text]).toEqual([
    "report:first",
    expect.stringContaining("The first words"),
  ]);
});

test("a mail that fails goes out with the next run, under the same key", async () => {
  await report(await song(), "Silence");
  const mailer = stubMailer(new MailError("failed", "500"));
  const [failed, again] = [...(await sweep(mailer)), ...(await sweep())];
  expect(again).toEqual(failed);
  expect(await sweep()).toEqual([]);
});

test("whoever leaves is no longer named, and the report stays", async () => {
  await (await report(await song(), "Silence")).leaves();
  expect(await row("reports")).toMatchObject({ words: "Silence", reporterId: null });
});

test("the look for reports scans no table", async () => {
  await report(await song(), "Silence");
  const counting = countingDatabase(env.DB);
  await mailReports({ db: createDatabase(counting.binding), mailer: stubMailer(), config, now });
  expect(counting.roundTrips()).toBe(2);
  for (const { sql, params } of counting.statements) {
    const plan = env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...params);
    const { results } = await plan.all<{ detail: string }>();
    // The partial index that it may walk whole holds only what is to be mailed.
    const scans = results.filter(({ detail }) =>
      /^SCAN (?!.*(reports|notices)_unmailed)/.test(detail),
    );
    expect({ sql, scans }).toEqual({ sql, scans: [] });
  }
});
