/** Offers for somebody who has nothing to rate. */
export interface EmptyPool {
  /** The mail that says when there are songs again; null while there are some, or the viewer is away. */
  mail: SongMail | null;
  /** The reason for which the viewer cannot add a song of their own right now; null if they can. */
  obstacle: string | null;
}

/** The mail that says when there are songs to rate again. */
export interface SongMail {
  /** The address that it would go to; null without one. */
  address: string | null;
  /** No such mails go to the address: it has unsubscribed, or mails have come back from there. */
  ended: boolean;
  /** The viewer has asked for it, and it is not owed yet. */
  asked: boolean;
}
