/** What somebody can do who has nothing to rate. */
export interface EmptyPool {
  /** The mail that says when there are songs again; null while there are some, or the viewer is away. */
  mail: SongMail | null;
  /** Why the viewer cannot add a song of their own right now; null if they can. */
  obstacle: string | null;
}

/** The mail that says when there are songs to rate again. */
export interface SongMail {
  /** Where it would go; null if there is no address. */
  address: string | null;
  /** The address has unsubscribed from such mails. */
  ended: boolean;
  /** The viewer has asked for it, and it is not out yet. */
  asked: boolean;
}
