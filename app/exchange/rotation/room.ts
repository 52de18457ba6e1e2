/** Songs of one owner that may be in the rotation at a time (rule 26, ten songs): an album's worth. */
export const maxOwedSongs = 10;

export function takenOutText(reason: string): string {
  return `We have taken this song out of the rotation. The reason: “${reason}” If you disagree, answer the e-mail that you got about it.`;
}

export const fullText = `${maxOwedSongs} of your songs are waiting for ratings, which is the most at a time. You can add another as soon as one of them has all of its ratings. The songs you have rated stay counted.`;
