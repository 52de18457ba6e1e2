/** The price of a submission: by all logins of an account, and by what was asked before an upload (rule 25). */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { loadPrice } from "~/exchange/submission/draft.server";
import { isRejection } from "~/platform/rejection";
import { accountIdOf } from "../../sandbox/catalogue";
import { passTime } from "../../support/clock";
import { rowsOf } from "../../support/database/contents";
import {
  freePrice,
  insert,
  makeOwnSong,
  makeRating,
  makeSong,
  makeUser,
  type TestUser,
} from "../../support/database/factories";
import { makeEmailSession, makeMember } from "../../support/login";
import { makeWav } from "../../support/recordings/sound-files";
import { emptyBucket, hearDraft, upload, uploaded } from "../../support/recordings/uploads";
import { dataOf, request } from "../../support/request";
import { servicesAt } from "../../support/services";
import { cookieOf, logIn } from "../session/login-flow";

const day = 86_400_000;

beforeEach(emptyBucket);

async function fillPool({ tracks = 0, own = 0 }): Promise<void> {
  for (let n = 0; n < tracks; n += 1) await makeSong(await makeUser());
  for (let n = 0; n < own; n += 1) await makeOwnSong(await makeUser());
}

/** A draft of the user's from now, as if its upload had begun at a price. */
async function makeDraft(user: TestUser, agreedCost: number | null, id = crypto.randomUUID()) {
  const hash = id.padEnd(43, "0").slice(0, 43);
  const file = { hash, drawn_from: hash, type: "wav", bytes: 90_000 };
  const read = { duration_ms: 6000, audio_start: 44, title: "First light", artist: "Ada" };
  const heard = { hearing: "heard" };
  const times = { created_at: Date.now(), agreed_cost: agreedCost };
  await insert("recordings", {
    ...{ id, owner_id: user.id, state: "draft" },
    ...{ ...file, ...read, ...heard, ...times },
  }).run();
  return id;
}

interface View {
  songs: { spotifyUrl: string | null }[];
  eligibility: { remaining: number; here: number };
  goal: string;
}

async function carouselOf(cookie: string): Promise<View> {
  return ((await (await request(dataOf("/"), { cookie })).json()) as { view: View }).view;
}

async function submit(cookie: string, recording: string): Promise<Response> {
  await hearDraft(cookie, recording);
  return request("/submissions", { cookie, json: { recording } });
}

interface Said {
  remaining: number;
  here: number;
  goal: string;
  pages: string[];
  statuses: number[];
  refusals: string[];
  price: string;
}

/** What each place says that asks for the price, of somebody who may not submit. */
async function saidIn(cookie: string, sessionId: string, draft: string): Promise<Said> {
  const { eligibility, goal } = await carouselOf(cookie);
  const page = async (path: string) => (await request(path, { cookie })).text();
  const refusals = [
    await request("/submissions", { cookie, json: { recording: draft } }),
    await request("/submissions", { cookie, json: { trackId: "4uLU6hMCjMI75M1A2tKUQC" } }),
    await upload(cookie),
  ];
  const priced = await loadPrice(servicesAt(Date.now()), sessionId);
  return {
    remaining: eligibility.remaining,
    here: eligibility.here,
    goal,
    pages: [await page("/?menu=addownsong"), await page(`/recordings/${draft}`)],
    statuses: refusals.map(({ status }) => status),
    refusals: await Promise.all(refusals.map((refusal) => refusal.text())),
    price: priced && isRejection(priced.price) ? priced.price.error : "",
  };
}

test("the price is that of the best login, in every place, and each says what plays here", async () => {
  await fillPool({ tracks: 8, own: 2 });
  const loud = cookieOf(await logIn("demo-free"), "__Host-session");
  const [{ id = "" } = {}] = (await rowsOf(
    "SELECT id FROM users WHERE spotify_id = ?",
    accountIdOf("demo-free"),
  )) as { id: string }[];
  const user = { id, displayName: "Demo" };
  const quiet = await makeEmailSession(user);
  const draft = await makeDraft(user, null);
  const there = " of them play in this login. Log in with Spotify to hear the others.";
  expect((await carouselOf(loud)).eligibility).toMatchObject({ remaining: 6, here: 6 });
  const inQuiet = () => saidIn(quiet.cookie, quiet.id, draft);
  const said = await inQuiet();
  const why = `Please rate 6 more songs before you submit one of yours. 2${there}`;
  expect(said).toMatchObject({ remaining: 6, here: 2, statuses: [409, 409, 409], price: why });
  expect(said.goal).toBe(`6 songs to rate before you can submit yours. 2${there}`);
  for (const text of [...said.pages, ...said.refusals]) expect(text).toContain(why);
  const { songs } = await carouselOf(quiet.cookie);
  expect(songs.map(({ spotifyUrl }) => spotifyUrl)).not.toContainEqual(expect.any(String));

  // Logging the other login out is no way around it.
  await request("/logout", { cookie: loud, form: {} });
  expect(await rowsOf("SELECT way FROM sessions")).toEqual([{ way: "email" }]);
  expect(await inQuiet()).toMatchObject({ remaining: 6, here: 2, price: why });

  // Spotify says that the account has no Premium any more.
  await env.DB.prepare("UPDATE users SET spotify_id = ? WHERE id = ?")
    .bind(accountIdOf("demo-nopremium"), id)
    .run();
  const now = cookieOf(await logIn("demo-nopremium"), "__Host-session");
  for (const cookie of [now, quiet.cookie]) {
    expect((await carouselOf(cookie)).eligibility).toMatchObject({ remaining: 2, here: 2 });
  }
});

test("with nothing to hear here, the price is still that of the other login, and nothing is free", async () => {
  await fillPool({ tracks: 8 });
  const { user } = await makeMember();
  await hearing(user, Date.now() + 30 * day);
  const { cookie, id } = await makeEmailSession(user);
  const draft = await makeDraft(user, null);
  const none = "None of them plays in this login. Log in with Spotify to hear them.";
  expect(await carouselOf(cookie)).toMatchObject({
    songs: [],
    goal: `6 songs to rate before you can submit yours. ${none}`,
  });
  expect((await saidIn(cookie, id, draft)).price).toContain(none);
  expect(await (await request("/", { cookie })).text()).toContain(
    `Please rate 6 more songs before you submit one of yours. ${none}`,
  );
});

async function hearing(user: { id: string }, until: number): Promise<void> {
  await env.DB.prepare("UPDATE users SET hears_spotify_until = ? WHERE id = ?")
    .bind(until, user.id)
    .run();
}

test("who cannot hear Spotify's songs pays for what is there", async () => {
  await fillPool({ tracks: 8, own: 2 });
  const user = await makeUser();
  await hearing(user, Date.now() + 8 * day);
  const { id } = await makeEmailSession(user);
  const remaining = async (at: number, isSpotifyOpen: boolean) => {
    const priced = await loadPrice({ ...servicesAt(at), isSpotifyOpen }, id);
    return priced && isRejection(priced.price) ? priced.price.remaining : null;
  };
  expect(await remaining(Date.now(), true)).toBe(6);
  expect(await remaining(Date.now(), false)).toBe(2);
  // A login by Spotify would have ended by now.
  await hearing(user, Date.now());
  expect(await remaining(Date.now(), true)).toBe(2);
});

test("a price that was asked before the upload holds for the draft, on its page and when it is submitted", async () => {
  const { user, cookie } = await makeMember();
  await makeSong(user, { submittedAt: [Date.now() - 2 * day] });
  const [first] = [await makeSong(await makeUser())];
  if (!first) throw new Error("no song");
  await makeRating(user, first, { at: Date.now() });
  await env.DB.prepare("UPDATE users SET credits = 1, rated_count = 1 WHERE id = ?")
    .bind(user.id)
    .run();
  await fillPool({ tracks: 1 });
  const id = await uploaded(cookie);
  expect(await rowsOf("SELECT agreed_cost FROM recordings")).toEqual([{ agreed_cost: 1 }]);
  await fillPool({ tracks: 8 });
  expect((await upload(cookie, { file: makeWav(7) })).status).toBe(409);
  expect(await (await request(`/recordings/${id}`, { cookie })).text()).toContain(
    "This uses your rating.",
  );
  expect((await submit(cookie, id)).status).toBe(200);
  expect(await rowsOf("SELECT spent FROM submissions ORDER BY created_at DESC LIMIT 1")).toEqual([
    { spent: 1 },
  ]);
  // A file that has been submitted is a draft no more.
  expect((await submit(cookie, id)).status).toBe(409);
});

test("three drafts that were to be free are one free submission, and the others say why", async () => {
  const { user, cookie } = await makeMember();
  await makeSong(user, { submittedAt: [Date.now() - 2 * day] });
  const drafts: string[] = [];
  for (const seconds of [5, 6, 7]) drafts.push(await uploaded(cookie, { file: makeWav(seconds) }));
  expect(await rowsOf("SELECT DISTINCT agreed_cost FROM recordings")).toEqual([{ agreed_cost: 0 }]);
  await fillPool({ tracks: 20 });
  const [one = "", two = "", three = ""] = drafts;
  const answers = await Promise.all([submit(cookie, one), submit(cookie, two)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = await submit(cookie, three);
  const why =
    "This song was to cost nothing, but one song a day is free, and you have added today's. Please rate 6 more songs before you submit it.";
  expect([refused.status, await refused.json()]).toEqual([
    409,
    expect.objectContaining({ error: why }),
  ]);
  expect(await (await request(`/recordings/${three}`, { cookie })).text()).toContain(
    why.replaceAll("'", "&#x27;"),
  );
  expect(
    await rowsOf("SELECT spent FROM submissions WHERE spent = 0 AND own_recording_id IS NOT NULL"),
  ).toHaveLength(1);
});

test("a price that was agreed holds for a day, not for credits that are spent elsewhere, and an upload of the same file is asked anew", async () => {
  const { user, cookie } = await makeMember({ credits: 2 });
  await makeSong(user, { submittedAt: [Date.now() - 2 * day] });
  await fillPool({ tracks: 8 });
  const [cheap, spent] = [await makeDraft(user, 2), await makeDraft(user, 2)];
  expect((await submit(cookie, cheap)).status).toBe(200);
  const short = await submit(cookie, spent);
  expect(await short.json()).toMatchObject({ error: expect.stringContaining("rate 2 more songs") });
  const credits = env.DB.prepare(
    "UPDATE users SET credits = credits + ?, rated_count = rated_count + ?, rated_withdrawn = rated_withdrawn + ? WHERE id = ?",
  );
  await credits.bind(2, 2, 2, user.id).run();
  await passTime(day);
  expect((await submit(cookie, spent)).status).toBe(409);

  await credits.bind(freePrice, freePrice, freePrice, user.id).run();
  const file = makeWav(9);
  const before = await uploaded(cookie, { file });
  await env.DB.prepare("UPDATE recordings SET agreed_cost = 0 WHERE id = ?").bind(before).run();
  const again = await uploaded(cookie, { file });
  expect(await rowsOf("SELECT agreed_cost FROM recordings WHERE id = ?", again)).toEqual([
    { agreed_cost: freePrice },
  ]);
});
