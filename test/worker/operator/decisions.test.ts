import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { deleteAccount } from "~/account/delete.server";
import { createDatabase } from "~/db/client.server";
import { submitSong } from "~/exchange/submission/submit.server";
import { readConfig } from "~/platform/env";
import { isRejection } from "~/platform/rejection";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import {
  freePrice,
  insert,
  makePackage,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
  unique,
} from "../../support/database/factories";
import { findViolations } from "../../support/database/invariants";
import { makeMember, makeViewer } from "../../support/login";
import { deliver, mailsTo } from "../../support/mails";
import { makeOperator, seen } from "../../support/operator";
import { request } from "../../support/request";
import { servicesAt } from "../../support/services";
import { catalogue } from "../../support/spotify/stub";
import { stubBilling } from "../../support/stripe/billing-stub";
import { logIn } from "../session/login-flow";

const track = trackOf("mara-lind", 3);
const { sessionSecret: secret, contactEmail } = readConfig(env);

/** A song that somebody has reported, in these words. */
async function makeReported(words = "It is silence.", owner?: TestUser, about = {}) {
  const its = owner ?? (await makeUser({ ownEmail: `${unique("own")}@mail.example` }));
  const song = await makeSong(its, about);
  const reporter = await makeUser({ displayName: "Rhea Reporter" });
  const row = { id: unique("report"), song_id: song.id, reporter_id: reporter.id, words };
  await insert("reports", { ...row, created_at: Date.now() - 60_000 }).run();
  return { song, reporter };
}

async function songRow({ id }: TestSong) {
  const [row] = (await rowsOf(
    `SELECT taken_out, resting_since IS NOT NULL AS rests, withdrawn, decided_at IS NOT NULL AS decided,
       line_since IS NOT NULL AS in_line FROM songs WHERE id = ?`,
    id,
  )) as Record<string, unknown>[];
  return row;
}

const openReports = "SELECT count(*) AS open FROM reports WHERE closed_at IS NULL";
const lines = "SELECT action, reason FROM operator_log ORDER BY created_at, rowid";
const mails = "SELECT user_id, kind FROM outbox WHERE kind = 'decision' ORDER BY created_at, rowid";

test("a reported song is shown with its words and not with its reporter, and is dismissed once", async () => {
  const { song, reporter } = await makeReported("<b>Hate</b> & “noise”");
  const { page, act, spotifyId } = await makeOperator();
  const before = await page();
  expect(before).toContain(song.title);
  expect(before).toContain("&lt;b&gt;Hate&lt;/b&gt; &amp; “noise”");
  expect(before).not.toContain(reporter.id);
  expect(before).not.toContain("Rhea Reporter");

  const form = { ...seen(before, song.id), do: "dismiss", reason: "It is music." };
  for (const _press of [1, 2]) {
    const response = await act(form);
    expect([response.status, response.headers.get("Location")]).toEqual([
      303,
      `/operator?done=dismiss&about=${song.id}#song-${song.id}`,
    ]);
  }
  expect(await rowsOf("SELECT closed_at IS NULL AS open, reporter_id FROM reports")).toEqual([
    { open: 0, reporter_id: null },
  ]);
  expect(await rowsOf("SELECT operator, action, target, reason FROM operator_log")).toEqual([
    { operator: spotifyId, action: "dismiss", target: song.id, reason: "It is music." },
  ]);
  // Nothing has changed for the owner, so nothing is mailed.
  expect(await rowsOf(mails)).toEqual([]);
  expect(await songRow(song)).toMatchObject({ taken_out: null, rests: 0 });
  const after = await page();
  expect(after).toContain("No song waits for a decision.");
  expect(after).toContain("dismissed the reports of");
});

test("a song is taken out and put back, each told to its owner with the reason and a way to answer", async () => {
  const { song } = await makeReported();
  const { page, act } = await makeOperator();
  const reason = "It is <silence>, and nothing else.";
  await act({ ...seen(await page(), song.id), do: "take_out", reason });
  expect(await songRow(song)).toEqual({
    ...{ taken_out: reason, rests: 1, withdrawn: 0, decided: 1, in_line: 0 },
  });
  expect(await rowsOf(openReports)).toEqual([{ open: 0 }]);
  expect(await findViolations(env.DB)).toEqual([]);

  await act({ ...seen(await page(), song.id), do: "put_back", reason: "We were wrong." });
  expect(await songRow(song)).toMatchObject({ taken_out: null, rests: 0, in_line: 1 });
  expect(await findViolations(env.DB)).toEqual([]);
  expect(await rowsOf(lines)).toEqual([
    { action: "take_out", reason },
    { action: "put_back", reason: "We were wrong." },
  ]);

  const owed = (await rowsOf("SELECT id FROM outbox")) as { id: string }[];
  await deliver(owed.map(({ id }) => id));
  const own = await rowsOf("SELECT own_email FROM users WHERE id = ?", song.ownerId);
  const [{ own_email: address }] = own as [{ own_email: string }];
  const received = await mailsTo(address);
  expect(received.map(({ subject }) => subject).sort()).toEqual([
    `We have put back your song: “${song.title}”`,
    `We have taken out your song: “${song.title}”`,
  ]);
  for (const mail of received) {
    expect(mail.text).toMatch(/We were wrong\.|It is <silence>, and nothing else\./);
    expect(mail.text).toContain("answer this e-mail");
    expect(mail.replyTo).toEqual([contactEmail]);
    expect(JSON.stringify(mail)).not.toContain("unsubscribe?token");
  }
});

test("the page says at the song what was done, and there it can be put back", async () => {
  const { song } = await makeReported();
  const { page, act, ask } = await makeOperator();
  const reason = "It is silence.";
  const taken = await act({ ...seen(await page(), song.id), do: "take_out", reason });
  const where = taken.headers.get("Location") ?? "";
  expect(where).toBe(`/operator?done=take_out&about=${song.id}#song-${song.id}`);
  const there = await (await ask(where)).text();
  const [, card = ""] = there.split(`id="song-${song.id}"`);
  const said = `You have taken out “${song.title}”: it is offered to nobody`;
  expect(card.split("</article>")[0]).toContain(said);
  expect(card.split("</article>")[0]).toContain('value="put_back"');

  const back = await act({ ...seen(there, song.id), do: "put_back", reason: "We were wrong." });
  const after = await (await ask(back.headers.get("Location") ?? "")).text();
  expect(after).toContain(`You have put back “${song.title}”`);
  expect(after).not.toContain(`id="song-${song.id}"`);
});

test("the page says nothing of what its operator has not done", async () => {
  const { song } = await makeReported();
  const [one, other] = [await makeOperator(), await makeOperator()];
  const about = `?done=take_out&about=${song.id}`;
  expect(await one.page(about)).not.toContain("You have taken out");
  await one.act({ ...seen(await one.page(), song.id), do: "take_out", reason: "It is silence." });
  expect(await other.page(about)).not.toContain("You have taken out");
  expect(await one.page(`?done=dismiss&about=${song.id}`)).not.toContain("You have");
});

test("a song that was taken out can neither be brought back nor submitted again by its owner", async () => {
  const user = await makeUser({ credits: freePrice });
  const { song } = await makeReported("", user, track);
  const { page, act } = await makeOperator();
  await act({ ...seen(await page(), song.id), do: "take_out", reason: "It is silence." });
  const services = servicesAt(Date.now(), { spotify: catalogue(track) });
  const submitted = await submitSong(services, await makeViewer(user), {
    trackId: song.trackId,
    requestKey: "again",
  });
  expect(submitted).toMatchObject({
    status: 409,
    error: expect.stringContaining("The reason: “It is silence.”"),
  });
  expect(await songRow(song)).toMatchObject({ taken_out: "It is silence.", rests: 1 });
});

test("its owner reads why, and brings nothing back", async () => {
  const { user, cookie } = await makeMember();
  const { song } = await makeReported("", user);
  const { page, act } = await makeOperator();
  await act({ ...seen(await page(), song.id), do: "take_out", reason: "It is <silence>." });
  for (const path of [`/ratings-of-my-songs/${song.id}`, `/ratings-of-my-songs?song=${song.id}`]) {
    const text = await (await request(path, { cookie })).text();
    expect(text).toContain("The reason: “It is &lt;silence&gt;.”");
    expect(text).toContain("Taken out");
    expect(text).not.toContain("Bring it back");
  }
  const response = await request(`/songs/${song.id}/resume`, { cookie, form: {} });
  expect([response.status, await response.text()]).toEqual([
    409,
    expect.stringContaining("We have taken this song out of the rotation."),
  ]);
  expect(await songRow(song)).toMatchObject({ rests: 1 });
});

test("a song that has all of its ratings is taken out too, and gets no more promises", async () => {
  const user = await makeUser({ credits: freePrice });
  const { song } = await makeReported("", user, { ...track, received: 5 });
  const { page, act } = await makeOperator();
  await act({ ...seen(await page(), song.id), do: "take_out", reason: "It is silence." });
  expect(await songRow(song)).toMatchObject({ taken_out: "It is silence.", rests: 0 });
  const services = servicesAt(Date.now(), { spotify: catalogue(track) });
  const again = { trackId: song.trackId, requestKey: "again" };
  expect(await submitSong(services, await makeViewer(user), again)).toMatchObject({ status: 409 });
  await act({ ...seen(await page(), song.id), do: "put_back", reason: "It is not." });
  expect(await songRow(song)).toMatchObject({ taken_out: null, rests: 0, withdrawn: 0 });
  expect(isRejection(await submitSong(services, await makeViewer(user), again))).toBe(false);
});

test("a song that its owner had withdrawn, or that there is no room for, waits for its owner", async () => {
  const { song } = await makeReported();
  const { page, act } = await makeOperator();
  await act({ ...seen(await page(), song.id), do: "take_out", reason: "It is silence." });
  for (let n = 0; n < 10; n += 1) await makeSong({ id: song.ownerId, displayName: "" });
  await act({ ...seen(await page(), song.id), do: "put_back", reason: "It is not." });
  expect(await songRow(song)).toMatchObject({ taken_out: null, rests: 1, withdrawn: 1 });
  expect(await findViolations(env.DB)).toEqual([]);
});

test("a song that does not play waits for a decision until there is one, or it rests anew", async () => {
  const song = await makeSong(await makeUser());
  await env.DB.prepare("UPDATE songs SET resting_since = ? WHERE id = ?")
    .bind(Date.now() - 1000, song.id)
    .run();
  const { page, act } = await makeOperator();
  expect(await page()).toContain(song.title);
  await act({ ...seen(await page(), song.id), do: "dismiss", reason: "The label took it down." });
  expect(await page()).toContain("No song waits for a decision.");
  await env.DB.prepare("UPDATE songs SET resting_since = ? WHERE id = ?")
    .bind(Date.now() + 60_000, song.id)
    .run();
  await act({ ...seen(await page(), song.id), do: "put_back", reason: "It plays." });
  expect(await songRow(song)).toMatchObject({ rests: 0 });
});

test("of two operators who decide at once about what both have seen, one does", async () => {
  const { song } = await makeReported();
  const operators = [await makeOperator(), await makeOperator()];
  const forms = await Promise.all(operators.map(async ({ page }) => seen(await page(), song.id)));
  const statuses = await Promise.all(
    operators.map(async ({ act }, n) => {
      const reason = `Reason ${n}`;
      return (await act({ ...forms[n], do: n === 0 ? "take_out" : "dismiss", reason })).status;
    }),
  );
  expect(statuses.sort()).toEqual([303, 409]);
  expect(await rowsOf("SELECT count(*) AS lines FROM operator_log")).toEqual([{ lines: 1 }]);
});

test("a press that comes several times at once counts once", async () => {
  const { song } = await makeReported();
  const { page, act } = await makeOperator();
  const form = { ...seen(await page(), song.id), do: "take_out", reason: "It is silence." };
  const statuses = await Promise.all([1, 2, 3].map(async () => (await act(form)).status));
  // Whoever comes before the first is written does not find it, and changes nothing either.
  expect(statuses).toContain(303);
  expect(await rowsOf(lines)).toHaveLength(1);
  expect(await rowsOf(mails)).toHaveLength(1);
});

test("a decision leaves open what was reported after the page was made", async () => {
  const { song } = await makeReported();
  const { page, act } = await makeOperator();
  const form = { ...seen(await page(), song.id), do: "dismiss", reason: "It is music." };
  await insert("reports", {
    ...{ id: unique("report"), song_id: song.id, words: "Later.", created_at: Date.now() + 5000 },
  }).run();
  expect((await act(form)).status).toBe(303);
  expect(await rowsOf("SELECT words FROM reports WHERE closed_at IS NULL")).toEqual([
    { words: "Later." },
  ]);
  expect((await act({ ...form, do: "take_out" })).status).toBe(409);
});

test("operators decide neither about a song of their own nor about themselves, and do not read what was said", async () => {
  const { user, page, act } = await makeOperator();
  const { song } = await makeReported("Words about the operator", user);
  const text = await page();
  expect(text).toContain("This is your own song");
  expect(text).not.toContain("Words about the operator");
  const own = { song: song.id, seenAt: String(Date.now()), decidedAt: "", reason: "Mine." };
  expect((await act({ ...own, do: "dismiss" })).status).toBe(403);
  expect((await act({ do: "lock", user: user.id, reason: "Mine." })).status).toBe(403);
  await insert("submission_locks", {
    ...{ id: "l".repeat(43), user_id: user.id, reason: "Theirs.", locked_at: 1 },
  }).run();
  expect((await act({ do: "unlock", lock: "l".repeat(43), reason: "Mine." })).status).toBe(403);
  expect(await rowsOf(lines)).toEqual([]);
  expect(await rowsOf(openReports)).toEqual([{ open: 1 }]);
  // Another one does.
  const other = await makeOperator();
  const theirs = await other.page();
  expect(theirs).toContain("Words about the operator");
  await other.act({ ...seen(theirs, song.id), do: "dismiss", reason: "No hate in it." });
  expect(await other.page()).toContain("No hate in it.");
  expect(await page()).not.toContain("No hate in it.");
});

test("owners find nothing of a dismissed report in their data, and what was told to them", async () => {
  const { user, cookie } = await makeMember();
  const { song } = await makeReported("Hate", user);
  const { page, act } = await makeOperator();
  const exported = async () => (await request("/account/export", { cookie, form: {} })).text();
  const before = await exported();
  await act({ ...seen(await page(), song.id), do: "dismiss", reason: "No hate in it." });
  const told = (text: string) => ({ ...JSON.parse(text), exportedAt: null });
  expect(told(await exported())).toEqual(told(before));
  await act({ ...seen(await page(), song.id), do: "lock", user: user.id, reason: "Spam." });
  expect(JSON.parse(await exported()).operatorDecisions).toMatchObject([
    { action: "lock", reason: "Spam." },
  ]);
});

test.each(["dismiss", "take_out", "put_back"])(
  "%s of a song that is gone is refused",
  async (deed) => {
    const { act } = await makeOperator();
    const form = { do: deed, song: "gone", seenAt: "1", decidedAt: "", reason: "x" };
    expect((await act(form)).status).toBe(404);
    expect(await rowsOf(lines)).toEqual([]);
  },
);

test("a locked owner submits nothing, reads why, and can do all else", async () => {
  const { user, cookie } = await makeMember({ credits: freePrice });
  const { page, act } = await makeOperator();
  const reason = "Three songs were <noise>.";
  for (const _press of [1, 2]) {
    expect((await act({ do: "lock", user: user.id, reason })).status).toBe(303);
  }
  expect(await rowsOf("SELECT user_id, reason FROM submission_locks")).toEqual([
    { user_id: user.id, reason },
  ]);
  expect(await rowsOf(lines)).toEqual([{ action: "lock", reason }]);
  expect(await rowsOf(mails)).toEqual([{ user_id: user.id, kind: "decision" }]);

  const screen = await (await request("/?menu=addownsong", { cookie })).text();
  expect(screen).toContain("The reason: “Three songs were &lt;noise&gt;.”");
  const services = servicesAt(Date.now(), { spotify: catalogue(track) });
  const submit = async (requestKey: string) =>
    submitSong(services, await makeViewer(user), { trackId: track.trackId, requestKey });
  expect(await submit("first")).toMatchObject({ status: 409 });
  expect(await rowsOf("SELECT id FROM submissions WHERE owner_id = ?", user.id)).toEqual([]);
  // The database does not take one either.
  const song = await makeSong(await makeUser());
  const row = { id: "x", song_id: song.id, owner_id: user.id, number: 9, spent: 0, limited: 0 };
  await expect(
    insert("submissions", { ...row, request_key: "k", created_at: 1 }).run(),
  ).rejects.toThrow("may not submit");
  await makePackage(user, [song]);
  expect((await request(`/songs/${song.id}/play`, { cookie, json: {} })).status).not.toBe(403);
  expect((await request("/account/export", { cookie, form: {} })).status).toBe(200);

  const [, lock = ""] = /name="lock" value="(.{43})"/.exec(await page()) ?? [];
  for (const _press of [1, 2]) {
    expect((await act({ do: "unlock", lock, reason: "They are not." })).status).toBe(303);
  }
  expect(await rowsOf("SELECT id FROM submission_locks")).toEqual([]);
  expect(isRejection(await submit("second"))).toBe(false);
  expect((await act({ do: "unlock", lock, reason: "Again." })).status).toBe(409);
});

test("a lock holds for the Spotify account, also after the account here was deleted", async () => {
  const musician = "davor-mihalic";
  const first = await logIn(musician);
  expect(first.status).toBe(303);
  const [{ id: userId }] = (await rowsOf("SELECT id FROM users")) as [{ id: string }];
  const { page, act } = await makeOperator();
  await act({ do: "lock", user: userId, reason: "Three songs were noise." });
  const db = createDatabase(env.DB);
  await deleteAccount({ db, billing: stubBilling(), secret, now: () => Date.now() }, userId);
  expect(await page()).toContain("A deleted account");
  await logIn(musician);
  const [back] = (await rowsOf(
    "SELECT user_id, reason FROM submission_locks JOIN users ON users.id = user_id",
  )) as [{ user_id: string; reason: string }];
  expect(back.reason).toBe("Three songs were noise.");
  expect(back.user_id).not.toBe(userId);
});
