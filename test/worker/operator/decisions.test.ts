import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { dayMs } from "~/platform/dates";
import { readConfig } from "~/platform/env";
import { isRejection } from "~/platform/rejection";
import { trackOf } from "../../support/catalogue";
import {
  freePrice,
  insert,
  makePackage,
  makeRating,
  makeUser,
} from "../../support/database/factories";
import { change, row, rows, untouched } from "../../support/database/rows";
import { answers, hides, shows, stored } from "../../support/expectations";
import { deliverAll, mailsTo } from "../../support/mails";
import { makeOperator, report, reported, seen } from "../../support/operator";
import { someone, song, songs } from "../../support/people";
import { logIn } from "../session/login-flow";

const track = trackOf("mara-lind", 3);
const silence = "It is silence.";
const time = expect.any(Number);

test("a reported song is shown with its words and not with its reporter, and is dismissed once", async () => {
  const it = await song();
  const reporter = await report(it, { words: "<b>Hate</b> & “noise”" });
  const { page, act, spotifyId } = await makeOperator();
  const before = await page();
  shows(before, it.title, "&lt;b&gt;Hate&lt;/b&gt; &amp; “noise”");
  hides(before, reporter.id, "Rhea Reporter");

  const form = { ...seen(before, it.id), do: "dismiss", reason: "It is music." };
  for (const _press of [1, 2]) {
    const { status, headers } = await act(form);
    const where = `/operator?done=dismiss&about=${it.id}#song-${it.id}`;
    expect([status, headers.get("Location")]).toEqual([303, where]);
  }
  await stored("reports", { closedAt: time, reporterId: null });
  const line = { operator: spotifyId, action: "dismiss", target: it.id, reason: "It is music." };
  await stored("operatorLog", line);
  // Nothing has changed for the owner, so only the reporter is mailed.
  await stored("outbox", { kind: "report_decision", userId: reporter.id });
  expect(await it.now()).toMatchObject({ takenOut: null, restingSince: null });
  const after = await page();
  shows(after, "Nothing waits for a decision.", "dismissed the reports of");
});

test("how many of a song's ratings came from accounts of one day is told, of others' songs alone", async () => {
  const { page, look, user, spotifyId } = await makeOperator();
  const owner = await someone();
  const [it, own] = [await song({ owner }), await song({ owner: await someone({ user }) })];
  for (const one of [it, own]) {
    for (const day of [1, 1, 1, 2]) {
      const rater = await makeUser();
      await change("users", { id: rater.id }, { createdAt: day * dayMs + 5 });
      await makeRating(rater, one);
    }
    await report(one, { words: silence });
  }
  const told = "3 of them by accounts of one day";
  const text = await page();
  shows(text, told);
  expect(text.split(told)).toHaveLength(2);
  shows(await look(owner.id), told);
  hides(await look(spotifyId), told);
});

test("a song is taken out and put back, each told to its owner with the reason and a way to answer", async () => {
  const it = await reported({ owner: { ownEmail: "taken-out@mail.example" } });
  const { decides } = await makeOperator();
  const reason = "It is <silence>, and nothing else.";
  await decides(it, "take_out", reason);
  const out = { takenOut: reason, restingSince: time, withdrawn: false, decidedAt: time };
  expect(await it.now()).toMatchObject({ ...out, lineSince: null });
  await stored("reports", { closedAt: time });
  await decides(it, "put_back", "We were wrong.");
  const back = { takenOut: null, restingSince: null, lineSince: time };
  expect(await it.now()).toMatchObject(back);
  expect(await rows("operatorLog")).toMatchObject([
    { action: "take_out", reason },
    { action: "put_back", reason: "We were wrong." },
  ]);

  await deliverAll();
  const received = await mailsTo("taken-out@mail.example");
  expect(received.map(({ subject }) => subject).sort()).toEqual([
    `We have put back your song: “${it.title}”`,
    `We have taken out your song: “${it.title}”`,
  ]);
  for (const mail of received) {
    shows(mail.text, /We were wrong\.|It is <silence>, and nothing else\./, "answer this e-mail");
    expect(mail.replyTo).toEqual([readConfig(env).contactEmail]);
    hides(JSON.stringify(mail), "unsubscribe?token");
  }
});

test("the page says at the song what was done, and there it can be put back", async () => {
  const it = await reported();
  const { decides, reads, follow, act } = await makeOperator();
  const where = (await decides(it, "take_out")).headers.get("Location") ?? "";
  expect(where).toBe(`/operator?done=take_out&about=${it.id}#song-${it.id}`);
  const there = await reads(where);
  const card = there.split(`id="song-${it.id}"`)[1]?.split("</article>")[0];
  shows(card, `You have taken out “${it.title}”: it is offered to nobody`, 'value="put_back"');
  const after = await follow(await act({ ...seen(there, it.id), do: "put_back", reason: "Back." }));
  shows(after, `You have put back “${it.title}”`);
  hides(after, `id="song-${it.id}"`);
});

test("the page says nothing of what its operator has not done", async () => {
  const it = await reported();
  const [one, other] = [await makeOperator(), await makeOperator()];
  const about = `?done=take_out&about=${it.id}`;
  hides(await one.page(about), "You have");
  await one.decides(it, "take_out");
  hides(await other.page(about), "You have");
  hides(await one.page(`?done=dismiss&about=${it.id}`), "You have");
});

test("the owner of a song that was taken out reads why, and neither brings it back nor submits it", async () => {
  const owner = await someone({ credits: freePrice });
  const it = await reported({ owner, ...track });
  await (await makeOperator()).decides(it, "take_out", "It is <silence>.");
  for (const path of [`/ratings-of-my-songs/${it.id}`, `/ratings-of-my-songs?song=${it.id}`]) {
    const text = await owner.reads(path);
    shows(text, "The reason: “It is &lt;silence&gt;.”", "Taken out");
    hides(text, "Bring it back");
  }
  await answers(
    owner.posts(`/songs/${it.id}/resume`),
    409,
    "We have taken this song out of the rotation.",
  );
  expect(await owner.at(Date.now()).submits(track)).toMatchObject({
    status: 409,
    error: expect.stringContaining("The reason: “It is <silence>.”"),
  });
  expect(await it.now()).toMatchObject({ takenOut: "It is <silence>.", restingSince: time });
});

test("a song that has all of its ratings is taken out too, and gets no more promises", async () => {
  const owner = (await someone({ credits: freePrice })).at(Date.now());
  const it = await reported({ owner, ...track, received: 5 });
  const { decides } = await makeOperator();
  await decides(it, "take_out");
  expect(await it.now()).toMatchObject({ takenOut: silence, restingSince: null });
  expect(await owner.submits(track)).toMatchObject({ status: 409 });
  await decides(it, "put_back");
  expect(await it.now()).toMatchObject({ takenOut: null, restingSince: null, withdrawn: false });
  expect(isRejection(await owner.submits(track))).toBe(false);
});

test("a song that there is no room for any more waits for its owner once it is put back", async () => {
  const it = await reported();
  const { decides } = await makeOperator();
  await decides(it, "take_out");
  await songs(10, { owner: it.owner });
  await decides(it, "put_back");
  expect(await it.now()).toMatchObject({ takenOut: null, restingSince: time, withdrawn: true });
});

test("a song that does not play waits for a decision until there is one, or it rests anew", async () => {
  const it = await song();
  const { page, decides } = await makeOperator();
  await change("songs", {}, { restingSince: Date.now() - 1000 });
  shows(await page(), it.title);
  await decides(it, "dismiss", "The label took it down.");
  shows(await page(), "Nothing waits for a decision.");
  await change("songs", {}, { restingSince: Date.now() + 60_000 });
  await decides(it, "put_back", "It plays.");
  expect(await it.now()).toMatchObject({ restingSince: null });
});

test("of two operators who decide at once about what both have seen, one does", async () => {
  const it = await reported();
  const [one, other] = [await makeOperator(), await makeOperator()];
  const form = { ...seen(await one.page(), it.id), reason: "Seen." };
  const answers = await Promise.all([
    one.act({ ...form, do: "take_out" }),
    other.act({ ...form, do: "dismiss" }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  await row("operatorLog");
});

test("a press that comes several times at once counts once", async () => {
  const it = await reported();
  const { page, act } = await makeOperator();
  const form = { ...seen(await page(), it.id), do: "take_out", reason: silence };
  const answers = await Promise.all([1, 2, 3].map(() => act(form)));
  // Whoever comes before the first is written does not find it, and changes nothing either.
  expect(answers.map(({ status }) => status)).toContain(303);
  await row("operatorLog");
  const kinds = (await rows("outbox")).map(({ kind }) => kind).sort();
  expect(kinds).toEqual(["decision", "report_decision"]);
});

test("a decision leaves open what was reported after the page was made", async () => {
  const it = await reported();
  const { page, act } = await makeOperator();
  const form = { ...seen(await page(), it.id), do: "dismiss", reason: "It is music." };
  await report(it, { words: "Later.", at: Date.now() + 5000 });
  await answers(act(form), 303);
  expect(await row("reports", { closedAt: null })).toMatchObject({ words: "Later." });
  await answers(act({ ...form, do: "take_out" }), 409);
});

test("operators decide neither about a song of their own nor about themselves, and do not read what was said", async () => {
  const { user, page, act } = await makeOperator();
  const it = await song({ owner: { user } });
  await report(it, { words: "Words about the operator" });
  const text = await page();
  shows(text, "This is your own song");
  hides(text, "Words about the operator");
  const lock = "l".repeat(43);
  const locked = { id: lock, user_id: user.id, reason: "Theirs.", locked_at: 1 };
  await insert("submission_locks", locked).run();
  await untouched(async () => {
    for (const form of [
      { do: "dismiss", song: it.id, seenAt: String(Date.now()), decidedAt: "" },
      { do: "lock", user: user.id },
      { do: "unlock", lock },
    ]) {
      await answers(act({ ...form, reason: "Mine." }), 403);
    }
  });
  // Another one does.
  const other = await makeOperator();
  shows(await other.page(), "Words about the operator");
  await other.decides(it, "dismiss", "No hate in it.");
  shows(await other.page(), "No hate in it.");
  hides(await page(), "No hate in it.");
});

test("owners find nothing of a dismissed report in their data, and what was told to them", async () => {
  const it = await reported();
  const { act, decides } = await makeOperator();
  const exported = async () => ({
    ...(await (await it.owner.posts("/account/export")).json<Record<string, unknown>>()),
    exportedAt: null,
  });
  const before = await exported();
  await decides(it, "dismiss", "No hate in it.");
  expect(await exported()).toEqual(before);
  await act({ do: "lock", user: it.ownerId, reason: "Spam." });
  expect(await exported()).toMatchObject({
    operatorDecisions: [{ action: "lock", reason: "Spam." }],
  });
});

test.each(["dismiss", "take_out", "put_back"])(
  "%s of a song that is gone is refused",
  async (deed) => {
    const { act } = await makeOperator();
    const form = { do: deed, song: "gone", seenAt: "1", decidedAt: "", reason: "x" };
    await untouched(async () => answers(act(form), 404));
  },
);

test("a locked owner submits nothing, reads why, and can do all else", async () => {
  const owner = (await someone({ credits: freePrice })).at(Date.now());
  const { page, act } = await makeOperator();
  const twice = async (form: Record<string, string>) => {
    for (const _press of [1, 2]) await answers(act(form), 303);
  };
  const reason = "Three songs were <noise>.";
  await twice({ do: "lock", user: owner.id, reason });
  await stored("submissionLocks", { userId: owner.id, reason });
  await stored("operatorLog", { action: "lock", reason });
  await stored("outbox", { userId: owner.id, kind: "decision" });

  shows(await owner.reads("/?menu=addownsong"), "The reason: “Three songs were &lt;noise&gt;.”");
  expect(await owner.submits(track)).toMatchObject({ status: 409 });
  expect(await rows("submissions")).toEqual([]);
  // The database does not take one either.
  const it = await song();
  const written = { id: "x", song_id: it.id, owner_id: owner.id, number: 9, spent: 0, limited: 0 };
  await expect(
    insert("submissions", { ...written, request_key: "k", created_at: 1 }).run(),
  ).rejects.toThrow("may not submit");
  await makePackage(owner, [it]);
  expect((await owner.sends(`/songs/${it.id}/play`)).status).not.toBe(403);
  await answers(owner.posts("/account/export"), 200);

  const [, lock = ""] = /name="lock" value="(.{43})"/.exec(await page()) ?? [];
  await twice({ do: "unlock", lock, reason: "They are not." });
  expect(await rows("submissionLocks")).toEqual([]);
  expect(isRejection(await owner.submits(track))).toBe(false);
  await answers(act({ do: "unlock", lock, reason: "Again." }), 409);
});

test("a lock holds for the Spotify account, also after the account here was deleted", async () => {
  const musician = "davor-mihalic";
  await logIn(musician);
  const user = await row("users");
  const { page, act } = await makeOperator();
  await act({ do: "lock", user: user.id, reason: "Three songs were noise." });
  await (await someone({ user })).leaves();
  shows(await page(), "A deleted account");
  await logIn(musician);
  const lock = await row("submissionLocks");
  const back = await row("users", { spotifyId: user.spotifyId });
  expect(lock).toMatchObject({ userId: back.id, reason: "Three songs were noise." });
  expect(back.id).not.toBe(user.id);
});
