import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { mailSongsAgain } from "~/exchange/carousel/empty-pool/songs-again.server";
import { unsubscribeToken } from "~/mailing/unsubscribe.server";
import { dayMs, minuteMs } from "~/platform/dates";
import { readConfig } from "~/platform/env";
import { trackOf } from "../../support/catalogue";
import { insert, makePackage, makeRating, unique } from "../../support/database/factories";
import { change, db, row, rows } from "../../support/database/rows";
import { noteQueued } from "../../support/mail-queue";
import { addressOf, deliver, failMails, letTimePass, mailRow, mailsTo } from "../../support/mails";
import { type Someone, someone, song, songs } from "../../support/people";
import { dataOf, request } from "../../support/request";
import { control } from "../../support/sandbox";
import { everyTenMinutes, runJobs } from "../../support/worker";

const { sessionSecret: secret } = readConfig(env);
const subject = "There are songs to rate again";
const offer = "E-mail me when there are songs again";

function ask(by: Someone, wanted: unknown = true): Promise<Response> {
  return by.sends("/song-mail", { wanted });
}

/** Somebody who waits for songs. */
async function waiting(options: Parameters<typeof someone>[0] = {}): Promise<Someone> {
  const user = await someone(options);
  expect((await ask(user)).status).toBe(200);
  return user;
}

async function expectRefused(by: Someone, error: string): Promise<void> {
  const before = await wishers();
  const answer = await ask(by);
  const told = { error: expect.stringContaining(error) };
  expect([answer.status, await answer.json()]).toEqual([409, told]);
  expect(await wishers()).toEqual(before);
}

/** Presses the button on a page, which leads back to it. */
async function press(by: Someone, wanted: boolean, next: string): Promise<void> {
  const answer = await by.posts("/song-mail", { wanted: String(wanted), next });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, next]);
}

/** Looks for songs for those who wait, as the cron does; answers the ids of the mails owed. */
async function sweep(now = Date.now() + 1): Promise<string[]> {
  const mailQueue = noteQueued();
  const { mails } = await mailSongsAgain({ db, mailQueue, now });
  expect(mailQueue.queued).toHaveLength(mails);
  return mailQueue.queued.map(({ outboxId }) => outboxId);
}

const wishers = async () => (await rows("songWishes")).map(({ userId }) => userId);

async function subjectsTo(user: Someone): Promise<string[]> {
  return (await mailsTo(addressOf(user))).map((mail) => mail.subject);
}

/** What the open page reads by itself, whether or not anybody is there. */
async function reread(by: Someone): Promise<void> {
  const headers = { Referer: `${env.APP_ORIGIN}/`, Accept: "*/*" };
  const page = await (await by.gets(dataOf("/?index"), { headers })).text();
  expect(page).toContain("requiredSeconds");
}

async function unsubscribe(user: Someone): Promise<void> {
  const token = await unsubscribeToken(secret, { topic: "songs", address: addressOf(user) });
  const form = { "List-Unsubscribe": "One-Click" };
  expect((await request(`/unsubscribe?token=${token}`, { form })).status).toBe(303);
}

test("with nothing to rate the carousel offers a mail to one's address, a song of one's own, and one's ratings", async () => {
  const user = await someone();
  const page = await user.reads("/");
  for (const text of [
    offer,
    addressOf(user),
    'href="/?menu=addownsong&amp;upload"',
    'href="/ratings-of-my-songs">See the ratings',
  ]) {
    expect(page).toContain(text);
  }
});

test("the mail is asked for once, however often the form is sent, and can be taken back", async () => {
  const user = await someone();
  for (const next of ["/", "/"]) await press(user, true, next);
  expect(await wishers()).toEqual([user.id]);
  const page = await user.reads("/");
  expect(page).not.toContain(offer);
  expect(page).toContain("we will write once");
  expect(await user.reads("/account")).toContain("You have asked for");
  for (const next of ["/account", "/account"]) await press(user, false, next);
  expect(await wishers()).toEqual([]);
  expect(await user.reads("/")).toContain(offer);
});

test("two presses at once are one wish", async () => {
  const user = await someone();
  await user.login();
  const answers = await Promise.all([ask(user), ask(user), ask(user)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await wishers()).toEqual([user.id]);
});

test("who has no address is led to the account, and cannot ask", async () => {
  const user = await someone({ email: null });
  const page = await user.reads("/");
  expect(page).not.toContain(offer);
  expect(page).toContain('href="/account#address"');
  await expectRefused(user, "We have no e-mail address for you yet.");
});

test("who has unsubscribed from such mails is told so, and cannot ask", async () => {
  const user = await someone();
  await unsubscribe(user);
  const page = await user.reads("/");
  expect(page).not.toContain(offer);
  expect(page).toContain("No e-mails about new songs to rate go to");
  await expectRefused(user, "");
  const account = await user.reads("/account");
  expect(account).toMatch(/has unsubscribed from e-mails[^.]*about new songs to rate/);
});

test("who has added today's song is told what they wait for", async () => {
  const user = await someone();
  await song({ owner: user, submittedAt: [Date.now() - minuteMs] });
  const page = await user.reads("/");
  expect(page).toContain("you have added today&#x27;s");
  expect(page).not.toContain("Upload Your Song");
});

test("the confirmation of a song offers the same, and its form leads back to it", async () => {
  const { owner } = await song();
  const path = `/?menu=songaddedtopool&submission=${(await row("submissions")).id}`;
  expect(await owner.reads(path)).toContain(offer);
  await press(owner, true, path);
  expect(await owner.reads(path)).toContain("we will write once");

  // Songs have come: then it leads to these.
  await song();
  const page = await owner.reads(path);
  expect(page).toContain("Rate the songs that are left");
  expect(page).not.toContain("/song-mail");
});

test("the wish of somebody who has songs to rate is refused", async () => {
  const user = await someone();
  await song();
  await expectRefused(user, "There are songs to rate right now, in the carousel.");
});

test.each([{}, { wanted: "maybe" }, { wanted: "" }])(
  "an unclear wish (%j) is refused",
  async (json) => {
    const user = await someone();
    expect((await user.sends("/song-mail", json)).status).toBe(422);
    expect(await wishers()).toEqual([]);
  },
);

test("the mail goes out once when a whole package is there, and can be unsubscribed from", async () => {
  const user = await waiting();
  await songs(4);
  expect(await sweep()).toEqual([]);
  await song();
  for (let run = 0; run < 2; run += 1) await runJobs(everyTenMinutes);
  const { id } = await row("outbox");
  for (let time = 0; time < 2; time += 1) await deliver([id]);
  const [mail, ...more] = await mailsTo(addressOf(user));
  expect([mail, more]).toMatchObject([{ subject, bcc: [] }, []]);
  expect(mail?.text).toContain(`${env.APP_ORIGIN}/`);
  expect(mail?.html).toContain("Now there is.");
  expect(mail?.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  const link = /<(.*)>/.exec(mail?.headers["List-Unsubscribe"] ?? "")?.[1] ?? "";
  expect(await (await request(link)).text()).toContain("when there are songs to rate again");
  await request(link, { form: { "List-Unsubscribe": "One-Click" } });
  expect(await row("mailSuppressions")).toMatchObject({ topic: "songs" });
  expect(await (await request(link)).text()).toContain("You are unsubscribed");

  // It was for that time alone.
  expect(await wishers()).toEqual([]);
  expect(await sweep(Date.now() + 3 * dayMs)).toEqual([]);
});

test("the mail waits for a smaller package with premium", async () => {
  await waiting({ tier: "premium" });
  await songs(3);
  expect(await sweep()).toEqual([]);
  await song();
  expect(await sweep(Date.now() + 2)).toHaveLength(1);
});

test("the mail waits a day for a whole package, and no longer, once there is a song", async () => {
  await waiting();
  const start = Date.now() + 1;
  expect(await sweep(start)).toEqual([]);
  await song();
  expect(await sweep(start + dayMs)).toEqual([]);
  expect(await sweep(start + 2 * dayMs - 1)).toEqual([]);
  expect(await sweep(start + 2 * dayMs)).toHaveLength(1);
});

test("the mail waits anew for the day if the songs have gone meanwhile", async () => {
  await waiting();
  const start = Date.now() + 1;
  await song();
  await sweep(start);
  await change("songs", {}, { restingSince: 1 });
  await sweep(start + minuteMs);
  await change("songs", {}, { restingSince: null });
  expect(await sweep(start + dayMs)).toEqual([]);
  expect(await sweep(start + 2 * dayMs)).toHaveLength(1);
});

test("the mail counts no song that the user has rated or added", async () => {
  const user = await waiting();
  for (const one of await songs(5)) await makeRating(user, one);
  await songs(5, { owner: user });
  expect(await sweep()).toEqual([]);
});

test("the mail is owed once by several runs at the same time", async () => {
  await waiting();
  await songs(5);
  const now = Date.now() + 1;
  const runs = await Promise.all([sweep(now), sweep(now + 1), sweep(now + 2)]);
  expect(runs.flat()).toHaveLength(1);
  expect(await row("outbox")).toMatchObject({ kind: "songs_again" });
});

test("the mail comes again for another wish, which takes a day", async () => {
  const user = await waiting();
  const mailed = async () => {
    const made = await songs(5);
    await deliver(await sweep());
    for (const one of made) await makeRating(user, one);
  };
  await mailed();
  await expectRefused(user, "We have already written to you");
  const { createdAt } = await row("outbox");
  await change("outbox", {}, { createdAt: createdAt - dayMs });
  expect((await ask(user)).status).toBe(200);
  await mailed();
  expect(await subjectsTo(user)).toEqual([subject, subject]);
});

test.each([
  ["owed", false],
  ["sent", true],
])("the mail is %s although a page that nobody looks at has drawn songs", async (_, owedBefore) => {
  const user = await waiting();
  await songs(5);
  const { lastActiveAt } = await user.now();
  if (owedBefore) await change("users", {}, { lastActiveAt: lastActiveAt - 2 * minuteMs });
  const before = owedBefore ? await sweep() : null;
  await reread(user);
  if (!before) expect(await wishers()).toEqual([user.id]);
  await deliver(before ?? (await sweep()));
  expect(await subjectsTo(user)).toEqual([subject]);
});

test("the mail is not owed to somebody who listens to such a song", async () => {
  const musician = "urszula-bukowska";
  await control("reset", { musician });
  await control("openApp", { musician });
  const user = await waiting({ musician });
  const { id } = await song(trackOf("mara-lind", 3));
  await reread(user);
  expect(await wishers()).toEqual([user.id]);
  expect((await user.sends(`/songs/${id}/play`)).status).toBe(200);
  expect(await wishers()).toEqual([]);
});

test("the mail is not owed to somebody who has drawn songs by themselves", async () => {
  const user = await waiting();
  await songs(5);
  expect(await user.reads("/")).toContain("PLAY SONG");
  expect(await wishers()).toEqual([]);
  expect(await sweep()).toEqual([]);
});

test("the mail is not sent to somebody who has drawn songs since it was owed", async () => {
  const user = await waiting();
  await songs(5);
  const [id = ""] = await sweep();
  await failMails(addressOf(user), { status: 500, times: 1 });
  await deliver([id]);
  expect(await user.reads("/")).toContain("PLAY SONG");
  await letTimePass();
  await deliver([id]);
  expect(await mailRow(id)).toMatchObject({ state: "skipped", fault: "over" });
  expect(await subjectsTo(user)).toEqual([]);
});

test("the mail is sent to somebody who has an older package", async () => {
  const user = await someone();
  const rated = await song();
  await makePackage(user, [rated], Date.now() - 2 * dayMs);
  await makeRating(user, rated);
  await ask(user);
  await songs(5);
  const [id = ""] = await sweep();
  await deliver([id]);
  expect(await mailRow(id)).toMatchObject({ state: "sent" });
});

test("the mail is not sent to an address that has unsubscribed since, nor to none", async () => {
  const [one, two] = [await waiting(), await waiting()];
  await songs(5);
  await unsubscribe(one);
  await change("users", { id: two.id }, { email: null });
  await deliver(await sweep());
  expect(await row("outbox", { userId: one.id })).toMatchObject({ fault: "unsubscribed" });
  expect(await row("outbox", { userId: two.id })).toMatchObject({ fault: "no address" });
  expect([await subjectsTo(one), await wishers()]).toEqual([[], []]);
});

test("the mail goes whatever other mails are switched off", async () => {
  const user = await waiting({ receiveRatingEmails: false });
  await songs(5);
  await deliver(await sweep());
  expect(await subjectsTo(user)).toEqual([subject]);
});

test("one whose state cannot be read keeps nobody waiting", async () => {
  const [one, two, three] = [await waiting(), await waiting(), await waiting()];
  await songs(5);
  const broken = env.DB.prepare("UPDATE users SET own_artists = '{' WHERE id = ?");
  await broken.bind(two.id).run();
  await sweep();
  const mailed = (await rows("outbox")).map(({ userId }) => userId);
  expect(mailed).toEqual([one.id, three.id]);
  expect(await wishers()).toEqual([two.id]);
  await expect(sweep(Date.now() + minuteMs)).rejects.toThrow();
});

test("those who wait in vain keep nobody waiting, and each has their turn", async () => {
  const it = await song();
  const now = Date.now();
  const users: Someone[] = [];
  for (let n = 0; n < 31; n += 1) {
    const user = await someone();
    const asked = now - 2 * dayMs + n;
    const wish = { id: unique("wish"), user_id: user.id, found_since: asked };
    await insert("song_wishes", { ...wish, asked_at: asked, looked_at: asked }).run();
    users.push(user);
  }
  // All but the last have rated it; it is owed more.
  for (const user of users.slice(0, -1)) await makeRating(user, it);
  await change("songs", {}, { owed: 5, owedSince: (await it.now()).createdAt });
  await change("submissions", {}, { completedAt: null });
  const look = (at: number) => mailSongsAgain({ db, mailQueue: noteQueued(), now: at });
  expect(await look(now)).toEqual({ looked: 25, mails: 0 });
  expect(await look(now + 1)).toEqual({ looked: 25, mails: 1 });
  expect(await row("outbox")).toMatchObject({ userId: users[30]?.id });
  expect(await look(now + 2)).toEqual({ looked: 25, mails: 0 });
  expect((await rows("songWishes")).filter(({ lookedAt }) => lookedAt < now + 1)).toEqual([]);
});
