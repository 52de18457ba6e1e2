/** Two rounds of a new local database: one that its host can begin, and one that waits for a listener. */
import { insert, type RatedRecording, type RatedSong, type Row, ratingRows } from "./rows.ts";

type Song = RatedSong | RatedRecording;

const hour = 60 * 60 * 1000;
const scores = [3, 2, 4, 3, 1];

/**
 * `own` are the songs of the member who is in both, and hosts the first; the others' come from those that have all their
 * ratings. Songs come in before a round begins, and its ratings after that, as the triggers ask.
 */
export function roundSql(songs: Song[], own: Song[], now: number): string[] {
  const complete = songs.filter(
    ({ ratings, submittedAt }) => ratings.length === 5 * submittedAt.length,
  );
  const gathering = apart(complete, 5);
  const [forFirst, forSecond] = own;
  if (!forFirst || !forSecond) throw new Error("no songs for rounds");
  const first = [forFirst, ...gathering];
  const second = [
    forSecond,
    ...apart(
      complete.filter((song) => !gathering.includes(song)),
      5,
    ),
  ];
  const begun = now - 20 * hour;
  const evening = Math.floor(now / (24 * hour)) * 24 * hour + 68 * hour;
  const given = second.flatMap((listener, place) =>
    second
      .filter((song) => song !== listener)
      // One song of the first listener's is still to be heard.
      .slice(place === 0 ? 1 : 0)
      .map((song, n) =>
        ratingRows({
          id: `rating-round-${place}-${n}`,
          ...{ song_id: song.id, owner_id: song.ownerId, rater_id: listener.ownerId },
          ...{ round_id: "band-night", sealed: 1, score: scores[(place + n) % 5] ?? 3 },
          created_at: begun + (place + 1) * hour + n * 90_000,
        }),
      ),
  );
  return [
    ...insert("rounds", [
      roundRow("friday-round", first, {
        ...{ name: "Friday round", seats: 8, created_at: begun, gather_until: evening },
      }),
      roundRow("band-night", second.toReversed(), {
        ...{ name: "Band night", seats: 6, created_at: begun - hour, gather_until: begun },
      }),
    ]),
    ...insert("round_members", [
      ...membersOf("friday-round", first, begun),
      ...membersOf("band-night", second, begun - hour),
    ]),
    `UPDATE rounds SET begun_at = ${begun}, ends_at = ${begun} + listen_ms WHERE id = 'band-night';`,
    `UPDATE round_members SET listened_at = ${begun + 9 * hour}
WHERE round_id = 'band-night' AND user_id <> '${second[0]?.ownerId}';`,
    ...insert(
      "listens",
      given.map(({ listen }) => listen),
    ),
    ...insert(
      "ratings",
      given.map(({ rating }) => rating),
    ),
  ];
}

function roundRow(id: string, [host]: Song[], given: Row): Row {
  return { id, token: id, host_id: host?.ownerId ?? null, listen_ms: 48 * hour, ...given };
}

function membersOf(id: string, songs: Song[], from: number): Row[] {
  return songs.map((song, n) => ({
    ...{ round_id: id, user_id: song.ownerId, song_id: song.id, joined_at: from + n * 60_000 },
  }));
}

/** So many songs of different owners, none of whom has rated another's. */
function apart(songs: Song[], count: number): Song[] {
  const chosen: Song[] = [];
  for (const song of songs) {
    const isApart = chosen.every(
      (other) =>
        other.ownerId !== song.ownerId &&
        !other.ratings.some(({ raterId }) => raterId === song.ownerId) &&
        !song.ratings.some(({ raterId }) => raterId === other.ownerId),
    );
    if (isApart && chosen.length < count) chosen.push(song);
  }
  if (chosen.length < count) throw new Error(`only ${chosen.length} songs for rounds`);
  return chosen;
}
