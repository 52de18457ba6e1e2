import { expect, test } from "vitest";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { consumeSpotChecks } from "~/sources/spotify/spot-check.server";
import { trackOf } from "../../support/catalogue";
import { baseTime, makeListen } from "../../support/database/factories";
import { change, db, row } from "../../support/database/rows";
import { makeViewer } from "../../support/login";
import { type Someone, someone, song } from "../../support/people";
import { control, sandboxRequests } from "../../support/sandbox";
import { deliverSpotCheck, notedSpotChecks, runSpotCheck } from "../../support/spot-checks";
import { catalogue, playing, stubSpotify } from "../../support/spotify/stub";

const ok = { ok: true };
const unheard = { finishedAt: null, evidence: null };

function at(seconds: number): number {
  return baseTime + seconds * 1000;
}

/** A free user's listen of a song of three minutes, which begins at `baseTime`. */
async function listening() {
  const it = await song();
  const queue = notedSpotChecks();
  const listener = await someone({ offered: [it], spotChecks: queue.spotChecks });
  const started = await listener.at(baseTime).starts(it, null, catalogue(it));
  expect(started).toMatchObject({ requiredSeconds: 55 });
  return {
    ...{ listener, queue },
    /** Spotify says that the song stands there. */
    stands: (seconds: number, isPlaying = true) =>
      playing(it, { progressMs: seconds * 1000, playing: isPlaying }),
    /** Runs the check queued last, by default when it is due. */
    async check(spotify: Spotify, seconds?: number) {
      const { message, delaySeconds } = queue.queued.at(-1) ?? missing();
      return runSpotCheck(message, at(seconds ?? delaySeconds), { ...queue, spotify });
    },
    /** With a Spotify that can play the song, whatever it says is playing. */
    confirm: (spotify: Spotify, seconds: number) =>
      listener.at(at(seconds)).confirms(it, { ...spotify, track: catalogue(it).track }),
  };
}

function missing(): never {
  throw new Error("no spot check is queued");
}

const nothing = stubSpotify({ playback: async () => null });
function failing(status: number, retryAfterSeconds: number | null = null) {
  const error = new SpotifyError(status, "no", { retryAfterSeconds });
  return stubSpotify({ playback: () => Promise.reject(error) });
}
/** What Spotify answers when it is asked once more, and once more. */
function then(...answers: Spotify[]) {
  return stubSpotify({ playback: () => (answers.shift() ?? missing()).playback() });
}

test("a listen queues one check in the middle of it, and is heard if the song plays there and at the end", async () => {
  const { queue, stands, check, confirm } = await listening();
  const message = { listenId: expect.any(String), after: null };
  expect(queue.queued).toEqual([{ message, delaySeconds: 28 }]);
  expect(await check(stands(28))).toBe("ack");
  expect(await confirm(stands(56), 56)).toEqual(ok);
  expect(await row("listens")).toMatchObject({ evidence: "spotify" });
  expect(queue.queued).toHaveLength(1);
});

test("letting the clock run in silence and starting the song at the expected position does not count", async () => {
  const { stands, check, confirm } = await listening();
  await check(nothing);
  expect(await confirm(stands(56), 56)).toMatchObject({ status: 409, secondsLeft: 28 });
  expect(await confirm(stands(57), 57)).toMatchObject({ status: 409 });
  // Not even later, if the next check finds silence too.
  await check(nothing, 60);
  expect(await confirm(stands(90), 90)).toMatchObject({ status: 409 });
  expect(await row("listens")).toMatchObject(unheard);
});

test("a pause found by a check costs nothing once the next check finds the song playing", async () => {
  const { queue, stands, check, confirm } = await listening();
  await check(stands(20, false));
  const message = { after: at(28), failed: 1 };
  expect(queue.queued[1]).toMatchObject({ message, delaySeconds: 17 });
  expect(await confirm(stands(22), 40)).toMatchObject({ status: 409 });
  await check(stands(30), 45);
  expect(await confirm(stands(56), 71)).toEqual(ok);
});

test("after a check that found a pause, a listen continues from where the song is found playing", async () => {
  const { queue, stands, check, confirm } = await listening();
  await check(stands(20, false));
  // The next check never runs.
  expect(await confirm(stands(56), 300)).toMatchObject({ status: 409, secondsLeft: 35 });
  expect(queue.queued.at(-1)).toMatchObject({ message: { after: at(300) } });
  expect(await confirm(stands(91), 335)).toEqual(ok);
});

test("a check to which Spotify does not tell what plays asks again, and an empty answer costs nothing", async () => {
  const { stands, check, confirm } = await listening();
  await check(then(nothing, nothing, stands(28)));
  expect(await confirm(stands(56), 56)).toEqual(ok);
});

test("while a check asks again, the listen is not confirmed", async () => {
  const { stands, check, confirm } = await listening();
  let meanwhile: unknown;
  const asking = stubSpotify({
    async playback() {
      meanwhile = await confirm(stands(56), 56);
      return null;
    },
  });
  await check(then(nothing, asking, nothing), 55);
  expect(meanwhile).toMatchObject({ status: 409, secondsLeft: 5 });
  expect(await row("listens")).toMatchObject(unheard);
});

test("if Spotify limits requests at the end, the listener waits and loses nothing", async () => {
  const { stands, check, confirm } = await listening();
  await check(stands(28));
  const told = { status: 409, secondsLeft: 7, error: expect.stringContaining("slow down") };
  expect(await confirm(failing(429, 7), 56)).toMatchObject(told);
  const long = await confirm(failing(429, 3600), 64);
  expect(long).toMatchObject({ status: 409, secondsLeft: 15 });
  expect(await row("listens")).toMatchObject(unheard);
  expect(await confirm(stands(80), 80)).toEqual(ok);
});

test("if Spotify limits requests at the check, the listener waits for another check", async () => {
  const { queue, stands, check, confirm } = await listening();
  await check(failing(429, 12), 50);
  expect(queue.queued.at(-1)).toMatchObject({ message: { after: null }, delaySeconds: 12 });
  expect(await confirm(stands(56), 56)).toMatchObject({ status: 409, secondsLeft: 5 });
  await check(stands(62), 62);
  expect(await confirm(stands(64), 64)).toEqual(ok);
});

test.each([
  ["met a limit", failing(429, 12)],
  ["found silence", nothing],
])("after a check that %s, an outage does not confirm the listen", async (_, found) => {
  const { check, confirm } = await listening();
  await check(found);
  expect(await confirm(failing(503), 120)).toMatchObject({ status: 503 });
  expect(await row("listens")).toMatchObject(unheard);
});

test.each([0, 503])(
  "if Spotify is down (%i) at the check and at the end, the clock decides",
  async (status) => {
    const { queue, check, confirm } = await listening();
    await check(failing(status));
    // Another check is queued meanwhile.
    expect(queue.queued).toHaveLength(2);
    expect(await confirm(failing(status), 56)).toEqual(ok);
    expect(await row("listens")).toMatchObject({ evidence: "clock" });
  },
);

const loggedOut = async ({ id: userId }: Someone) =>
  change("sessions", { userId }, { expiresAt: baseTime });

test.each([
  ["for somebody who is logged out at the check", loggedOut, stubSpotify()],
  ["for somebody whom Spotify refuses at the check", null, failing(403)],
  ["after a check to which Spotify could never tell what plays", null, nothing],
])("%s, the time until then does not count", async (_, prepare, answer) => {
  const { listener, stands, check, confirm } = await listening();
  const { expiresAt } = await row("sessions");
  await prepare?.(listener);
  await check(answer);
  await change("sessions", {}, { expiresAt });
  expect(await confirm(stands(56), 56)).toMatchObject({ status: 409, secondsLeft: 28 });
});

test("a check that comes twice, too late or for no listen changes nothing", async () => {
  const { queue, stands, check, confirm } = await listening();
  await check(stands(28));
  await check(nothing, 40);
  expect(await confirm(stands(56), 56)).toEqual(ok);
  await check(nothing, 57);
  const around = { ...queue, spotify: stubSpotify() };
  for (const message of [{ listenId: "gone", after: null }, "no message"]) {
    expect(await runSpotCheck(message, at(1), around)).toBe("ack");
  }
  expect(await row("listens")).toMatchObject({ evidence: "spotify" });
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
  const { stands, check, confirm } = await listening();
  const spotify = stubSpotify({
    async playback() {
      await check(nothing, 55);
      return stands(56).playback();
    },
  });
  expect(await confirm(spotify, 56)).toMatchObject({ status: 409, secondsLeft: 1 });
  expect(await row("listens")).toMatchObject(unheard);
});

test("the database itself refuses to finish a listen against its last check", async () => {
  const { check } = await listening();
  await check(nothing);
  const finish = (seconds: number) =>
    change("listens", {}, { finishedAt: at(seconds), evidence: "spotify" });
  const refused = { cause: { message: expect.stringContaining("a listen lasts until") } };
  await expect(finish(200)).rejects.toMatchObject(refused);
  await change("listens", {}, { recheckAt: null });
  await expect(finish(28 + 55)).rejects.toMatchObject(refused);
  await finish(28 + 56);
});

test("of two logins that were active at the same time, Spotify is asked as one of them", async () => {
  const listener = await someone({ listensTo: await song() });
  const { id: listenId } = await row("listens");
  const [one, other] = [await makeViewer(listener), await makeViewer(listener)];
  // The one with the lower id stands first in the table.
  expect(one.session.id < other.session.id).toBe(true);
  const asked: string[] = [];
  const message = { body: { listenId, after: null }, ack() {}, retry() {} };
  const services = {
    ...{ ...notedSpotChecks(), db, now: () => at(30), wait: async () => undefined },
    spotify(connection: { sessionId: string }) {
      asked.push(connection.sessionId);
      return failing(503);
    },
  };
  await consumeSpotChecks({ messages: [message] }, services);
  expect(asked).toEqual([other.session.id]);
});

test("the Worker asks Spotify with the listener's token, which it renews", async () => {
  const musician = "rosalba-nuvoletti";
  const track = trackOf("mara-lind", 3);
  const listener = await someone({ musician });
  const startedAt = Date.now() - 30_000;
  const listenId = await makeListen(listener, await song(track), { startedAt });
  await control("reset", { musician });
  await listener.login();
  await control("play", { musician, trackId: track.trackId, positionMs: 30_000 });
  await control("expireTokens", { musician });
  expect(await deliverSpotCheck({ listenId, after: null })).toBe(1);
  const { recheckAt, heardMs } = await row("listens");
  expect([recheckAt, heardMs >= 30_000]).toEqual([null, true]);
  const asked = (await sandboxRequests(musician)).map(({ path, status }) => [path, status]);
  expect(asked).toEqual([
    ["/v1/me/player", 401],
    ["/api/token", 200],
    ["/v1/me/player", 200],
  ]);
});
