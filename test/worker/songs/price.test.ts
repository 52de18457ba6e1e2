/** The price of a submission: by all logins of an account, and by what was asked before an upload (rule 25, price). */
import { beforeEach, expect, test } from "vitest";
import { loadPrice } from "~/exchange/submission/draft.server";
import { dayMs } from "~/platform/dates";
import { isRejection } from "~/platform/rejection";
import { accountIdOf } from "../../sandbox/catalogue";
import { passTime } from "../../support/clock";
import {
  freePrice,
  giveRatings,
  insert,
  makeRating,
  type TestUser,
} from "../../support/database/factories";
import { change, row, rows } from "../../support/database/rows";
import { makeEmailSession } from "../../support/login";
import { ownSong, type Someone, someone, song, songs } from "../../support/people";
import { makeWav } from "../../support/recordings/sound-files";
import { emptyBucket, hearDraft, upload, uploaded } from "../../support/recordings/uploads";
import { dataOf, request } from "../../support/request";
import { servicesAt } from "../../support/services";
import { cookieOf, logIn } from "../session/login-flow";

beforeEach(emptyBucket);

/** A draft of the user's from now, as if its upload had begun at a price. */
async function makeDraft(user: TestUser, agreedCost: number | null, id = crypto.randomUUID()) {
  const hash = id.padEnd(43, "0").slice(0, 43);
  await insert("recordings", {
    ...{ id, owner_id: user.id, state: "draft", hearing: "heard", title: "First light" },
    ...{ hash, drawn_from: hash, type: "wav", bytes: 90_000, duration_ms: 6000 },
    ...{
      audio_start: 44,
      artist: "Ada",
      made: "people",
      created_at: Date.now(),
      agreed_cost: agreedCost,
    },
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

/** What each place says that asks for the price, of somebody who may not submit. */
async function saidIn(cookie: string, sessionId: string, draft: string) {
  const { eligibility, goal } = await carouselOf(cookie);
  const page = async (path: string) => (await request(path, { cookie })).text();
  const submit = (json: object) => request("/submissions", { cookie, json: { ...json } });
  const refusals = [
    await submit({ recording: draft }),
    await submit({ trackId: "4uLU6hMCjMI75M1A2tKUQC" }),
    await upload(cookie),
  ];
  const priced = await loadPrice(servicesAt(Date.now()), sessionId);
  return {
    ...{ remaining: eligibility.remaining, here: eligibility.here, goal },
    pages: [await page("/?menu=addownsong"), await page(`/recordings/${draft}`)],
    statuses: refusals.map(({ status }) => status),
    refusals: await Promise.all(refusals.map((refusal) => refusal.text())),
    price: priced && isRejection(priced.price) ? priced.price.error : "",
  };
}

test("the price is that of the best login, in every place, and each says what plays here", async () => {
  await songs(8);
  for (let n = 0; n < 2; n += 1) await ownSong();
  const loud = cookieOf(await logIn("demo-free"), "__Host-session");
  const user = await row("users", { spotifyId: accountIdOf("demo-free") });
  const quiet = await makeEmailSession(user);
  const draft = await makeDraft(user, null);
  const there = " of them play in this login. Log in with Spotify to hear the others.";
  expect((await carouselOf(loud)).eligibility).toMatchObject({ remaining: 6, here: 6 });
  const inQuiet = () => saidIn(quiet.cookie, quiet.id, draft);
  const said = await inQuiet();
  const why = `Rate 6 more songs before you submit one of yours. 2${there}`;
  expect(said).toMatchObject({ remaining: 6, here: 2, statuses: [409, 409, 409], price: why });
  expect(said.goal).toBe(`6 more, then yours. 2${there}`);
  for (const text of [...said.pages, ...said.refusals]) expect(text).toContain(why);
  const shown = (await carouselOf(quiet.cookie)).songs;
  expect(shown.map(({ spotifyUrl }) => spotifyUrl)).not.toContainEqual(expect.any(String));

  // Logging the other login out is no way around it.
  await request("/logout", { cookie: loud, form: {} });
  expect(await row("sessions")).toMatchObject({ way: "email" });
  expect(await inQuiet()).toMatchObject({ remaining: 6, here: 2, price: why });

  // Spotify says that the account has no Premium any more.
  await change("users", { id: user.id }, { spotifyId: accountIdOf("demo-nopremium") });
  const now = cookieOf(await logIn("demo-nopremium"), "__Host-session");
  for (const cookie of [now, quiet.cookie]) {
    expect((await carouselOf(cookie)).eligibility).toMatchObject({ remaining: 2, here: 2 });
  }
});

test("with nothing to hear here, the price is still that of the other login, and nothing is free", async () => {
  await songs(8);
  const user = await someone();
  await change("users", { id: user.id }, { hearsSpotifyUntil: Date.now() + 30 * dayMs });
  const { cookie, id } = await makeEmailSession(user);
  const draft = await makeDraft(user, null);
  const none = "None of them plays in this login. Log in with Spotify to hear them.";
  const goal = `6 more, then yours. ${none}`;
  expect(await carouselOf(cookie)).toMatchObject({ songs: [], goal });
  expect((await saidIn(cookie, id, draft)).price).toContain(none);
  const page = await (await request("/", { cookie })).text();
  expect(page).toContain(`Rate 6 more songs before you submit one of yours. ${none}`);
});

test("who cannot hear Spotify's songs pays for what is there", async () => {
  await songs(8);
  for (let n = 0; n < 2; n += 1) await ownSong();
  const user = await someone();
  const hearing = (hearsSpotifyUntil: number) =>
    change("users", { id: user.id }, { hearsSpotifyUntil });
  await hearing(Date.now() + 8 * dayMs);
  const { id } = await makeEmailSession(user);
  const remaining = async (isSpotifyOpen: boolean) => {
    const priced = await loadPrice({ ...servicesAt(Date.now()), isSpotifyOpen }, id);
    return priced && isRejection(priced.price) ? priced.price.remaining : null;
  };
  expect([await remaining(true), await remaining(false)]).toEqual([6, 2]);
  // A login by Spotify would have ended by now.
  await hearing(Date.now());
  expect(await remaining(true)).toBe(2);
});

/** Somebody whose first song, two days ago, was free. */
async function member(options: Parameters<typeof someone>[0] = {}): Promise<Someone> {
  const user = await someone(options);
  await song({ owner: user, submittedAt: [Date.now() - 2 * dayMs] });
  return user;
}

test("a price that was asked before the upload holds for the draft, on its page and when it is submitted", async () => {
  const user = await member();
  await makeRating(user, await song(), { at: Date.now() });
  await song();
  const cookie = await user.login();
  const id = await uploaded(cookie);
  expect(await row("recordings")).toMatchObject({ agreedCost: 1 });
  await songs(8);
  expect((await upload(cookie, { file: makeWav(7) })).status).toBe(409);
  expect(await user.reads(`/recordings/${id}`)).toContain("This uses your rating.");
  expect((await submit(cookie, id)).status).toBe(200);
  expect(await row("submissions", { ownRecordingId: id })).toMatchObject({ spent: 1 });
  // A file that has been submitted is a draft no more.
  expect((await submit(cookie, id)).status).toBe(409);
});

test("three drafts that were to be free are one free submission, and the others say why", async () => {
  const user = await member();
  const cookie = await user.login();
  const drafts: string[] = [];
  for (const seconds of [5, 6, 7]) drafts.push(await uploaded(cookie, { file: makeWav(seconds) }));
  expect(await rows("recordings", { agreedCost: 0 })).toHaveLength(3);
  await songs(20);
  const [one = "", two = "", three = ""] = drafts;
  const answers = await Promise.all([submit(cookie, one), submit(cookie, two)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const error =
    "This song was to cost nothing, but one song a day is free, and you have added today's. Rate 6 more songs before you submit it.";
  const refused = await submit(cookie, three);
  expect([refused.status, await refused.json()]).toMatchObject([409, { error }]);
  const page = await user.reads(`/recordings/${three}`);
  expect(page).toContain(error.replaceAll("'", "&#x27;"));
  const own = (await rows("submissions")).filter(({ ownRecordingId }) => ownRecordingId);
  expect(own).toMatchObject([{ spent: 0 }]);
});

test("a price that was agreed holds for a day, not for credits that are spent elsewhere, and an upload of the same file is asked anew", async () => {
  const user = await member({ credits: 2 });
  const cookie = await user.login();
  await songs(8);
  const [cheap, spent] = [await makeDraft(user, 2), await makeDraft(user, 2)];
  expect((await submit(cookie, cheap)).status).toBe(200);
  const error = expect.stringContaining("Rate 2 more songs");
  expect(await (await submit(cookie, spent)).json()).toMatchObject({ error });
  await giveRatings(user, 2);
  await passTime(dayMs);
  expect((await submit(cookie, spent)).status).toBe(409);

  await giveRatings(user, freePrice);
  const file = makeWav(9);
  const before = await uploaded(cookie, { file });
  await change("recordings", { id: before }, { agreedCost: 0 });
  const again = await uploaded(cookie, { file });
  expect(await row("recordings", { id: again })).toMatchObject({ agreedCost: freePrice });
});
