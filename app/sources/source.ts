import type { SQL } from "drizzle-orm";
import type { Batch } from "~/db/gated";
import type { Viewer } from "~/members/viewer.server";
import type { Rejection } from "~/platform/rejection";
import type { CatalogueQuery, Findings } from "./catalogue";
import type { Evidence, OpenListen } from "./listen";
import type { Made } from "./made";
import type { Song } from "./song";

/** What the exchange knows of where a song's sound comes from. The request's context chooses it, once a song. */
export type SourceOf = (song: Pick<Song, "trackId">) => Source;

export interface Source {
  /** Before a listen is opened: makes the song play. */
  begin(viewer: Viewer, song: KnownSong, how: Start): Promise<Begun>;
  /** Looks after an open listen, at a moment within the time that is left. */
  follow(listenId: string, within: { after: number | null; leftMs: number }): void;
  /** Decides whether a song was heard for the required time (rules 13 and 15). */
  verify(viewer: Viewer, song: KnownSong, listen: ReadListen): Promise<Verdict>;
  /** Why a song that rests because it does not play cannot come back. */
  mayReturn(): Promise<Rejection | null>;
  /** The same, where listeners could not play it meanwhile. */
  unplayableText: string;
  /** Whether it is so where a listener says it, whose open listen has delivered that much (rule 12, rest). */
  doesNotPlay(deliveredMs: number): Promise<boolean>;
}

export type KnownSong = Pick<Song, keyof Song> & {
  songId: string;
  artistIds: (string | null)[];
};

export interface Start {
  /** It was begun before, and not heard. */
  isAgain: boolean;
  startPlayback: ((trackId: string) => Promise<void>) | null;
}

export interface ReadListen extends OpenListen {
  listenId: string;
  doubtedAt: number | null;
  deliveredMs: number;
}

/** What was learned of the song on the way, to be written in the next batch. */
export type Learned = (condition?: SQL) => Batch;

/** The song does not play for this listener (rule 12, rest). */
interface Unplayable {
  is: "unplayable";
  rejection: Rejection;
}

export type Begun =
  | { is: "begun"; learned: Learned }
  | { is: "refused"; rejection: Rejection }
  | Unplayable;

export interface Heard {
  is: "heard";
  evidence: Evidence;
  at: number;
  learned: Learned;
  /** What it tells of the listener's login. */
  ofLogin: Batch;
}

export type Verdict =
  | Heard
  | Unplayable
  /** The source says that something else went on, so the clock alone no longer confirms the listen. */
  | { is: "contradicted"; at: number; learned: Learned; rejection: Rejection }
  /** A check had found it silent; from this position on it counts again. */
  | { is: "found again"; at: number; positionMs: number; rejection: Rejection }
  | { is: "open"; learned: Learned; rejection: Rejection };

/** A file of its owner's: of a new song or, with `songId`, a new mix of that one. */
export interface AskedFile {
  recordingId: string;
  songId: string | null;
}

/** Looks into the catalogue for the track, the place, the link or the term, whichever is given first. */
export type LookUp = (viewer: Viewer, asked: CatalogueQuery) => Promise<Findings>;

/** A track, and how its owner says that it was made; a file's row knows. */
export interface AskedTrack {
  trackId: string;
  made: Made;
}

export type AskedSong = AskedTrack | AskedFile;

export type OfferOf = (asked: AskedSong, owner: { userId: string; now: number }) => Offer;

/** A song that somebody wants to submit. */
export interface Offer {
  /** For the first batch, before the others are asked. */
  read: Batch;
  /** What a draft's submission was agreed to cost. */
  agreedCost(): number | null;
  /** Why it cannot be submitted, or what is. */
  submittable(): Promise<Submittable | Rejection>;
}

/** What a song's colour is read from. */
export interface Cover {
  artUrl: string | null;
  smallerArt: Record<number, string>;
  /** Of an own recording. */
  ownRecordingId: string | null;
  drawnFrom?: string | null;
  coverType?: "jpeg" | "png" | "webp" | null;
  fileEndedAt?: number | null;
}

interface SubmittedColumns extends Omit<Pick<Song, keyof Song>, "tint"> {
  artistIds: (string | null)[];
  ownRecordingId: string | null;
}

/** What a submission writes of a track or of an own recording, and which song of its owner's it already is. */
export interface Submittable {
  columns: SubmittedColumns;
  /** What it changes of a song that was submitted before. */
  refreshed: { [Column in keyof SubmittedColumns]?: SQL };
  knownId: SQL<string | null>;
  /** A condition on `songs`: those of the owner's that it is. */
  isKnown: SQL;
  /** That there are listeners was asked before it came, and holds. */
  isAgreed: SQL;
  /** What must still hold when it is written. */
  isThere: SQL;
  cover: Cover;
  also(isAccepted: SQL, now: number): Batch;
}
