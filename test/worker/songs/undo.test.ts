import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createDatabase } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { replacePackage } from "~/domain/carousel/package.server";
import { openListen } from "~/domain/listening/listens.server";
import { withdrawSong } from "~/domain/rotation/withdraw.server";
import { undoMs } from "~/domain/submission/limits";
import { submitSong } from "~/domain/submission/submit.server";
import { undoTexts } from "~/domain/submission/undo";
import { undoSubmission } from "~/domain/submission/undo.server";
import { readConfig } from "~/platform/env";
import { trackOf } from "../../support/catalogue";
import { contents, rowsOf, whileWritesFail } from "../../support/database/contents";
import {
  baseTime,
  freePrice,
  insert,
  makeListen,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
  unique,
} from "../../support/database/factories";
import { makeMember, makeViewer, viewerOf } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { consume } from "../../support/mails";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { catalogue } from "../../support/spotify/stub";

const db = createDatabase(env.DB);
const { sessionSecret: secret } = readConfig(env);
const tracks = [1, 2, 3, 4].map((n) => trackOf("mara-lind", n));
const [track, otherTrack] = tracks as [(typeof tracks)[0], (typeof tracks)[0]];
/** What a submission writes besides the log. */
const tables = ["users", "songs", "submissions", "outbox", "package_songs"];

/** What these tables hold, but for where users stand in the cycles of visits and slides. */
async function written(...names: string[]): Promise<unknown> {
  const { users = [], ...others } = await contents(...names);
  return { ...others, users: users.map((user) => ({ ...(user as object), visit: 0, slide: 0 })) };
}

/** More than a day after what the factories make. */
let now = 0;
beforeEach(() => {
  now = baseTime + 2 * 86_400_000;
});

type Session = { id: string };

async function submit({ id }: Session, trackId = track.trackId): Promise<string> {
  now += 1;
  const services = { db, spotify: catalogue(...tracks), mailQueue: noteQueued(), secret };
  const made = await submitSong({ ...services, now: () => now }, await viewerOf(id), {
    trackId,
    requestKey: unique("form"),
  });
  if ("refused" in made) throw new Error(made.error);
  return made.submissionId;
}

async function undo({ id }: Session, submissionId: string) {
  return undoSubmission({ db, now: () => now }, await viewerOf(id), submissionId);
}

async function songOf(submissionId: string): Promise<TestSong> {
  const [row] = (await rowsOf(
    `SELECT songs.id, songs.owner_id AS ownerId FROM songs JOIN submissions ON song_id = songs.id
     WHERE submissions.id = ?`,
    submissionId,
  )) as Pick<TestSong, "id" | "ownerId">[];
  if (!row) throw new Error("no song");
  return { ...track, ...row };
}

async function owner(credits = freePrice): Promise<{ user: TestUser; session: Session }> {
  const user = await makeUser({ credits });
  const { session } = await makeViewer(user);
  return { user, session };
}

describe("taken back whole:", () => {
  test("a first submission, of which only the log is left", async () => {
    const { user, session } = await owner(freePrice + 1);
    const before = await written(...tables);
    const id = await submit(session);
    now += undoMs - 1;
    expect(await undo(session, id)).toEqual({ ok: true });
    expect(await written(...tables)).toEqual(before);
    expect(
      await rowsOf("SELECT kind FROM activity_log WHERE user_id = ? ORDER BY created_at", user.id),
    ).toEqual([{ kind: "upload" }, { kind: "undo" }]);
  });

  test("a free one, after which the day's free one can be made again", async () => {
    const { session } = await owner(0);
    const before = await written(...tables);
    for (let times = 0; times < 3; times += 1) await undo(session, await submit(session));
    expect(await written(...tables)).toEqual(before);
    await submit(session);
    await expect(submit(session, otherTrack.trackId)).rejects.toThrow("one song a day");
  });

  test.each([0, 3, 5, 7])("a second listen, with %i ratings before it", async (received) => {
    const { user, session } = await owner(2 * freePrice);
    const song = await makeSong(user, { ...track, received });
    const columns = "entitled, owed, owed_since, line_since, received, active_at";
    const its = () => rowsOf(`SELECT ${columns} FROM songs WHERE id = ?`, song.id);
    const before = [await its(), await written("users", "submissions", "outbox")];
    expect(await undo(session, await submit(session))).toEqual({ ok: true });
    expect([await its(), await written("users", "submissions", "outbox")]).toEqual(before);
  });

  describe("a song that had rested, which rests again", () => {
    const its = (id: string) =>
      rowsOf(
        `SELECT entitled, owed, owed_since, line_since, resting_since, withdrawn,
           (SELECT count(*) FROM play_refusals WHERE song_id = songs.id AND answered_at IS NULL) AS refusals
         FROM songs WHERE id = ?`,
        id,
      );

    test.each([
      { what: "withdrawn by its owner", withdrawn: 1, refusals: 0 },
      { what: "not played by Spotify", withdrawn: 0, refusals: 3 },
    ])("$what", async ({ withdrawn, refusals }) => {
      const { user, session } = await owner(2 * freePrice);
      const song = await makeSong(user, { ...track, received: 3 });
      for (let n = 0; n < refusals; n += 1) {
        const listener = await makeUser();
        const values = { song_id: song.id, user_id: listener.id, created_at: baseTime };
        await insert("play_refusals", values).run();
      }
      const rest = "UPDATE songs SET resting_since = ?, withdrawn = ? WHERE id = ?";
      await env.DB.prepare(rest).bind(baseTime, withdrawn, song.id).run();
      const before = await its(song.id);
      const id = await submit(session);
      expect(await its(song.id)).toMatchObject([
        { resting_since: null, withdrawn: 0, refusals: 0 },
      ]);
      expect(await undo(session, id)).toEqual({ ok: true });
      expect(await its(song.id)).toEqual(before);
    });

    test("or one that two listeners were refused: the next is the third in a row", async () => {
      const { user, session } = await owner(2 * freePrice);
      const song = await makeSong(user, { ...track, received: 3 });
      const refuse = async () => {
        const values = { song_id: song.id, user_id: (await makeUser()).id, created_at: baseTime };
        await insert("play_refusals", values).run();
      };
      await refuse();
      await refuse();
      const before = await its(song.id);
      const id = await submit(session);
      expect(await undo(session, id)).toEqual({ ok: true });
      expect(await its(song.id)).toEqual(before);
      const again = await submit(session);
      await refuse();
      expect(await undo(session, again)).toEqual({ ok: true });
      // Three without a rest would be one too many.
      expect(await its(song.id)).toMatchObject([{ resting_since: null, refusals: 1 }]);
    });

    test("but one that was withdrawn since stays withdrawn since then", async () => {
      const { user, session } = await owner(2 * freePrice);
      const song = await makeSong(user, { ...track, received: 3 });
      const id = await submit(session);
      const viewer = await viewerOf(session.id);
      expect(await withdrawSong({ db, now: () => now }, viewer, song.id)).toEqual({ ok: true });
      expect(await undo(session, id)).toEqual({ ok: true });
      expect(await its(song.id)).toMatchObject([{ resting_since: now, withdrawn: 1 }]);
    });
  });

  test("the latest first, whatever was submitted before it", async () => {
    const { session } = await owner(6 * freePrice);
    for (let n = 0; n < freePrice; n += 1) await makeSong(await makeUser());
    const states = [];
    const made = [];
    for (const { trackId } of [...tracks, ...tracks.slice(0, 2)]) {
      states.push(await written("users", "submissions", "outbox"));
      made.push(await submit(session, trackId));
    }
    for (const id of made.reverse()) {
      expect(await undo(session, id)).toEqual({ ok: true });
      expect(await written("users", "submissions", "outbox")).toEqual(states.pop());
    }
    expect(await rowsOf("SELECT id FROM songs WHERE track_id = ?", track.trackId)).toEqual([]);
  });

  test("a song that somebody has in a package leaves it", async () => {
    const { session } = await owner();
    const id = await submit(session);
    const other = await makeSong(await makeUser());
    await makePackage(await makeUser(), [other, await songOf(id)]);
    await makePackage(await makeUser(), [await songOf(id)]);
    expect(await undo(session, id)).toEqual({ ok: true });
    expect(await rowsOf("SELECT song_id FROM package_songs")).toEqual([{ song_id: other.id }]);
  });

  test.each([
    { what: "new", kept: 0 },
    { what: "rated through before", received: 5, kept: 0 },
    { what: "still owed ratings from before", received: 3, kept: 2 },
  ])("whoever listens or has heard it, a song that was $what", async ({ received, kept }) => {
    const { user, session } = await owner(2 * freePrice);
    if (received) await makeSong(user, { ...track, received });
    const id = await submit(session);
    const song = await songOf(id);
    await makeListen(await makeUser(), song, { startedAt: now + 1 });
    const finishedAt = now + undoMs - 1;
    await makeListen(await makeUser(), song, { startedAt: now + 1, finishedAt });
    now = finishedAt;
    expect(await undo(session, id)).toEqual({ ok: true });
    // Only a finished listen can become a rating, and of these only one that is owed may.
    const open = "SELECT id FROM listens WHERE song_id = ? AND closed_at IS NULL";
    expect(await rowsOf(open, song.id)).toHaveLength(kept);
  });

  test("its mail, which is never sent", async () => {
    const { session } = await owner();
    const id = await submit(session);
    const [mail] = (await rowsOf("SELECT id FROM outbox")) as { id: string }[];
    await undo(session, id);
    const logged = vi.spyOn(console, "log").mockImplementation(() => undefined);
    expect(await consume([mail?.id ?? ""], { now: () => now + undoMs })).toEqual(["done"]);
    const events = logged.mock.calls.map(([line]) => JSON.parse(line).event);
    logged.mockRestore();
    // Nothing that reads like a fault.
    expect(events).toEqual(["outbox_row_gone"]);
  });
});

describe("refused, and nothing changes:", () => {
  async function expectRefused(session: Session, id: string, error: string, status = 409) {
    const before = await contents(...tables, "activity_log", "listens", "ratings");
    expect(await undo(session, id)).toEqual({ refused: true, status, error });
    expect(await contents(...tables, "activity_log", "listens", "ratings")).toEqual(before);
  }

  test("after a minute", async () => {
    const { session } = await owner();
    const id = await submit(session);
    now += undoMs;
    await expectRefused(session, id, undoTexts.late);
  });

  test("once somebody has rated, however many it is still owed from before", async () => {
    const { user, session } = await owner(2 * freePrice);
    const song = await makeSong(user, { ...track });
    const id = await submit(session);
    await makeRating(await makeUser(), song, { at: now });
    await expectRefused(session, id, undoTexts.rated);
  });

  test("before a later one, whose price may follow from it", async () => {
    const { session } = await owner();
    const id = await submit(session);
    const later = await submit(session, otherTrack.trackId);
    await expectRefused(session, id, undoTexts.later);
    expect(await undo(session, later)).toEqual({ ok: true });
    expect(await undo(session, id)).toEqual({ ok: true });
  });

  test("once the operator has taken the song out, which deleting it would undo", async () => {
    const { session } = await owner();
    const id = await submit(session);
    const { id: songId } = await songOf(id);
    const takeOut = "UPDATE songs SET taken_out = 'Hate.', resting_since = ? WHERE id = ?";
    await env.DB.prepare(takeOut).bind(now, songId).run();
    await expectRefused(session, id, undoTexts.takenOut);
  });

  test("once its mail is on its way", async () => {
    const { session } = await owner();
    const id = await submit(session);
    await env.DB.prepare("UPDATE outbox SET mail_id = id").run();
    await expectRefused(session, id, undoTexts.late);
  });

  test("to everybody else, and for what there never was", async () => {
    const { session } = await owner();
    const stranger = await owner();
    const id = await submit(session);
    await expectRefused(stranger.session, id, undoTexts.none, 404);
    await expectRefused(session, "no-such-submission", undoTexts.none, 404);
    await undo(session, id);
    await expectRefused(stranger.session, id, undoTexts.none, 404);
  });
});

test("what a listener heard before a second listen does not hold it up", async () => {
  const { user, session } = await owner(2 * freePrice);
  const song = await makeSong(user, { ...track, received: 2 });
  await makeListen(await makeUser(), song, { startedAt: now - 1 });
  expect(await undo(session, await submit(session))).toEqual({ ok: true });
});

test("pressed five times at once, it takes back once, and all five say so", async () => {
  const { user, session } = await owner(2 * freePrice);
  await submit(session);
  const id = await submit(session, otherTrack.trackId);
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => undo(session, id)));
  expect(answers).toEqual(Array(5).fill({ ok: true }));
  expect(await rowsOf("SELECT submitted_count FROM users WHERE id = ?", user.id)).toEqual([
    { submitted_count: 1 },
  ]);
  expect(await rowsOf("SELECT id FROM activity_log WHERE kind = 'undo'")).toEqual([{ id }]);
});

test("against a listener who presses at the same moment, no listen of it is left", async () => {
  for (const isListenerFirst of [true, false]) {
    const { session } = await owner();
    const id = await submit(session);
    const { id: songId } = await songOf(id);
    const listener = await makeUser();
    const listen = { id: unique("listen"), userId: listener.id, songId, requiredSeconds: 55 };
    const begin = () => runBatch(db, openListen(db, listen, now));
    if (isListenerFirst) await begin();
    expect(await undo(session, id)).toEqual({ ok: true });
    if (!isListenerFirst) expect((await begin()).opened).toEqual([]);
    expect(await rowsOf("SELECT id FROM listens WHERE user_id = ?", listener.id)).toEqual([]);
  }
});

test("a package that was being drawn goes without it", async () => {
  const { session } = await owner();
  const id = await submit(session);
  const [gone, other] = [await songOf(id), await makeSong(await makeUser())];
  await undo(session, id);
  const drawn = [{ songId: gone.id }, { songId: other.id }];
  const listener = await makeUser();
  const { standing } = await runBatch(
    db,
    replacePackage(db, { userId: listener.id, lastNumber: 0, drawn, drawnAt: now }),
  );
  expect(standing.map(({ songId }) => songId)).toEqual([other.id]);
});

test.each([
  ["INSERT", "activity_log"],
  ["UPDATE", "users"],
  ["DELETE", "outbox"],
  ["DELETE", "songs"],
] as const)("if the %s of %s fails, nothing is taken back", async (write, table) => {
  const { session } = await owner();
  const id = await submit(session);
  const before = await contents(...tables, "activity_log");
  await whileWritesFail(write, table, async () => {
    await expect(undo(session, id)).rejects.toThrow();
  });
  expect(await contents(...tables, "activity_log")).toEqual(before);
  expect(await undo(session, id)).toEqual({ ok: true });
});

describe("POST /submissions/:submissionId/undo", () => {
  const musician = "yaropolk-vetrov";

  async function submitted() {
    await control("reset", { musician });
    const { cookie } = await makeMember({ credits: freePrice, musician });
    const json = { trackId: trackOf(musician, 3).trackId };
    const answer = await request("/submissions", { cookie, json });
    const { submissionId } = await answer.json<{ submissionId: string }>();
    return { cookie, path: `/submissions/${submissionId}/undo`, submissionId };
  }

  test("leads people back to the choice, which says so, also when pressed twice", async () => {
    const { cookie, path, submissionId } = await submitted();
    const told = "Your song was taken back. The ratings it cost count again.";
    const screen = `/?menu=addownsong&undone=${submissionId}`;
    const read = async () => (await request(screen, { cookie })).text();
    expect(await read()).not.toContain(told);
    for (let times = 0; times < 2; times += 1) {
      const answer = await request(path, { cookie, form: {} });
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, screen]);
    }
    expect(await read()).toContain(told);
    expect(await rowsOf("SELECT id FROM submissions WHERE spent > 0")).toEqual([]);
    const json = { trackId: trackOf(musician, 3).trackId };
    expect((await request("/submissions", { cookie, json })).status).toBe(200);
    expect(await read()).not.toContain(told);
  });

  test("is offered with the seconds left, here and on the carousel, whoever listens", async () => {
    const { cookie, path, submissionId } = await submitted();
    await makeListen(await makeUser(), await songOf(submissionId), { startedAt: Date.now() });
    const screens = [
      `/?menu=songaddedtopool&submission=${submissionId}`,
      `/?added=${submissionId}`,
    ];
    for (const screen of screens) {
      const page = await (await request(screen, { cookie })).text();
      expect(page).toContain(`action="${path}"`);
      expect(page).toMatch(/\((60|5\d) seconds left\)/);
    }
    const shifted = (column: string, table: string) =>
      env.DB.prepare(`UPDATE ${table} SET ${column} = ${column} - ?`).bind(undoMs);
    await env.DB.batch([shifted("created_at", "submissions"), shifted("owed_since", "songs")]);
    for (const screen of screens) {
      expect(await (await request(screen, { cookie })).text()).not.toContain("Take it back");
    }
    const late = await request(path, { cookie, json: {} });
    expect([late.status, await late.json()]).toEqual([409, { error: undoTexts.late }]);
  });
});
