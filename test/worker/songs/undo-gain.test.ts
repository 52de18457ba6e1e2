/** What submitting a song and taking it back could gain, or break, and does not. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { FoundTrack } from "~/adapters/spotify/spotify";
import { createDatabase } from "~/db/client.server";
import { keepWindow, openPool, selectPool } from "~/domain/pool/pool.server";
import { maxUndos } from "~/domain/submission/limits";
import { submitSong } from "~/domain/submission/submit.server";
import { undoTexts } from "~/domain/submission/undo";
import { undoSubmission } from "~/domain/submission/undo.server";
import { readConfig } from "~/platform/env";
import * as index from "~/routes/_index/route";
import { trackOf } from "../../support/catalogue";
import { contents, rowsOf } from "../../support/database/contents";
import {
  freePrice,
  makeRating,
  makeSong,
  makeUser,
  type TestUser,
  unique,
} from "../../support/database/factories";
import { putInRotation, rateSongs } from "../../support/database/rotation";
import { makeSession, makeViewer, viewerOf } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { measure } from "../../support/measure";
import { catalogue } from "../../support/spotify/stub";

const db = createDatabase(env.DB);
const { sessionSecret: secret } = readConfig(env);
const track = trackOf("mara-lind", 3);
const otherTrack = trackOf("mara-lind", 4);
let now = Date.now();

type Session = { id: string };

interface Form {
  /** What Spotify says of the track. */
  found?: Partial<FoundTrack>;
  key?: string;
}

async function press({ id }: Session, { found = {}, key = unique("form") }: Form = {}) {
  const sent = { ...track, ...found };
  const services = { db, spotify: catalogue(sent), mailQueue: noteQueued(), secret };
  const viewer = await viewerOf(id);
  now += 1;
  const form = { trackId: sent.trackId, requestKey: key };
  return submitSong({ ...services, now: () => now }, viewer, form);
}

async function submit(session: Session, form: Form = {}): Promise<string> {
  const made = await press(session, form);
  if ("refused" in made) throw new Error(made.error);
  return made.submissionId;
}

async function undo({ id }: Session, submissionId: string) {
  return undoSubmission({ db, now: () => now }, await viewerOf(id), submissionId);
}

/** How many songs there are to rate, as far as the price of a submission goes by it. */
async function available({ id }: Session): Promise<number> {
  const viewer = await viewerOf(id);
  return openPool(await selectPool(db, viewer.userId), viewer, { now }).available;
}

async function ownArtists({ id }: TestUser): Promise<unknown> {
  const [row] = (await rowsOf("SELECT own_artists FROM users WHERE id = ?", id)) as {
    own_artists: string;
  }[];
  return JSON.parse(row?.own_artists ?? "");
}

test("the songs of an artist are not left out for long by submitting one of them", async () => {
  for (let n = 0; n < 3; n += 1) await makeSong(await makeUser(), { artistIds: ["0star"] });
  const user = await makeUser({ credits: freePrice });
  const { session } = await makeViewer(user);
  const id = await submit(session, { found: { artistIds: ["0star", "0guest"] } });
  expect([await available(session), await ownArtists(user)]).toEqual([
    0,
    { "0star": track.artists[0] },
  ]);
  expect(await undo(session, id)).toEqual({ ok: true });
  expect([await available(session), await ownArtists(user)]).toEqual([3, {}]);
});

test("an artist stays the owner's through another song, or the same one submitted before", async () => {
  const user = await makeUser({ credits: 4 * freePrice });
  const { session } = await makeViewer(user);
  const band = { artistIds: ["0band"], artists: ["My Band"] };
  await makeSong(user, band);
  // This one is older than the ids.
  await makeSong(user, track);
  await undo(session, await submit(session, { found: { ...otherTrack, ...band } }));
  expect(await ownArtists(user)).toEqual({ "0band": "My Band" });
  await undo(
    session,
    await submit(session, { found: { artistIds: ["0mara"], artists: ["Mara"] } }),
  );
  expect(await ownArtists(user)).toEqual({ "0band": "My Band", "0mara": "Mara" });
});

test("a late press of the same form adds nothing again, and says why", async () => {
  const user = await makeUser({ credits: 2 * freePrice });
  const { session } = await makeViewer(user);
  const form = { key: unique("form") };
  await undo(session, await submit(session, form));
  const before = await contents();
  const refused = { refused: true, status: 409, error: undoTexts.again };
  expect(await press(session, form)).toEqual(refused);
  expect(await contents()).toEqual(before);

  // Another form submits the same song.
  expect(await press(session)).toMatchObject({ title: track.title });
});

test("a press that was on its way while its form's song was taken back adds nothing", async () => {
  const user = await makeUser({ credits: 2 * freePrice });
  const { session } = await makeViewer(user);
  const requestKey = unique("form");
  const viewer = await viewerOf(session.id);
  const spotify = catalogue(track);
  let before: unknown;
  const late = await submitSong(
    {
      ...{ db, mailQueue: noteQueued(), secret, now: () => now },
      spotify: {
        ...spotify,
        // While Spotify is asked, the first press is answered, and its song taken back.
        async track(trackId) {
          await undo(session, await submit(session, { key: requestKey }));
          before = await contents();
          return spotify.track(trackId);
        },
      },
    },
    viewer,
    { trackId: track.trackId, requestKey },
  );
  expect(late).toEqual({ refused: true, status: 409, error: undoTexts.again });
  expect(await contents()).toEqual(before);
});

test("ten can be taken back within a day, so that it is no way to fill the log", async () => {
  const user = await makeUser({ credits: freePrice });
  const { session } = await makeViewer(user);
  for (let n = 0; n < maxUndos; n += 1) {
    expect(await undo(session, await submit(session))).toEqual({ ok: true });
  }
  const last = await submit(session);
  const refused = { refused: true, status: 409, error: undoTexts.usedUp };
  expect(await undo(session, last)).toEqual(refused);
  // Others are not concerned, and a day later it starts anew.
  const other = await makeViewer(await makeUser({ credits: freePrice }));
  expect(await undo(other.session, await submit(other.session))).toEqual({ ok: true });
  const older = "UPDATE activity_log SET created_at = created_at - 86400000 WHERE kind = 'undo'";
  await env.DB.prepare(older).run();
  expect(await undo(session, last)).toEqual({ ok: true });
});

test("the same key of another user's form is another form", async () => {
  const key = unique("form");
  const { session } = await makeViewer(await makeUser({ credits: freePrice }));
  await undo(session, await submit(session, { key }));
  const other = await makeViewer(await makeUser({ credits: freePrice }));
  expect(await press(other.session, { key })).toMatchObject({ title: track.title });
});

test("somebody else's submission of the track can be rated again, however far the walk has come", async () => {
  const user = await makeUser();
  await putInRotation(1, 400);
  await rateSongs(user, 1, 99);
  await rateSongs(user, 101, 150);
  const same = "song-00000100";
  await env.DB.prepare("UPDATE songs SET track_id = ? WHERE id = ?")
    .bind(track.trackId, same)
    .run();
  const session = await makeSession(user, { lastSeenAt: Date.now() - 120_000 });
  now = Date.now();
  const id = await submit(session);
  await measure(index.loader, { path: "/", cookie: session.cookie });
  expect(await rowsOf("SELECT seen_to > 100 * 60000 AS passed FROM pool_windows")).toEqual([
    { passed: 1 },
  ]);
  expect(await undo(session, id)).toEqual({ ok: true });
  const [pool] = await selectPool(db, user.id);
  expect([...(pool?.waiting ?? []), ...(pool?.found ?? [])].map(([songId]) => songId)).toContain(
    same,
  );
});

test.each([
  { what: "was taken back", again: false },
  { what: "was taken back and another submitted", again: true },
])("a walk that began before a song $what is not kept after it", async ({ again }) => {
  const user = await makeUser({ credits: 2 * freePrice });
  await putInRotation(1, 400);
  await rateSongs(user, 1, 99);
  await rateSongs(user, 101, 150);
  const same = "song-00000100";
  await env.DB.prepare("UPDATE songs SET track_id = ? WHERE id = ?")
    .bind(track.trackId, same)
    .run();
  const session = await makeSession(user);
  now = Date.now();
  const id = await submit(session);
  const viewer = await viewerOf(session.id);
  const walk = async () => openPool(await selectPool(db, user.id), viewer, { now });
  const { window } = await walk();
  const keep = async (found: typeof window) =>
    (await keepWindow(db, { userId: user.id, window: found, now }))?.length;
  expect(await undo(session, id)).toEqual({ ok: true });
  if (again) await submit(session, { found: otherTrack });
  expect(await keep(window)).toBe(0);
  expect((await walk()).eligible.map(({ songId }) => songId)).toContain(same);
  now += 60_001;
  expect(await keep((await walk()).window)).toBe(1);
  expect((await walk()).eligible.map(({ songId }) => songId)).toContain(same);
});

test("a second submission taken back leaves the walk where it is", async () => {
  const user = await makeUser({ credits: freePrice });
  await makeSong(user, { ...track });
  await env.DB.prepare(
    "INSERT INTO pool_windows (user_id, seen_to, waiting, updated_at) VALUES (?, 1, '[]', 1)",
  )
    .bind(user.id)
    .run();
  const { session } = await makeViewer(user);
  expect(await undo(session, await submit(session))).toEqual({ ok: true });
  expect(await rowsOf("SELECT seen_to FROM pool_windows")).toEqual([{ seen_to: 1 }]);
});

test("it moves neither the visit counter nor the slide", async () => {
  const user = await makeUser({ credits: freePrice });
  const { session } = await makeViewer(user, { visit: 3, slide: 2 });
  const place = () => rowsOf("SELECT visit, slide FROM users WHERE id = ?", user.id);
  const id = await submit(session);
  expect(await place()).toEqual([{ visit: 1, slide: 3 }]);
  expect(await undo(session, id)).toEqual({ ok: true });
  expect(await place()).toEqual([{ visit: 1, slide: 3 }]);
});

test("a session that ends while a song is submitted does not keep it from being submitted", async () => {
  const user = await makeUser({ credits: freePrice });
  const viewer = await makeViewer(user);
  await env.DB.prepare("DELETE FROM sessions").run();
  const services = { db, spotify: catalogue(track), mailQueue: noteQueued(), secret };
  const form = { trackId: track.trackId, requestKey: unique("form") };
  const made = await submitSong({ ...services, now: () => now }, viewer, form);
  expect(made).toMatchObject({ title: track.title });
});

test("a rating that began before a second submission and arrives after it keeps the promise", async () => {
  const user = await makeUser({ credits: 2 * freePrice });
  const song = await makeSong(user, { ...track, received: 5 });
  const { session } = await makeViewer(user);
  now = Date.now();
  const id = await submit(session);
  await makeRating(await makeUser(), song, { at: now - 1 });
  const before = await contents();
  const refused = { refused: true, status: 409, error: undoTexts.rated };
  expect(await undo(session, id)).toEqual(refused);
  expect(await contents()).toEqual(before);
});
