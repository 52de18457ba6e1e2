/**
 * Songs of one owner that may be in the rotation at a time (rule 26): an album's worth. Two of them stand in
 * line, so that the last of ten waits for four pairs before it.
 */
export const maxOwedSongs = 10;

/** The text for an owner whose song the operator has taken out of the rotation. */
export function takenOutText(reason: string): string {
  return `We have taken this song out of the rotation. The reason: “${reason}” If you disagree, answer the e-mail that you got about it.`;
}

/** The text for an owner who has that many songs in the rotation. */
export const fullText = `${maxOwedSongs} of your songs are waiting for ratings, which is the most at a time. You can add another as soon as one of them has all of its ratings. The songs you have rated stay counted.`;
