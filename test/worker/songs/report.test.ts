/** Reports of songs, of which the operator gets one mail a song. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { mailReports } from "~/operator/report-mail.server";
import { MailError } from "~/outbox/mailer";
import { readConfig } from "~/platform/env";
import { rowsOf } from "../../support/database/contents";
import { countingDatabase } from "../../support/database/counting-database";
import {
  insert,
  makePackage,
  makeSong,
  makeUser,
  type TestSong,
} from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { stubMailer } from "../../support/mails";
import { request } from "../../support/request";

const config = readConfig(env);
const now = Date.now();

async function report(song: TestSong, words: string) {
  const user = await makeUser();
  await makePackage(user, [song]);
  const { cookie } = await makeSession(user);
  const form = { reason: "report", words };
  expect((await request(`/songs/${song.id}/pass`, { cookie, form })).status).toBe(303);
  return { user, cookie };
}

async function sweep(mailer = stubMailer()) {
  await mailReports({ db: createDatabase(env.DB), mailer, config, now });
  return mailer.sent.map(({ mail, key }) => ({ ...mail, key }));
}

test("the operator is mailed once a song, with the reporter's words and without the reporter", async () => {
  const [song, other] = [await makeSong(await makeUser()), await makeSong(await makeUser())];
  const { user } = await report(song, "Nothing but <b>silence</b>");
  await report(song, "Silence");
  await report(other, "No music");
  const mails = await sweep();
  expect(mails.map(({ to }) => to)).toEqual([config.contactEmail, config.contactEmail]);
  const [first] = mails;
  expect(first?.subject).toContain(song.title);
  expect(JSON.stringify(mails)).not.toContain(user.id);
  expect(JSON.stringify(mails)).not.toContain(user.displayName);
  expect(await sweep()).toEqual([]);
  await report(song, "Still silence");
  expect(await sweep()).toEqual([]);
  expect(await rowsOf("SELECT 1 FROM reports WHERE mailed_at IS NOT NULL")).toHaveLength(4);
});

test("of an operator's song the mail does not have the words, which could tell who reported it", async () => {
  const owner = await makeUser();
  const [operator = ""] = config.operators;
  await env.DB.prepare("UPDATE users SET spotify_id = ? WHERE id = ?")
    .bind(operator, owner.id)
    .run();
  await report(await makeSong(owner), "I told you so, Otto");
  const [mail] = await sweep();
  expect(mail?.text).toContain("only on the page of the other operators");
  expect(`${mail?.html}${mail?.text}`).not.toContain("told you so");
});

test("words that a mail client could make a link of are left out, and kept", async () => {
  const song = await makeSong(await makeUser());
  await report(song, "See evil.example/login");
  const [mail] = await sweep();
  expect(mail?.text).toContain("may contain a link");
  expect(`${mail?.html}${mail?.text}`).not.toContain("evil");
  expect(await rowsOf("SELECT words FROM reports")).toEqual([{ words: "See evil.example/login" }]);
});

test("of reports at the same time the mail has the words of one, the same at each try", async () => {
  const song = await makeSong(await makeUser());
  for (const id of ["second", "first"]) {
    await insert("reports", {
      id,
      song_id: song.id,
      words: `The ${id} words`,
      created_at: 1,
    }).run();
  }
  const [mail] = await sweep();
  expect([mail?.key, mail?.text]).toEqual([
    "report:first",
    expect.stringContaining("The first words"),
  ]);
});

test("a mail that fails goes out with the next run, under the same key", async () => {
  await report(await makeSong(await makeUser()), "Silence");
  const mailer = stubMailer(new MailError("failed", "500"));
  const [failed, again] = [...(await sweep(mailer)), ...(await sweep())];
  expect(again).toEqual(failed);
  expect(await sweep()).toEqual([]);
});

test("whoever leaves is no longer named, and the report stays", async () => {
  const { cookie } = await report(await makeSong(await makeUser()), "Silence");
  expect((await request("/account/delete", { cookie, json: {} })).status).toBe(200);
  expect(await rowsOf("SELECT words, reporter_id FROM reports")).toEqual([
    { words: "Silence", reporter_id: null },
  ]);
});

test("the look for reports scans no table", async () => {
  await report(await makeSong(await makeUser()), "Silence");
  const counting = countingDatabase(env.DB);
  await mailReports({ db: createDatabase(counting.binding), mailer: stubMailer(), config, now });
  expect(counting.roundTrips()).toBe(2);
  for (const { sql, params } of counting.statements) {
    const plan = env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...params);
    const { results } = await plan.all<{ detail: string }>();
    // The partial index that it may walk whole holds only what is to be mailed.
    const scans = results.filter(({ detail }) => /^SCAN (?!.*reports_unmailed)/.test(detail));
    expect({ sql, scans }).toEqual({ sql, scans: [] });
  }
});
