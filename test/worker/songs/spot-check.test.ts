import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { confirmListen, startListen } from "~/exchange/listening/listening.server";
import type { Viewer } from "~/members/viewer.server";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { consumeSpotChecks } from "~/sources/spotify/spot-check.server";
import { trackOf } from "../../support/catalogue";
import { rowsOf } from "../../support/database/contents";
import {
  baseTime,
  makeListen,
  makePackage,
  makeSong,
  makeUser,
  type TestSong,
} from "../../support/database/factories";
import { makeSession, makeViewer } from "../../support/login";
import { control, sandboxRequests } from "../../support/sandbox";
import { servicesAt } from "../../support/services";
import { deliverSpotCheck, notedSpotChecks, runSpotCheck } from "../../support/spot-checks";
import { catalogue, playing, stubSpotify } from "../../support/spotify/stub";

function at(seconds: number): number {
  return baseTime + seconds * 1000;
}

/** A free user's listen of a song of three minutes, which begins at `baseTime`. */
async function listening() {
  const song = await makeSong(await makeUser());
  const listener = await makeUser();
  await makePackage(listener, [song]);
  const viewer = await makeViewer(listener);
  const queue = notedSpotChecks();
  /** Services with a Spotify that can play the song, whatever it says is playing. */
  const services = (seconds: number, spotify = catalogue(song)) =>
    servicesAt(at(seconds), {
      spotify: { ...spotify, track: catalogue(song).track },
      spotChecks: queue.spotChecks,
    });
  const started = await startListen(services(0), viewer, {
    songId: song.id,
    startPlayback: null,
  });
  expect(started).toMatchObject({ requiredSeconds: 55 });
  return {
    ...{ song, viewer, queue },
    /** Runs the check queued last, by default when it is due. */
    async check(spotify: Spotify, seconds?: number) {
      const { message, delaySeconds } = queue.queued.at(-1) ?? missing();
      const time = at(seconds ?? delaySeconds);
      return runSpotCheck(message, time, { ...queue, spotify });
    },
    confirm: (spotify: Spotify, seconds: number) =>
      confirmListen(services(seconds, spotify), viewer, song.id),
  };
}

function missing(): never {
  throw new Error("no spot check is queued");
}

const nothing = stubSpotify({ playback: async () => null });
function failing(status: number, retryAfterSeconds?: number) {
  const error = new SpotifyError(status, "no", { retryAfterSeconds: retryAfterSeconds ?? null });
  return stubSpotify({ playback: () => Promise.reject(error) });
}
function stands(song: TestSong, seconds: number, isPlaying = true) {
  return playing(song, { progressMs: seconds * 1000, playing: isPlaying });
}

function listens() {
  return rowsOf("SELECT finished_at IS NOT NULL AS finished, evidence FROM listens");
}
const unfinished = [{ finished: 0, evidence: null }];

test("a listen queues one check in the middle of it", async () => {
  const { queue } = await listening();
  expect(queue.queued).toEqual([
    { message: { listenId: expect.any(String), after: null }, delaySeconds: 28 },
  ]);
});

test("a song that plays at the check and at the end is heard", async () => {
  const { song, queue, check, confirm } = await listening();
  expect(await check(stands(song, 28))).toBe("ack");
  expect(await confirm(stands(song, 56), 56)).toEqual({ ok: true });
  expect(await listens()).toEqual([{ finished: 1, evidence: "spotify" }]);
  expect(queue.queued).toHaveLength(1);
});

test("letting the clock run in silence and starting the song at the expected position does not count", async () => {
  const { song, check, confirm } = await listening();
  await check(nothing);
  expect(await confirm(stands(song, 56), 56)).toMatchObject({ status: 409, secondsLeft: 28 });
  expect(await confirm(stands(song, 57), 57)).toMatchObject({ status: 409 });
  // Not even later, if the next check finds silence too.
  await check(nothing, 60);
  expect(await confirm(stands(song, 90), 90)).toMatchObject({ status: 409 });
  expect(await listens()).toEqual(unfinished);
});

test("a listen found silent is heard once it really plays", async () => {
  const { song, check, confirm } = await listening();
  await check(nothing);
  await check(stands(song, 20), 56);
  expect(await confirm(stands(song, 55), 91)).toEqual({ ok: true });
});

test("a pause found by a check costs nothing once the next check finds the song playing", async () => {
  const { song, queue, check, confirm } = await listening();
  await check(stands(song, 20, false));
  expect(queue.queued[1]).toMatchObject({
    message: { after: at(28), failed: 1 },
    delaySeconds: 17,
  });
  expect(await confirm(stands(song, 22), 40)).toMatchObject({ status: 409 });
  await check(stands(song, 30), 45);
  expect(await confirm(stands(song, 56), 71)).toEqual({ ok: true });
});

test("after a check that found a pause, a listen continues from where the song is found playing", async () => {
  const { song, queue, check, confirm } = await listening();
  await check(stands(song, 20, false));
  // The next check never runs.
  const answer = await confirm(stands(song, 56), 300);
  expect(answer).toMatchObject({ status: 409, secondsLeft: 35 });
  expect(queue.queued.at(-1)).toMatchObject({ message: { after: at(300) } });
  expect(await confirm(stands(song, 91), 335)).toEqual({ ok: true });
});

/** What Spotify answers when it is asked once more, and once more. */
function then(...answers: Spotify[]) {
  return stubSpotify({
    playback: () => (answers.shift() ?? missing()).playback(),
  });
}

test("a check to which Spotify does not tell what plays asks again, and an empty answer costs nothing", async () => {
  const { song, check, confirm } = await listening();
  await check(then(nothing, nothing, stands(song, 28)));
  expect(await confirm(stands(song, 56), 56)).toEqual({ ok: true });
});

test("after a check that could never tell, the time until then does not count", async () => {
  const { song, check, confirm } = await listening();
  await check(then(nothing, nothing, nothing));
  expect(await confirm(stands(song, 56), 56)).toMatchObject({ status: 409, secondsLeft: 28 });
});

test("while a check asks again, the listen is not confirmed", async () => {
  const { song, check, confirm } = await listening();
  let meanwhile: unknown;
  const asking = stubSpotify({
    async playback() {
      meanwhile = await confirm(stands(song, 56), 56);
      return null;
    },
  });
  await check(then(nothing, asking, nothing), 55);
  expect(meanwhile).toMatchObject({ status: 409, secondsLeft: 5 });
  expect(await listens()).toEqual(unfinished);
});

test("a check that never ran costs nothing", async () => {
  const { song, confirm } = await listening();
  expect(await confirm(stands(song, 56), 56)).toEqual({ ok: true });
});

describe("if Spotify limits requests", () => {
  test("at the end, the listener waits and loses nothing", async () => {
    const { song, check, confirm } = await listening();
    await check(stands(song, 28));
    expect(await confirm(failing(429, 7), 56)).toMatchObject({
      ...{ status: 409, secondsLeft: 7, error: expect.stringContaining("slow down") },
    });
    expect(await confirm(failing(429, 3600), 64)).toMatchObject({ status: 409, secondsLeft: 15 });
    expect(await listens()).toEqual(unfinished);
    expect(await confirm(stands(song, 80), 80)).toEqual({ ok: true });
    expect(await listens()).toEqual([{ finished: 1, evidence: "spotify" }]);
  });

  test("at the check, the listener waits for another check", async () => {
    const { song, queue, check, confirm } = await listening();
    await check(failing(429, 12), 50);
    expect(queue.queued.at(-1)).toMatchObject({ message: { after: null }, delaySeconds: 12 });
    expect(await confirm(stands(song, 56), 56)).toMatchObject({ status: 409, secondsLeft: 5 });
    await check(stands(song, 62), 62);
    expect(await confirm(stands(song, 64), 64)).toEqual({ ok: true });
  });

  test("at the check, an outage at the end does not confirm the listen", async () => {
    const { check, confirm } = await listening();
    await check(failing(429, 12), 20);
    expect(await confirm(failing(503), 60)).toMatchObject({ status: 503 });
    expect(await listens()).toEqual(unfinished);
  });
});

test.each([0, 500, 503])(
  "if Spotify is down (%i) at the check and at the end, the clock decides",
  async (status) => {
    const { queue, check, confirm } = await listening();
    await check(failing(status));
    // Another check is queued meanwhile.
    expect(queue.queued).toHaveLength(2);
    expect(await confirm(failing(status), 56)).toEqual({ ok: true });
    expect(await listens()).toEqual([{ finished: 1, evidence: "clock" }]);
  },
);

test("after a check that found silence, an outage does not confirm the listen", async () => {
  const { check, confirm } = await listening();
  await check(nothing);
  expect(await confirm(failing(503), 120)).toMatchObject({ status: 503 });
});

test.each([
  [
    "who is logged out",
    async (viewer: Viewer) => {
      await env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(viewer.userId).run();
      return stubSpotify();
    },
  ],
  ["whom Spotify refuses", async () => failing(403)],
] as const)(
  "for somebody %s at the check, the time until then does not count",
  async (_, prepare) => {
    const { song, viewer, check, confirm } = await listening();
    await check(await prepare(viewer));
    expect(await confirm(stands(song, 56), 56)).toMatchObject({ status: 409, secondsLeft: 28 });
  },
);

test("a check that comes twice, too late or for no listen changes nothing", async () => {
  const { song, queue, check, confirm } = await listening();
  await check(stands(song, 28));
  await check(nothing, 40);
  expect(await confirm(stands(song, 56), 56)).toEqual({ ok: true });
  await check(nothing, 57);
  const around = { ...queue, spotify: stubSpotify() };
  expect(await runSpotCheck({ listenId: "gone", after: null }, at(1), around)).toBe("ack");
  expect(await runSpotCheck("no message", at(1), around)).toBe("ack");
  expect(await listens()).toEqual([{ finished: 1, evidence: "spotify" }]);
});

test("a check comes again if the database fails", async () => {
  const { queue, check } = await listening();
  const broken = stubSpotify({ playback: () => Promise.reject(new Error("D1 is away")) });
  expect(await check(broken)).toBe("retry");
  expect(queue.queued).toHaveLength(1);
});

test("the checks of a song that stays silent end at some point", async () => {
  const { queue, check } = await listening();
  for (let n = 1; n <= 15; n += 1) await check(nothing, n * 30);
  expect(queue.queued).toHaveLength(11);
});

test("a check that runs between the reads and writes of a confirmation is not overlooked", async () => {
  const { song, check, confirm } = await listening();
  const spotify = stubSpotify({
    async playback() {
      await check(nothing, 55);
      return stands(song, 56).playback();
    },
  });
  expect(await confirm(spotify, 56)).toMatchObject({ status: 409, secondsLeft: 1 });
  expect(await listens()).toEqual(unfinished);
});

test("the database itself refuses to finish a listen against its last check", async () => {
  const { check } = await listening();
  await check(nothing);
  const finish = (time: number) =>
    env.DB.prepare("UPDATE listens SET finished_at = ?, evidence = 'spotify'").bind(time).run();
  await expect(finish(at(200))).rejects.toThrow("a listen lasts until");
  await env.DB.prepare("UPDATE listens SET recheck_at = NULL").run();
  await expect(finish(at(28 + 55))).rejects.toThrow("a listen lasts until");
  await finish(at(28 + 56));
});

test("of two logins that were active at the same time, Spotify is asked as one of them", async () => {
  const listener = await makeUser();
  const listenId = await makeListen(listener, await makeSong(await makeUser()));
  const [one, other] = [await makeViewer(listener), await makeViewer(listener)];
  // The one with the lower id stands first in the table.
  expect(one.session.id < other.session.id).toBe(true);
  const asked: string[] = [];
  const services = {
    ...{ ...notedSpotChecks(), db: createDatabase(env.DB), now: () => at(30) },
    wait: async () => undefined,
  };
  await consumeSpotChecks(
    { messages: [{ body: { listenId, after: null }, ack() {}, retry() {} }] },
    {
      ...services,
      spotify(connection) {
        asked.push(connection.sessionId);
        return failing(503);
      },
    },
  );
  expect(asked).toEqual([other.session.id]);
});

test("the Worker asks Spotify with the listener's token, which it renews", async () => {
  const musician = "rosalba-nuvoletti";
  const track = trackOf("mara-lind", 3);
  const listener = await makeUser();
  const listenId = await makeListen(listener, await makeSong(await makeUser(), track), {
    startedAt: Date.now() - 30_000,
  });
  await control("reset", { musician });
  await makeSession(listener, { musician });
  await control("play", { musician, trackId: track.trackId, positionMs: 30_000 });
  await control("expireTokens", { musician });
  expect(await deliverSpotCheck({ listenId, after: null })).toBe(1);
  const [row] = await rowsOf("SELECT heard_ms, position_ms, recheck_at FROM listens");
  expect(row).toMatchObject({ recheck_at: null, heard_ms: expect.any(Number) });
  expect((row as { heard_ms: number }).heard_ms).toBeGreaterThanOrEqual(30_000);
  const asked = (await sandboxRequests(musician)).map(({ path, status }) => [path, status]);
  expect(asked).toEqual([
    ["/v1/me/player", 401],
    ["/api/token", 200],
    ["/v1/me/player", 200],
  ]);
});
