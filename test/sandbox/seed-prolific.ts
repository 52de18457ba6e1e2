/**
 * Songs that pages must survive: fifty by one musician, with the awkward titles among them. They are
 * rated through, so that nobody else is ever led to them, but for a few that one listener is offered.
 */
import { audience, type Musician, musicianById, prolific } from "./catalogue.ts";
import { awkwardRounds, songId } from "./seed-packages.ts";
import type { SeedSong } from "./seed-song.ts";

const minute = 60_000;

/** Whether a musician belongs to these songs, as their owner or one of those who rated them. */
export function isLateSeeded(musician: Musician): boolean {
  return musician === prolific || audience.includes(musician);
}

/**
 * The songs with their ratings, to come after all others.
 * @param from epoch milliseconds, after the last other submission.
 */
export function submitLate(from: number): SeedSong[] {
  const exhausted = musicianById.get("demo-exhausted");
  const [listener] = audience;
  if (!exhausted || !listener) throw new Error("no musicians to rate the songs");
  const owned = [prolific, listener].flatMap((owner) =>
    owner.trackIds.map((trackId, round) => ({ owner, trackId, round })),
  );
  return owned.map(({ owner, trackId, round }, index) => {
    const submittedAt = from + index * minute;
    // Who has rated all that is in rotation has rated what stays in it, too.
    const open = owner === listener || awkwardRounds.includes(round);
    const raters = open ? [exhausted] : audience;
    return {
      id: songId(owner.id, round),
      owner,
      trackId,
      submittedAt,
      ratings: raters.map((rater, n) => ({
        rater,
        score: 1 + ((index + n) % 4),
        at: submittedAt + (n + 1) * 90 * minute,
      })),
    };
  });
}
