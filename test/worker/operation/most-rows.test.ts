/** The most rows of each table that one user can cause, however often they press. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { deleteAccount } from "~/account/delete.server";
import { createDatabase } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { startListen } from "~/exchange/listening/listening.server";
import { passSong } from "~/exchange/pass/pass.server";
import { submitSong } from "~/exchange/submission/submit.server";
import { requestConfirmation } from "~/mailing/address.server";
import { readConfig } from "~/platform/env";
import { rememberAdd } from "~/sources/spotify/library/adds.server";
import { createLoginSession } from "~/sources/spotify/login/session.server";
import { trackOf } from "../../support/catalogue";
import { passTime } from "../../support/clock";
import { allTables, rowsOf } from "../../support/database/contents";
import {
  baseTime,
  freePrice,
  giveRatings,
  insert,
  makeOwnSong,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestUser,
} from "../../support/database/factories";
import { makeMember, makeViewer } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { request } from "../../support/request";
import { servicesAt } from "../../support/services";
import { catalogue } from "../../support/spotify/stub";
import { stubBilling } from "../../support/stripe/billing-stub";

const db = createDatabase(env.DB);
const { sessionSecret: secret, tokenKey } = readConfig(env);
const day = 24 * 60 * 60 * 1000;

/** What it takes for more rows: nothing can be had by pressing alone, but for what a day allows. */
type Each =
  | "account at Spotify"
  /** Another's, which was drawn. */
  | "song listened to"
  | "song rated"
  | "own song"
  | "another's round"
  | "submission"
  /** Kept for as long as `periods.ts` says. */
  | "day"
  | "mail owed"
  | "address that gets mail"
  /** A network address, whoever is there. */
  | "place and day"
  /** Something that a person has done at Stripe, which limits that. */
  | "event of Stripe's"
  /** By those whom the configuration names. */
  | "operator's deed"
  /** By the configuration or by jobs alone. */
  | "day of the product"
  | "app at Spotify"
  | "job";

/** Every table. A new one says here what bounds it. */
const most: Record<string, { [each in Each]?: number }> = {
  users: { "account at Spotify": 1 },
  sessions: { "account at Spotify": 20 },
  // And those that rounds hold, of which a member is in three at a time.
  songs: { submission: 1, day: 20 },
  // Uploads need credit, and drafts last for a day.
  recordings: { submission: 1, day: 20 },
  file_deletions: { submission: 2, day: 40 },
  // Twenty may be opened a day; and who has its link takes a seat in it.
  rounds: { day: 20 },
  round_members: { day: 20, "another's round": 1 },
  shares: { "own song": 1 },
  releases: { "own song": 1 },
  release_wishes: { "song rated": 1 },
  spotify_waits: { "app at Spotify": 1 },
  // Each costs ratings given (rule 24, submission), but for one a day (rule 25, price). Ten wait at a time (rule 26, ten songs).
  submissions: { "song rated": 1, day: 1 },
  packages: { "account at Spotify": 1 },
  // Without Spotify, songs are drawn beside those that wait for it.
  package_songs: { "account at Spotify": 10 },
  pool_windows: { "account at Spotify": 2 },
  listens: { "song listened to": 1 },
  unplayable_reports: { "song listened to": 1 },
  passes: { day: 9 },
  reports: { day: 3 },
  // A day, as the next; each has two mails.
  declarations: { "address that gets mail": 3 },
  notices: { "address that gets mail": 3 },
  ratings: { "song listened to": 1 },
  playlist_adds: { "account at Spotify": 100 },
  subscriptions: { "account at Spotify": 1 },
  billing_events: { "event of Stripe's": 1 },
  email_preferences: { "account at Spotify": 1 },
  // Five confirmations, of which the one that is used stays; logins for a place; of a /48 42, and of many members three times as many.
  mailed_proofs: { day: 5, "account at Spotify": 1, "place and day": 30 },
  // Typed, and by its link.
  login_grants: { "place and day": 60 },
  departures: { "account at Spotify": 1, "address that gets mail": 1 },
  // By each way in.
  rating_marks: { "song listened to": 2 },
  mail_suppressions: { "address that gets mail": 3 },
  song_wishes: { "account at Spotify": 1 },
  community_figures: { "day of the product": 1 },
  community_days: { "day of the product": 1 },
  // Of those about ratings one each, for the song's owner, and one once the song is out; of those about songs that wait
  // one a day.
  outbox: {
    ...{ "song rated": 2, submission: 1, day: 6, "event of Stripe's": 1, "operator's deed": 1 },
    ...{ "place and day": 30, "address that gets mail": 6 },
  },
  // Of logins the newest hundred.
  activity_log: { "account at Spotify": 100, submission: 1 },
  submission_locks: { "account at Spotify": 1, "address that gets mail": 1 },
  operator_log: { "operator's deed": 1 },
  job_runs: { job: 1 },
  daily_counts: { "day of the product": 100 },
  daily_stats: { "day of the product": 1 },
};

function mostOf(table: string, each: Each = "account at Spotify"): number {
  return most[table]?.[each] ?? 0;
}

/** The number of rows in some tables. */
async function counted(...tables: string[]): Promise<Record<string, number>> {
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`);
  return (await rowsOf(`SELECT ${counts.join(", ")}`))[0] as Record<string, number>;
}

async function times(count: number, press: (n: number) => unknown): Promise<void> {
  for (let n = 0; n < count; n += 1) await press(n);
}

/** A login of a Spotify account. */
function logIn(spotifyId: string, n: number) {
  const profile = { id: spotifyId, displayName: "", email: null, imageUrl: null, hasPremium: true };
  const tokens = { accessToken: "a", refreshToken: "r", expiresIn: 3600, mayAddToPlaylists: false };
  return createLoginSession(
    db,
    { profile, ...tokens },
    {
      ...{ id: `session ${n}`, clientId: "c", tokenKey, secret, device: null, replaces: null },
      now: baseTime + n,
    },
  );
}

test("every table says how many rows one user can cause", async () => {
  expect(Object.keys(most).sort()).toEqual((await allTables()).sort());
  for (const [table, bound] of Object.entries(most)) {
    expect([table, Object.values(bound).every((rows) => rows > 0)]).toEqual([table, true]);
    expect([table, Object.keys(bound).length]).not.toEqual([table, 0]);
  }
});

test("logins leave the newest sessions, the newest lines of their user alone, and what else the log holds", async () => {
  const mostLines = mostOf("activity_log");
  await times(3, (n) => logIn("other", 1000 + n));
  await logIn("busy", 0);
  const line = env.DB.prepare(
    `INSERT INTO activity_log (id, kind, user_id, created_at)
       SELECT ?1, ?1, id, 1 FROM users WHERE spotify_id = 'busy'`,
  );
  await env.DB.batch([line.bind("submission")]);
  await times(mostLines + 29, (n) => logIn("busy", n + 1));
  const rows = await rowsOf(
    `SELECT spotify_id, count(*) AS lines, min(activity_log.created_at) AS since
       FROM activity_log JOIN users ON users.id = user_id WHERE kind = 'login' GROUP BY 1`,
  );
  expect(rows).toEqual([
    { spotify_id: "busy", lines: mostLines, since: baseTime + 30 },
    { spotify_id: "other", lines: 3, since: baseTime + 1000 },
  ]);
  const others = "SELECT kind FROM activity_log WHERE kind <> 'login' ORDER BY 1";
  expect(await rowsOf(others)).toEqual([{ kind: "submission" }]);
  expect(await counted("users", "sessions")).toEqual({
    users: 2,
    sessions: mostOf("sessions") + 3,
  });
});

test("playing songs in turns leaves one listen, also where Spotify refuses them", async () => {
  const user = await makeUser();
  const songs = [await makeSong(await makeUser()), await makeSong(await makeUser())];
  await makePackage(user, songs);
  const viewer = await makeViewer(user);
  const play = (n: number, ...known: typeof songs) =>
    startListen(servicesAt(Date.now(), { spotify: catalogue(...known) }), viewer, {
      songId: songs[(n >> 1) % 2]?.id ?? "",
      startPlayback: null,
    });
  await times(12, (n) => play(n, ...songs));
  expect(await counted("listens")).toEqual({ listens: mostOf("listens", "song listened to") });
  await times(12, (n) => play(n));
  expect(await counted("listens", "unplayable_reports")).toEqual({
    listens: 1,
    unplayable_reports: 2 * mostOf("unplayable_reports", "song listened to"),
  });
});

test("looking at the carousel day after day leaves one package", async () => {
  const owners = [await makeUser(), await makeUser(), await makeUser(), await makeUser()];
  for (const owner of owners) await times(3, () => makeSong(owner));
  const { cookie } = await makeMember();
  const look = () =>
    times(6, async () => {
      await (await request("/", { cookie })).text();
      await (await request("/?menu=addownsong", { cookie })).text();
      passTime(day + 1);
    });
  await look();
  expect(await counted("package_songs")).toEqual({ package_songs: 5 });
  // Without Premium, as many own recordings are drawn beside those songs.
  for (const owner of owners) await times(2, () => makeOwnSong(owner));
  await env.DB.prepare("UPDATE sessions SET has_spotify_premium = 0").run();
  await look();
  expect(await counted("packages", "package_songs")).toEqual({
    packages: mostOf("packages"),
    package_songs: mostOf("package_songs"),
  });
});

test("putting a song into one playlist after another leaves the newest places of that user alone", async () => {
  const song = await makeSong(await makeUser());
  const [user, other] = [await makeUser(), await makeUser()];
  for (const rater of [user, other]) await makeRating(rater, song);
  const put = ({ id }: TestUser, n: number) => {
    const add = { userId: id, songId: song.id, playlistId: `list ${n}`, playlistName: "" };
    return runBatch(db, rememberAdd(db, { ...add, now: baseTime + n }));
  };
  await put(other, 0);
  await times(mostOf("playlist_adds") + 7, (n) => put(user, n));
  expect(
    await rowsOf(
      "SELECT user_id, count(*) AS places, min(added_at) AS since FROM playlist_adds GROUP BY 1 ORDER BY 1",
    ),
  ).toEqual([
    { user_id: user.id, places: mostOf("playlist_adds"), since: baseTime + 7 },
    { user_id: other.id, places: 1, since: baseTime },
  ]);
});

test("asking to confirm one address after another mails five a day", async () => {
  const user = await makeUser({ ownEmail: "first@mail.example" });
  const options = {
    ...{ db, secret, mailQueue: noteQueued(), now: baseTime + 10 * day },
    ...{ places: ["192.0.2.1"], perDay: 60 },
  };
  await times(9, (n) => requestConfirmation(user.id, `${n}@mail.example`, options));
  const perDay = mostOf("mailed_proofs", "day");
  expect(await counted("mailed_proofs", "outbox")).toEqual({
    mailed_proofs: perDay + mostOf("mailed_proofs"),
    outbox: perDay,
  });
});

test("asking for a login's code again and again, for ever other addresses, stops at a day's number", async () => {
  await times(150, async (n) => {
    const headers = { "CF-Connecting-IP": "203.0.113.7" };
    await request("/login/email", { form: { address: `${n}@mail.example` }, headers });
    passTime(day / 200);
  });
  const perDay = mostOf("mailed_proofs", "place and day");
  expect(mostOf("outbox", "place and day")).toBe(perDay);
  expect(await counted("mailed_proofs", "outbox", "users")).toEqual({
    ...{ mailed_proofs: perDay, outbox: perDay },
    users: 0,
  });
});

test("passing on and reporting all that is drawn stops at a day's number", async () => {
  const user = await makeUser();
  const viewer = await makeViewer(user);
  const services = servicesAt(Date.now());
  const attempt = async (reason: "taste" | "report") => {
    const song = await makeSong(await makeUser());
    await makePackage(user, [song]);
    return passSong(services, viewer, { songId: song.id, reason, words: "" });
  };
  await times(8, () => attempt("taste"));
  await times(6, () => attempt("report"));
  expect(await counted("passes", "reports")).toEqual({
    passes: mostOf("passes", "day"),
    reports: mostOf("reports", "day"),
  });
});

test("submitting again and again stops where it is paid for, and at the free one of a day", async () => {
  const user = await makeUser();
  await giveRatings(user, freePrice);
  const track = trackOf("mara-lind", 1);
  let now = baseTime + 10 * day;
  await times(5, async (n) => {
    now += 1000;
    const services = servicesAt(() => now, { spotify: catalogue(track) });
    const viewer = await makeViewer(user);
    const asked = { trackId: track.trackId, made: "people", requestKey: `form ${n}` } as const;
    await submitSong(services, viewer, asked);
  });
  const submissions = 1 + mostOf("submissions", "day");
  expect(await counted("activity_log", "songs", "submissions")).toEqual({
    activity_log: submissions * mostOf("activity_log", "submission"),
    ...{ songs: 1, submissions },
  });
});

test("what can be asked for or chosen once is written once", async () => {
  const { user, cookie } = await makeMember({ ownEmail: "own@mail.example" });
  const song = await makeSong(user, { received: 5 });
  await times(5, async (n) => {
    const form = { receiveRatingEmails: String(n % 2 === 0) };
    const presses = [
      request("/email-preference", { cookie, form }),
      request("/song-mail", { cookie, form: { wanted: "true" } }),
      request(`/songs/${song.id}/share`, { cookie, form: {} }),
      request("/checkout-session", { cookie, form: {} }),
    ];
    for (const { status } of await Promise.all(presses)) expect(status).toBeLessThan(400);
  });
  const tables = ["email_preferences", "song_wishes", "shares", "subscriptions"];
  expect(await counted(...tables)).toEqual(Object.fromEntries(tables.map((table) => [table, 1])));
});

/** Another way in, confirmed. */
async function giveAddress({ id }: TestUser): Promise<void> {
  const address = "own@mail.example";
  const times = { created_at: baseTime, expires_at: baseTime + day, used_at: baseTime };
  await insert("mailed_proofs", {
    id: `of ${id}`,
    kind: "confirmation",
    asked_by: id,
    address,
    ...times,
  }).run();
  await env.DB.prepare("UPDATE users SET own_email = ? WHERE id = ?").bind(address, id).run();
}

test("leaving and coming back leaves one departure, and one mark a song, for each way in", async () => {
  const song = await makeSong(await makeUser());
  const services = { db, billing: stubBilling(), secret };
  await times(3, async (n) => {
    await logIn("restless", n);
    const [user] = (await rowsOf("SELECT id FROM users WHERE spotify_id = 'restless'")) as [
      TestUser,
    ];
    if (n === 0) await makeRating(user, song);
    await giveAddress(user);
    await deleteAccount({ ...services, now: () => baseTime + n }, user.id);
  });
  expect(await counted("departures", "rating_marks", "activity_log", "sessions")).toEqual({
    departures: mostOf("departures") + mostOf("departures", "address that gets mail"),
    rating_marks: mostOf("rating_marks", "song listened to"),
    ...{ activity_log: 0, sessions: 0 },
  });
});
