/** The triggers that keep the line (songs_join_line, songs_keep_line), against a plain model. */
import type { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { migratedDatabase } from "../migrated-database.ts";

interface ModelSong {
  id: string;
  owner: string;
  owedSince: number | null;
  restingSince: number | null;
  lineSince: number | null;
}

/**
 * A new song; what becomes of one there is: it gets all its ratings, another promise, rests, returns; or
 * a viewer who has passed all that stand in line.
 */
type Step = {
  kind: "add" | "keep" | "promise" | "rest" | "return" | "pass";
  which: number;
  at: number;
};

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("add", "add", "keep", "promise", "rest", "return", "pass"),
  which: fc.nat(30),
  at: fc.integer({ min: 1, max: 12 }),
});

function openDatabase(): DatabaseSync {
  const db = migratedDatabase({ foreignKeys: false });
  // How many ratings a promise is of does not matter here.
  db.exec("PRAGMA ignore_check_constraints = ON");
  return db;
}

function add(db: DatabaseSync, { id, owner, owedSince }: ModelSong): void {
  db.prepare(
    `INSERT INTO songs (id, owner_id, track_id, title, artists, album, duration_ms, spotify_url,
       fetched_at, entitled, received, owed, owed_since, created_at)
     VALUES (?, ?, ?, '', '[]', '', 1, '', 0, 5, 0, 5, ?, 0)`,
  ).run(id, owner, id, owedSince);
}

/**
 * The owner's two oldest promises that do not rest stand in line.
 * @param found since when each song stands in line in the database; whoever joins gets that.
 */
function settle(
  songs: ModelSong[],
  owner: string,
  found: (song: ModelSong, last: number) => number | null,
): void {
  const own = songs.filter((song) => song.owner === owner);
  const first = own
    .filter(({ owedSince, restingSince }) => owedSince !== null && restingSince === null)
    .sort((a, b) => Number(a.owedSince) - Number(b.owedSince) || (a.id < b.id ? -1 : 1))
    .slice(0, 2);
  const joining = first.filter(({ lineSince }) => lineSince === null);
  for (const song of own) {
    const since = Math.max(song.lineSince ?? 0, song.owedSince ?? 0);
    song.lineSince = first.includes(song) && !joining.includes(song) ? since : null;
  }
  const last = Math.max(0, ...songs.map(({ lineSince }) => lineSince ?? 0));
  for (const song of joining) {
    song.lineSince = found(song, last);
  }
}

/** Takes a step in the model and in the database. */
function take({ kind, which, at }: Step, songs: ModelSong[], db: DatabaseSync): void {
  if (kind === "add") {
    // Ids that are not in the order of the promises.
    const id = `${(songs.length * 7) % 31}`.padStart(2, "0");
    const owedSince = at > 11 ? null : at;
    const song = { id, owner: `o${which % 3}`, owedSince, restingSince: null, lineSince: null };
    songs.push(song);
    add(db, song);
    if (owedSince === null) return;
    // It joins where its promise puts it.
    settle(songs, song.owner, ({ id, owedSince }) => (id === song.id ? owedSince : null));
    return;
  }
  if (kind === "pass") {
    db.prepare(
      `INSERT INTO pool_windows (user_id, hears_spotify, seen_to, waiting, updated_at)
       SELECT ?, 1, coalesce(max(line_since), 0), '[]', 0 FROM songs WHERE true
       ON CONFLICT DO UPDATE SET seen_to = excluded.seen_to`,
    ).run(`v${which % 2}`);
    return;
  }
  const song = songs[which % (songs.length || 1)];
  if (!song) return;
  const { owedSince, restingSince } = song;
  if (kind === "keep") Object.assign(song, { owedSince: null, restingSince: null });
  if (kind === "promise") song.owedSince = at;
  if (kind === "rest" && owedSince !== null) song.restingSince = at;
  if (kind === "return") song.restingSince = null;
  db.prepare("UPDATE songs SET owed_since = ?, resting_since = ? WHERE id = ?").run(
    song.owedSince,
    song.restingSince,
    song.id,
  );
  if (song.owedSince !== owedSince || song.restingSince !== restingSince) {
    settle(songs, song.owner, (joining, last) => {
      const since = lineSinceOf(db, joining);
      // Behind everybody who stays.
      expect(since).toBeGreaterThanOrEqual(Math.max(last, joining.owedSince ?? 0));
      // And behind what anybody has passed: there it would be offered to nobody who has.
      expect(since).toBeGreaterThan(furthestWindow(db));
      return since;
    });
  }
}

function furthestWindow(db: DatabaseSync): number {
  const row = db.prepare("SELECT coalesce(max(seen_to), -1) AS end FROM pool_windows").get();
  return (row as { end: number }).end;
}

function lineSinceOf(db: DatabaseSync, { id }: ModelSong): number | null {
  const row = db.prepare("SELECT line_since AS since FROM songs WHERE id = ?").get(id);
  return (row as { since: number | null }).since;
}

test("whatever happens to songs, in line stand those of the model, at the model's times", () => {
  const db = openDatabase();
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      db.exec("DELETE FROM songs; DELETE FROM pool_windows");
      const songs: ModelSong[] = [];
      for (const one of steps) {
        take(one, songs, db);
        const stored = db
          .prepare("SELECT id, line_since AS lineSince FROM songs ORDER BY rowid")
          .all();
        const expected = songs.map(({ id, lineSince }) => ({ id, lineSince }));
        expect(stored.map((row) => ({ ...row }))).toEqual(expected);
      }
    }),
    { numRuns: 300 },
  );
});
