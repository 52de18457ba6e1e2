/**
 * Songs that no page may break on: fifty by one musician, some with awkward titles. Most of them have
 * all their ratings, so that nobody is offered them; one listener is offered a few.
 */
import { audience, type Musician, musicianById, prolific } from "./catalogue.ts";
import { awkwardRounds, songId } from "./seed-packages.ts";
import type { SeedSong } from "./seed-song.ts";

const minute = 60_000;

/** Whether a musician owns or rated these songs. */
export function isProlificOrAudience(musician: Musician): boolean {
  return musician === prolific || audience.includes(musician);
}

/**
 * The songs with their ratings, submitted after all others.
 * @param from epoch milliseconds, later than the last other submission.
 */
export function submitProlificSongs(from: number): SeedSong[] {
  const exhausted = musicianById.get("demo-exhausted");
  const [listener] = audience;
  if (!exhausted || !listener) throw new Error("no musicians to rate the songs");
  const owned = [prolific, listener].flatMap((owner) =>
    owner.trackIds.map((trackId, round) => ({ owner, trackId, round })),
  );
  return owned.map(({ owner, trackId, round }, index) => {
    const submittedAt = from + index * minute;
    // demo-exhausted has rated every song that is in rotation, so these too.
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
