import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { mailSongsAgain } from "~/exchange/carousel/empty-pool/songs-again.server";
import { unsubscribeToken } from "~/mailing/unsubscribe.server";
import { readConfig } from "~/platform/env";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import {
  insert,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestUser,
  unique,
} from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { addressOf, deliver, failMails, letTimePass, mailRow, mailsTo } from "../../support/mails";
import { dataOf, request } from "../../support/request";
import { control } from "../../support/sandbox";
import { everyTenMinutes, runJobs } from "../../support/worker";

const db = createDatabase(env.DB);
const { sessionSecret: secret } = readConfig(env);
const minute = 60_000;
const day = 24 * 60 * minute;
const subject = "There are songs to rate again";
const offer = "E-mail me when there are songs again";

function ask(cookie: string, wanted: unknown = true): Promise<Response> {
  return request("/song-mail", { cookie, json: { wanted } });
}

/** Puts songs of as many musicians into the rotation. */
async function makeSongs(count: number) {
  const songs = [];
  for (let n = 0; n < count; n += 1) songs.push(await makeSong(await makeUser()));
  return songs;
}

/** Looks for songs for those who wait, as the cron does; answers the ids of the mails owed. */
async function sweep(now = Date.now() + 1): Promise<string[]> {
  const mailQueue = noteQueued();
  const { mails } = await mailSongsAgain({ db, mailQueue, now });
  expect(mailQueue.queued).toHaveLength(mails);
  return mailQueue.queued.map(({ outboxId }) => outboxId);
}

async function wishers(): Promise<unknown[]> {
  const rows = await rowsOf("SELECT user_id FROM song_wishes ORDER BY rowid");
  return rows.map((row) => (row as { user_id: string }).user_id);
}

async function subjectsTo(user: TestUser): Promise<string[]> {
  return (await mailsTo(addressOf(user))).map((mail) => mail.subject);
}

async function carousel(cookie: string): Promise<string> {
  return (await request("/", { cookie })).text();
}

/** What the open page reads by itself, whether or not anybody is there. */
async function reread(cookie: string): Promise<string> {
  const headers = { Referer: `${env.APP_ORIGIN}/`, Accept: "*/*" };
  return (await request(dataOf("/?index"), { cookie, headers })).text();
}

async function unsubscribe(user: TestUser): Promise<Response> {
  const token = await unsubscribeToken(secret, { topic: "songs", address: addressOf(user) });
  return request(`/unsubscribe?token=${token}`, { form: { "List-Unsubscribe": "One-Click" } });
}

describe("with nothing to rate", () => {
  test("the carousel offers a mail to one's address, a song of one's own, and one's ratings", async () => {
    const { user, cookie } = await makeMember();
    const page = await carousel(cookie);
    expect(page).toContain(offer);
    expect(page).toContain(addressOf(user));
    expect(page).toContain('href="/?menu=addownsong"');
    expect(page).toContain('href="/ratings-of-my-songs">See the ratings');
  });

  test("the mail is asked for once, however often the form is sent, and can be taken back", async () => {
    const { user, cookie } = await makeMember();
    for (let press = 0; press < 2; press += 1) {
      const form = { wanted: "true", next: "/" };
      const answer = await request("/song-mail", { cookie, form });
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
    }
    expect(await wishers()).toEqual([user.id]);
    const page = await carousel(cookie);
    expect(page).not.toContain(offer);
    expect(page).toContain("we will write once");
    expect(await (await request("/account", { cookie })).text()).toContain("You have asked for");
    for (let press = 0; press < 2; press += 1) {
      const form = { wanted: "false", next: "/account" };
      const answer = await request("/song-mail", { cookie, form });
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/account"]);
    }
    expect(await wishers()).toEqual([]);
    expect(await carousel(cookie)).toContain(offer);
  });

  test("two presses at once are one wish", async () => {
    const { user, cookie } = await makeMember();
    const answers = await Promise.all([ask(cookie), ask(cookie), ask(cookie)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await wishers()).toEqual([user.id]);
  });

  test("who has no address is led to the account, and cannot ask", async () => {
    const { cookie } = await makeMember({ email: null });
    const page = await carousel(cookie);
    expect(page).not.toContain(offer);
    expect(page).toContain('href="/account#address"');
    const answer = await ask(cookie);
    expect([answer.status, await answer.json()]).toEqual([
      409,
      { error: expect.stringMatching(/^We have no e-mail address for you yet\./) },
    ]);
    expect(await wishers()).toEqual([]);
  });

  test("who has unsubscribed from such mails is told so, and cannot ask", async () => {
    const { user, cookie } = await makeMember();
    expect((await unsubscribe(user)).status).toBe(303);
    const page = await carousel(cookie);
    expect(page).not.toContain(offer);
    expect(page).toContain("No e-mails about new songs to rate go to");
    expect((await ask(cookie)).status).toBe(409);
    expect(await wishers()).toEqual([]);
    const account = await (await request("/account", { cookie })).text();
    expect(account).toMatch(/has unsubscribed from e-mails[^.]*about new songs to rate/);
  });

  test("who has added today's song is told what they wait for", async () => {
    const { user, cookie } = await makeMember();
    await makeSong(user, { submittedAt: [Date.now() - minute] });
    const page = await carousel(cookie);
    expect(page).toContain("you have added today&#x27;s");
    expect(page).not.toContain("Upload Your Song");
  });

  test("the confirmation of a song offers the same, and its form leads back to it", async () => {
    const { user, cookie } = await makeMember();
    const { id } = await makeSong(user);
    const [submission] = await rowsOf("SELECT id FROM submissions WHERE song_id = ?", id);
    const path = `/?menu=songaddedtopool&submission=${(submission as { id: string }).id}`;
    expect(await (await request(path, { cookie })).text()).toContain(offer);
    const form = { wanted: "true", next: path };
    const answer = await request("/song-mail", { cookie, form });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, path]);
    expect(await (await request(path, { cookie })).text()).toContain("we will write once");

    // Songs have come: then it leads to these.
    await makeSongs(1);
    const page = await (await request(path, { cookie })).text();
    expect(page).toContain("Rate the songs that are left");
    expect(page).not.toContain("/song-mail");
  });
});

describe("refused without any change is", () => {
  test("the wish of somebody who has songs to rate", async () => {
    const { cookie } = await makeMember();
    await makeSongs(1);
    const answer = await ask(cookie);
    expect([answer.status, await answer.json()]).toEqual([
      409,
      { error: "There are songs to rate right now, in the carousel." },
    ]);
    expect(await wishers()).toEqual([]);
  });

  test.each([{}, { wanted: "maybe" }, { wanted: "" }])("an unclear one (%j)", async (json) => {
    const { cookie } = await makeMember();
    expect((await request("/song-mail", { cookie, json })).status).toBe(422);
    expect(await wishers()).toEqual([]);
  });
});

describe("the mail", () => {
  test("goes out once when a whole package is there, and can be unsubscribed from", async () => {
    const { user, cookie } = await makeMember();
    await ask(cookie);
    await makeSongs(4);
    expect(await sweep()).toEqual([]);
    await makeSongs(1);
    await runJobs(everyTenMinutes);
    await runJobs(everyTenMinutes);
    const owed = await rowsOf("SELECT id FROM outbox");
    expect(owed).toHaveLength(1);
    const ids = owed.map((row) => (row as { id: string }).id);
    await deliver(ids);
    await deliver(ids);
    const [mail, ...more] = await mailsTo(addressOf(user));
    expect([mail?.subject, more]).toEqual([subject, []]);
    expect(mail?.text).toContain(`${env.APP_ORIGIN}/`);
    expect(mail?.html).toContain("Now there is.");
    expect(mail?.bcc).toEqual([]);
    expect(mail?.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    const link = /<(.*)>/.exec(mail?.headers["List-Unsubscribe"] ?? "")?.[1] ?? "";
    expect(await (await request(link)).text()).toContain("when there are songs to rate again");
    await request(link, { form: { "List-Unsubscribe": "One-Click" } });
    expect(await rowsOf("SELECT topic FROM mail_suppressions")).toEqual([{ topic: "songs" }]);
    expect(await (await request(link)).text()).toContain("You are unsubscribed");

    // It was for that time alone.
    expect(await wishers()).toEqual([]);
    expect(await sweep(Date.now() + 3 * day)).toEqual([]);
  });

  test("waits for a smaller package with premium", async () => {
    const { cookie } = await makeMember({ tier: "premium" });
    await ask(cookie);
    await makeSongs(3);
    expect(await sweep()).toEqual([]);
    await makeSongs(1);
    expect(await sweep(Date.now() + 2)).toHaveLength(1);
  });

  test("waits a day for a whole package, and no longer, once there is a song", async () => {
    const { cookie } = await makeMember();
    await ask(cookie);
    const start = Date.now() + 1;
    expect(await sweep(start)).toEqual([]);
    await makeSongs(1);
    expect(await sweep(start + day)).toEqual([]);
    expect(await sweep(start + 2 * day - 1)).toEqual([]);
    expect(await sweep(start + 2 * day)).toHaveLength(1);
  });

  test("waits anew for the day if the songs have gone meanwhile", async () => {
    const { cookie } = await makeMember();
    await ask(cookie);
    const start = Date.now() + 1;
    await makeSongs(1);
    await sweep(start);
    await env.DB.prepare("UPDATE songs SET resting_since = 1").run();
    await sweep(start + minute);
    await env.DB.prepare("UPDATE songs SET resting_since = NULL").run();
    expect(await sweep(start + day)).toEqual([]);
    expect(await sweep(start + 2 * day)).toHaveLength(1);
  });

  test("counts no song that the user has rated or added", async () => {
    const { user, cookie } = await makeMember();
    await ask(cookie);
    for (const song of await makeSongs(5)) await makeRating(user, song);
    for (let n = 0; n < 5; n += 1) await makeSong(user);
    expect(await sweep()).toEqual([]);
  });

  test("is owed once by two runs at the same time", async () => {
    const { cookie } = await makeMember();
    await ask(cookie);
    await makeSongs(5);
    const now = Date.now() + 1;
    const runs = await Promise.all([sweep(now), sweep(now + 1), sweep(now + 2)]);
    expect(runs.flat()).toHaveLength(1);
    expect(await rowsOf("SELECT kind FROM outbox")).toEqual([{ kind: "songs_again" }]);
  });

  test("comes again for another wish, which takes a day", async () => {
    const { user, cookie } = await makeMember();
    const mailed = async () => {
      expect((await ask(cookie)).status).toBe(200);
      const songs = await makeSongs(5);
      await deliver(await sweep());
      for (const song of songs) await makeRating(user, song);
    };
    await mailed();
    const again = await ask(cookie);
    expect([again.status, await again.json()]).toEqual([
      409,
      { error: expect.stringMatching(/^We have already written to you/) },
    ]);
    expect(await wishers()).toEqual([]);
    await env.DB.prepare("UPDATE outbox SET created_at = created_at - ?").bind(day).run();
    await mailed();
    expect(await subjectsTo(user)).toEqual([subject, subject]);
  });

  test("is owed although a page that nobody looks at has drawn songs", async () => {
    const { user, cookie } = await makeMember();
    await ask(cookie);
    await makeSongs(5);
    expect(await reread(cookie)).toContain("requiredSeconds");
    expect(await wishers()).toEqual([user.id]);
    await deliver(await sweep());
    expect(await subjectsTo(user)).toEqual([subject]);
  });

  test("is sent although such a page has drawn songs since it was owed", async () => {
    const { user, cookie } = await makeMember();
    await ask(cookie);
    await makeSongs(5);
    await env.DB.prepare("UPDATE sessions SET last_seen_at = last_seen_at - ?")
      .bind(2 * minute)
      .run();
    const ids = await sweep();
    expect(await reread(cookie)).toContain("requiredSeconds");
    await deliver(ids);
    expect(await subjectsTo(user)).toEqual([subject]);
  });

  test("is not owed to somebody who listens to such a song", async () => {
    const musician = "urszula-bukowska";
    await control("reset", { musician });
    await control("openApp", { musician });
    const { user, cookie } = await makeMember({ musician });
    await ask(cookie);
    const song = await makeSong(await makeUser(), trackOf("mara-lind", 3));
    await reread(cookie);
    expect(await wishers()).toEqual([user.id]);
    expect((await request(`/songs/${song.id}/play`, { cookie, json: {} })).status).toBe(200);
    expect(await wishers()).toEqual([]);
  });

  test("is not owed to somebody who has drawn songs by themselves", async () => {
    const { cookie } = await makeMember();
    await ask(cookie);
    await makeSongs(5);
    expect(await carousel(cookie)).toContain("PLAY SONG");
    expect(await wishers()).toEqual([]);
    expect(await sweep()).toEqual([]);
  });

  test("is not sent to somebody who has drawn songs since it was owed", async () => {
    const { user, cookie } = await makeMember();
    await ask(cookie);
    await makeSongs(5);
    const [id = ""] = await sweep();
    await failMails(addressOf(user), { status: 500, times: 1 });
    await deliver([id]);
    expect(await carousel(cookie)).toContain("PLAY SONG");
    await letTimePass();
    await deliver([id]);
    expect(await mailRow(id)).toMatchObject({ state: "skipped", fault: "over" });
    expect(await subjectsTo(user)).toEqual([]);
  });

  test("is sent to somebody who has an older package", async () => {
    const { user, cookie } = await makeMember();
    const [rated] = await makeSongs(1);
    if (!rated) throw new Error("no song");
    await makePackage(user, [rated], Date.now() - 2 * day);
    await makeRating(user, rated);
    await ask(cookie);
    await makeSongs(5);
    const [id = ""] = await sweep();
    await deliver([id]);
    expect(await mailRow(id)).toMatchObject({ state: "sent" });
  });

  test("is not sent to an address that has unsubscribed since, nor to none", async () => {
    const [one, two] = [await makeMember(), await makeMember()];
    await ask(one.cookie);
    await ask(two.cookie);
    await makeSongs(5);
    await unsubscribe(one.user);
    await env.DB.prepare("UPDATE users SET email = NULL WHERE id = ?").bind(two.user.id).run();
    await deliver(await sweep());
    expect(await rowsOf("SELECT fault FROM outbox ORDER BY fault")).toEqual([
      { fault: "no address" },
      { fault: "unsubscribed" },
    ]);
    expect(await subjectsTo(one.user)).toEqual([]);
    expect(await wishers()).toEqual([]);
  });

  test("goes whatever other mails are switched off", async () => {
    const { user, cookie } = await makeMember({ receiveRatingEmails: false });
    await ask(cookie);
    await makeSongs(5);
    await deliver(await sweep());
    expect(await subjectsTo(user)).toEqual([subject]);
  });

  test("is forgotten with the account", async () => {
    const { cookie } = await makeMember();
    await ask(cookie);
    await request("/account/delete", { cookie, json: {} });
    expect(await wishers()).toEqual([]);
    await makeSongs(5);
    expect(await sweep()).toEqual([]);
  });
});

test("one whose state cannot be read keeps nobody waiting", async () => {
  const members = [await makeMember(), await makeMember(), await makeMember()];
  for (const { cookie } of members) await ask(cookie);
  await makeSongs(5);
  const [one, two, three] = members.map(({ user }) => user);
  await env.DB.prepare("UPDATE users SET own_artists = '{' WHERE id = ?").bind(two?.id).run();
  await sweep();
  const mailed = await rowsOf("SELECT user_id FROM outbox ORDER BY rowid");
  expect(mailed).toEqual([{ user_id: one?.id }, { user_id: three?.id }]);
  expect(await wishers()).toEqual([two?.id]);
  await expect(sweep(Date.now() + minute)).rejects.toThrow();
});

test("those who wait in vain keep nobody waiting, and each has their turn", async () => {
  const song = await makeSong(await makeUser());
  const now = Date.now();
  const asked = now - 2 * day;
  const users: TestUser[] = [];
  for (let n = 0; n < 31; n += 1) users.push(await makeUser());
  await env.DB.batch(
    users.map(({ id }, n) =>
      insert("song_wishes", {
        ...{ id: unique("wish"), user_id: id, asked_at: asked + n, looked_at: asked + n },
        found_since: asked + n,
      }),
    ),
  );
  // All but the last have rated it; it is owed more.
  for (const user of users.slice(0, -1)) await makeRating(user, song);
  await env.DB.batch([
    env.DB.prepare("UPDATE songs SET owed = 5, owed_since = created_at"),
    env.DB.prepare("UPDATE submissions SET completed_at = NULL"),
  ]);
  const services = { db, mailQueue: noteQueued(), secret };
  expect(await mailSongsAgain({ ...services, now })).toEqual({ looked: 25, mails: 0 });
  expect(await mailSongsAgain({ ...services, now: now + 1 })).toEqual({ looked: 25, mails: 1 });
  expect(await rowsOf("SELECT user_id FROM outbox")).toEqual([{ user_id: users[30]?.id }]);
  expect(await mailSongsAgain({ ...services, now: now + 2 })).toEqual({ looked: 25, mails: 0 });
  const turns = "SELECT count(*) AS wishes FROM song_wishes WHERE looked_at < ?";
  expect(await rowsOf(turns, now + 1)).toEqual([{ wishes: 0 }]);
});
