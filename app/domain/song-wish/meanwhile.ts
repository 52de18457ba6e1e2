import type { Eligibility } from "~/domain/submission/eligibility";

/** What somebody can do who has nothing to rate. */
export interface Meanwhile {
  /** The mail that says when there are songs again; null while there are some, or the viewer is away. */
  mail: SongMail | null;
  /** Why the viewer cannot add a song of their own right now; null if they can. */
  obstacle: string | null;
  /** Whether and at what price they can, with a free submission of today counted. */
  terms: Eligibility;
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
