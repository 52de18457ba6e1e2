/** Anybody can say that something may not be here (rule 49, notices). */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { purgeExpired } from "~/account/purge.server";
import { retentionDays } from "~/db/periods";
import { maxNoticesPerDay, maxOpenNotices } from "~/db/rules";
import { addressFingerprint } from "~/mailing/suppression.server";
import { mailReports } from "~/operator/report-mail.server";
import { dayMs } from "~/platform/dates";
import { readConfig } from "~/platform/env";
import { shareSong } from "../../support/actions/world";
import { passTime } from "../../support/clock";
import { insert, unique } from "../../support/database/factories";
import { change, db, type RowOf, row, rows, untouched } from "../../support/database/rows";
import { answers, hides, shows, stored } from "../../support/expectations";
import { deliverAll, mailsTo, mailTo, stubMailer } from "../../support/mails";
import { makeOperator, report, seen } from "../../support/operator";
import { someone, song } from "../../support/people";
import { makeSongWithFile } from "../../support/recordings/own-song";
import { request } from "../../support/request";

const config = readConfig(env);
const words = "This is my song. See evil.example/login";
const time = expect.any(Number);

function noticeOf(changes: Record<string, string> = {}): Record<string, string> {
  const address = `${unique("rights")}@mail.example`;
  return { location: "Some song", words, name: "Rita Rights", address, faith: "on", ...changes };
}

const files = (form: Record<string, string>) => request("/notice", { form });

/** A notice that was taken. */
async function filed(changes: Record<string, string> = {}): Promise<RowOf<"notices">> {
  const form = noticeOf(changes);
  const before = (await rows("notices")).map(({ id }) => id);
  await answers(files(form), 303);
  const [made] = (await rows("notices")).filter(({ id }) => !before.includes(id));
  if (!made) throw new Error("no notice was kept");
  return made;
}

/** A song whose result is shared, and a notice about that page. */
async function reportedPage(options: Parameters<typeof song>[0] = {}) {
  const it = await song(options);
  const token = await shareSong(it);
  return { it, token, notice: await filed({ location: `${env.APP_ORIGIN}/r/${token}` }) };
}

async function mailsAfterwards(address: string) {
  await deliverAll();
  return mailsTo(address);
}

test("the page is linked where somebody may look for it, and takes what it is about from the shared page", async () => {
  const token = await shareSong(await song());
  const path = `/notice?at=${encodeURIComponent(`/r/${token}`)}`;
  for (const page of ["/imprint", `/r/${token}`]) {
    shows(await (await request(page)).text(), 'href="/notice"');
  }
  shows(await (await request(`/r/${token}`)).text(), `href="${path}"`);
  shows(await (await request(path)).text(), `value="/r/${token}"`, 'action="/notice"');
});

test("a notice is kept, receipted at once without a word of it, and followed by a page that says what comes", async () => {
  const form = noticeOf();
  const answer = await answers(files(form), 303);
  expect(answer.headers.get("Location")).toBe("/notice?sent");
  shows(await (await request("/notice?sent")).text(), "We have your report", "5 days");
  const { faith: _faith, address, ...kept } = form;
  await stored("notices", { ...kept, address, songId: null, decidedAt: null });
  const { id } = await row("notices");
  const [mail] = await mailsAfterwards(address ?? "");
  expect(mail?.subject).toBe(`We have your report, number ${id.slice(0, 8).toUpperCase()}`);
  shows(mail?.text, "we have decided, and why", "By ");
  hides(`${mail?.html}${mail?.text}`, "evil", "Rita", "Some song");
  expect(mail?.headers).toMatchObject({
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
});

test.each<[Record<string, string>, says: string]>([
  [{ location: " " }, "Say what this is about."],
  [{ location: "x".repeat(301) }, "Use at most 300 characters."],
  [{ words: "\u200b" }, "Say what is wrong with it."],
  [{ words: "x".repeat(2001) }, "Use at most 2000 characters."],
  [{ name: "x".repeat(101) }, "Use at most 100 characters."],
  [{ address: "nobody" }, "This does not look like an e-mail address."],
  [{ faith: "" }, "Tick this to send it."],
])("with %j it is refused in kind words, and what was typed stays", async (changes, says) => {
  await untouched(async () => {
    const kept = { location: "Kept place", words: "Kept words", name: "Kept name" };
    const page = await answers(files(noticeOf({ ...kept, ...changes })), 422, says);
    const text = await page.text();
    for (const [field, value] of Object.entries(kept)) if (!(field in changes)) shows(text, value);
  });
});

test("no name is needed", async () => {
  expect(await filed({ name: "" })).toMatchObject({ name: "" });
});

test("a press that comes twice, at once or later, keeps one notice and mails one receipt", async () => {
  const form = noticeOf();
  const presses = await Promise.all([files(form), files(form)]);
  expect(presses.map(({ status }) => status)).toEqual([303, 303]);
  await answers(files({ ...form, address: form.address?.toUpperCase() ?? "" }), 303);
  await row("notices");
  expect(await mailsAfterwards(form.address ?? "")).toHaveLength(1);
});

test("one mailbox gets a few receipts a day, however its address is written", async () => {
  const box = unique("box");
  const send = (n: number) =>
    files(noticeOf({ location: `${n}`, address: `${box}+${n}@mail.example` }));
  for (let n = 0; n < maxNoticesPerDay; n += 1) await answers(send(n), 303);
  await untouched(() => answers(send(9), 429, config.contactEmail));
  const direct = insert("notices", {
    ...{ id: "more", location: "x", words: "x", name: "", created_at: Date.now() },
    address: `${box}@mail.example`,
  });
  await expect(direct.run()).rejects.toThrow("three notices within 24 hours");
  passTime(dayMs + 1);
  await answers(send(9), 303);
});

test("once too many wait, the page names the address to write to, until one is decided", async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO notices (id, location, words, name, address, created_at)
      SELECT i, 'x', 'x', '', i || '@mail.example', 1 FROM n`,
  )
    .bind(maxOpenNotices)
    .run();
  await untouched(() => answers(files(noticeOf()), 503, config.contactEmail, words));
  await change("notices", { id: "7" }, { decidedAt: 2, decisionId: "line" });
  await answers(files(noticeOf()), 303);
});

test.each([
  ["bounced", 0],
  ["complained", 0],
  ["notices", 0],
  ["rating", 1],
] as const)("where mails have ended as %s, %i is sent", async (topic, sent) => {
  const form = noticeOf();
  const fingerprint = await addressFingerprint(config.sessionSecret, form.address ?? "");
  const bounced = topic === "bounced" ? { bounced_at: 1 } : {};
  await insert("mail_suppressions", { fingerprint, topic, ...bounced }).run();
  await answers(files(form), 303);
  expect(await mailsAfterwards(form.address ?? "")).toHaveLength(sent);
});

test("the song that is meant is found by shared page, id, track, or title and artist, and by nothing else", async () => {
  const it = await song({ title: "Midnight Ferry", artists: ["The Lanterns", "Ada"] });
  const token = await shareSong(it);
  const trackId = "trackId" in it ? it.trackId : "";
  const found = [
    ...[`/r/${token}`, `https://open.spotify.com/track/${trackId}?si=1`],
    ...["“midnight ferry” by The Lanterns", "ada - Midnight Ferry"],
  ];
  for (const location of found) {
    expect([location, (await filed({ location })).songId]).toEqual([location, it.id]);
  }
  for (const location of [
    "Midnight Ferry",
    "Midnight Ferry by Somebody",
    "/r/none",
    "The Lanterns",
  ]) {
    expect([location, (await filed({ location })).songId]).toEqual([location, null]);
  }
  const plan = await env.DB.prepare(
    "EXPLAIN QUERY PLAN SELECT id FROM songs WHERE title COLLATE NOCASE IN (SELECT value FROM json_each('[]'))",
  ).all<{ detail: string }>();
  shows(JSON.stringify(plan.results), "songs_by_title");
});

test("the operator has one list of reports and notices, the oldest first, with all that was said", async () => {
  const [older, younger] = [await song({ title: "Older" }), await song({ title: "Younger" })];
  await report(older, { at: Date.now() - 3_000_000 });
  await report(younger, { at: Date.now() - 1_000_000 });
  const { id } = await filed({ location: "<i>Elsewhere</i>" });
  await change("notices", { id }, { createdAt: Date.now() - 2_000_000 });
  const text = await (await makeOperator()).page();
  shows(
    text,
    "3 decisions to make",
    `Notice ${id.slice(0, 8).toUpperCase()} of`,
    "to be answered by",
  );
  shows(text, "&lt;i&gt;Elsewhere&lt;/i&gt;", "Rita Rights", "rights", "evil.example/login");
  const cards = ["Older", "Elsewhere", "Younger"].map((one) => text.indexOf(`${one}`));
  expect(cards).toEqual(cards.toSorted((a, b) => a - b));
});

test.each([
  ["dismiss_notice", "We have changed nothing", "dismissed the notice"],
  ["uphold_notice", "We have acted on your report", "upheld the notice"],
])(
  "%s is answered once by mail, with the reason and what one can do against it",
  async (deed, title, logged) => {
    const { id, address } = await filed();
    const { act, follow, page, spotifyId } = await makeOperator();
    const form = { do: deed, notice: id, reason: "It is <as it is>." };
    const answer = await answers(act(form), 303);
    shows(await follow(answer), "Who sent it gets your reason by mail.", "Nothing waits");
    await answers(act(form), 303);
    await stored("operatorLog", { operator: spotifyId, action: deed, target: id, userId: null });
    await stored("notices", { id, decidedAt: time, decisionId: expect.any(String) });
    shows(await page(), logged);
    const mails = await mailsAfterwards(address);
    expect(mails).toHaveLength(2);
    const mail = mails.find(({ subject }) => subject.startsWith(title));
    shows(mail?.text, "It is <as it is>.", "answer this e-mail", "dispute settlement", "court");
    hides(`${mail?.html}${mail?.text}`, "evil", "Rita");
    await answers(act({ ...form, reason: "Another." }), 409);
  },
);

test("a decision about a notice needs a reason, and a notice", async () => {
  const { id } = await filed();
  const { act } = await makeOperator();
  await untouched(async () => {
    await answers(act({ do: "dismiss_notice", notice: id, reason: " " }), 422);
    await answers(act({ do: "dismiss_notice", notice: "none", reason: "None." }), 409);
  });
});

test("a notice about a song is under it, and one decision answers it, each member who reported, and the owner", async () => {
  const owner = { ownEmail: `${unique("owner")}@mail.example`, displayName: "Olga Owner" };
  const { it, token, notice } = await reportedPage({ owner });
  const ownEmail = `${unique("reporter")}@mail.example`;
  await report(it, { ownEmail });
  const gone = await report(it);
  await (await someone({ user: gone })).leaves();
  const { page, decides, act } = await makeOperator();
  const card = (await page()).split(`id="song-${it.id}"`)[1]?.split("</article>")[0];
  shows(card, "Reported 2 times", notice.address, `href="/r/${token}"`, 'value="take_out"');
  await answers(act({ do: "dismiss_notice", notice: notice.id, reason: "By itself." }), 409);

  await decides(it, "take_out", "It is not theirs.");
  const closed = (await rows("reports")).map((one) => [one.closedAt, one.reporterId]);
  expect(closed).toEqual([
    [time, null],
    [time, null],
  ]);
  await stored("notices", { decidedAt: time });
  await answers(request(`/r/${token}`), 404);
  await deliverAll();
  const told = await mailTo(ownEmail);
  expect(told.subject).toBe(`We have acted on your report: “${it.title}”`);
  const answered = (await mailsTo(notice.address)).find(({ subject }) => subject.includes("acted"));
  for (const mail of [told, answered]) {
    shows(mail?.text, "It is not theirs.", "offered to nobody", "dispute settlement");
    hides(`${mail?.html}${mail?.text}`, "Olga", it.ownerId);
  }
  hides(answered?.text, it.title);
  shows(
    (await mailTo(owner.ownEmail)).text,
    "This rests on our terms. Somebody had reported it to us. A person has decided it",
    "dispute settlement",
  );
});

test("a dismissed song's owner hears nothing, and who reported it does, whatever they have switched off", async () => {
  const it = await song();
  const ownEmail = `${unique("reporter")}@mail.example`;
  const reporter = await report(it, { ownEmail });
  const off = { receive_rating_emails: 0, receive_subscription_emails: 0, updated_at: 1 };
  await insert("email_preferences", { user_id: reporter.id, ...off }).run();
  const { decides, look } = await makeOperator();
  await decides(it, "dismiss", "It is music.");
  await stored("outbox", { userId: reporter.id, kind: "report_decision" });
  await deliverAll();
  const mail = await mailTo(ownEmail);
  expect(mail.subject).toBe(`We have changed nothing: “${it.title}”`);
  shows(mail.text, "It is music.", "it may stay");
  // Operators have songs too, and do not learn who reports.
  hides(await look(reporter.id), "report_decision");
});

test("what was reported after the operator's page was made stays open", async () => {
  const { it } = await reportedPage();
  const { page, act } = await makeOperator();
  const form = { ...seen(await page(), it.id), do: "dismiss", reason: "It is music." };
  passTime(5000);
  const later = await filed({ location: `${it.title} by ${it.artists[0]}` });
  expect(later.songId).toBe(it.id);
  await answers(act(form), 303);
  expect(await rows("notices", { decidedAt: null })).toMatchObject([{ id: later.id }]);
});

test("the ground of a decision is what the operator has ticked; nothing is said of a report where there was none", async () => {
  const owner = { ownEmail: `${unique("owner")}@mail.example` };
  const it = await song({ owner });
  await change("songs", {}, { restingSince: Date.now() - 1000 });
  const { page, act } = await makeOperator();
  const form = {
    ...seen(await page(), it.id),
    do: "take_out",
    reason: "It is hateful.",
    ground: "law",
  };
  await answers(act(form), 303);
  const [mail] = await mailsAfterwards(owner.ownEmail);
  shows(mail?.text, "This rests on the law. A person has decided it");
});

test("operators neither read nor decide a notice about a song of their own", async () => {
  const { user, page, act } = await makeOperator();
  const it = await song({ owner: { user } });
  await filed({ location: `/r/${await shareSong(it)}` });
  hides(await page(), "evil.example", "Rita");
  const form = {
    do: "dismiss",
    song: it.id,
    seenAt: `${Date.now()}`,
    decidedAt: "",
    reason: "Mine.",
  };
  await untouched(() => answers(act(form), 403));
});

test("a song that was taken out is not shared again", async () => {
  const { it } = await reportedPage();
  await (await makeOperator()).decides(it, "take_out");
  await answers(it.owner.sends(`/songs/${it.id}/share`), 409, "cannot be shared");
});

test("the operator hears a recording that only a notice is about", async () => {
  const it = await makeSongWithFile(await someone());
  await filed({ location: `/r/${await shareSong(it)}` });
  await answers((await makeOperator()).ask(`/songs/${it.id}/audio`), 200);
});

test("a notice outlives the song and its owner, and is decided by itself then", async () => {
  const { it, notice } = await reportedPage();
  await it.owner.leaves();
  await stored("notices", { songId: null, decidedAt: null });
  const { act } = await makeOperator();
  await answers(act({ do: "uphold_notice", notice: notice.id, reason: "It is gone." }), 303);
});

test("the operator is mailed once about each notice, without a word of it", async () => {
  const { id } = await filed();
  const mailer = stubMailer();
  const run = () => mailReports({ db, mailer, config, now: Date.now() });
  expect([await run(), await run()]).toEqual([{ mails: 1 }, { mails: 0 }]);
  const [sent] = mailer.sent;
  expect(sent).toMatchObject({ key: `notice:${id}`, mail: { to: config.contactEmail } });
  shows(sent?.mail.text, "/operator", id.slice(0, 8).toUpperCase());
  hides(JSON.stringify(sent?.mail), "evil", "Rita", "rights");
});

test("a notice is deleted half a year after its decision, and an open one never", async () => {
  const now = Date.now();
  const old = { createdAt: 1, decisionId: "line" };
  const limit = now - retentionDays.notices * dayMs;
  const [open, younger, older] = [await filed(), await filed(), await filed()];
  await change("notices", { id: open.id }, { createdAt: 1 });
  await change("notices", { id: younger.id }, { ...old, decidedAt: limit });
  await change("notices", { id: older.id }, { ...old, decidedAt: limit - 1 });
  expect(await purgeExpired(db, now)).toMatchObject({ notices: 1 });
  expect((await rows("notices")).map(({ id }) => id).sort()).toEqual([open.id, younger.id].sort());
});
