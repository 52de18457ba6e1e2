/**
 * What an active musician does in a month, taken from the simulation of 1,000 musicians
 * (`npm run bench -- exchange`): 8.6 visits, 31 ratings, 5.7 submissions and 1.5 passes each. It counts
 * those who stay away after a visit as well.
 */
import { fileBytes } from "../scale/recordings.ts";
import type { Run } from "../scale/world.ts";

const visits = 8.6;
const ratings = 31;
const submissions = 5.7;
const passes = 1.5;
const packages = ratings / 5;
/** A login lasts as long as somebody comes by within seven days. */
const logins = 2;
/** Of the ratings and submissions, those whose owner wants mail; two ratings share a mail. */
const mails = (ratings / 2 + submissions) * 0.8;
/** The share of ratings that carry reasons. */
const reasons = 0.3;
/** Of songs submitted and heard, the own recordings, as in the scale measurement; and of those, the WAVs. */
const own = 1 / 3;
const wavs = 0.2;
/** Days in the rotation, and after it (`retentionDays.files`), in months. */
const monthsKept = (1 + 90) / 30;

/** A run of the scale measurement, and how often it happens. Names are those of its table. */
export interface Habit {
  name: string;
  who?: Run["who"];
  times: number;
  /** What runs without a request of somebody's. */
  queued?: true;
}

export const habits: Habit[] = [
  { name: "landing", times: 4 },
  { name: "logging in", times: 2 * logins },
  { name: "carousel, new package", who: "light", times: packages },
  { name: "carousel, open package", who: "light", times: visits + ratings - packages },
  { name: "player's token", who: "light", times: visits },
  { name: "playing a song", who: "light", times: ratings * 1.1 },
  { name: "confirming a listen", who: "light", times: ratings },
  { name: "rating a song", who: "light", times: ratings },
  { name: "reasons of a rating", who: "light", times: ratings * reasons },
  { name: "why a song cannot be rated", who: "light", times: passes },
  { name: "passing on a song: taste", who: "light", times: passes },
  { name: "add-song screen", who: "light", times: submissions },
  { name: "search", who: "light", times: submissions / 2 },
  { name: "question about a song submitted before", who: "light", times: submissions },
  { name: "submitting a song", who: "light", times: submissions },
  { name: "confirmation of a submission", who: "light", times: submissions },
  { name: "ratings of 1,000 songs, free", who: "owner", times: visits },
  { name: "page of a song", who: "owner", times: submissions },
  { name: "uploading, as MP3", who: "light", times: submissions * own * (1 - wavs) },
  { name: "uploading, as WAV", who: "light", times: submissions * own * wavs },
  {
    name: "sound of an own recording, to its end",
    who: "light",
    times: ratings * 1.1 * own,
  },
  { name: "account", who: "owner", times: 1 },
  { name: "queue, ten mails of two ratings", times: mails / 10, queued: true },
  { name: "queue, a spot check", who: "light", times: ratings * 1.2, queued: true },
];

/** Messages of the queues; each is written, read and deleted, which are three operations. */
export const queueOperations = 3 * (mails + ratings * 1.2);

/**
 * Bytes with their indexes, from the sizes in test/bench/README.md ("How far one database goes").
 * `kept` stay; the others are there for a month (the log for three).
 */
export const bytes = {
  kept: ratings * 475 + submissions * (521 + 842 * 0.7),
  passing:
    ratings * (377 + 150) + mails * 502 + 3 * 250 * (ratings + submissions + logins) + 945 + 1340,
};

/** Of own recordings, once as many are deleted as come. */
export const bytesOfFiles =
  submissions * own * ((1 - wavs) * fileBytes.MP3 + wavs * fileBytes.WAV) * monthsKept;

/** Rows of listens, mails, log and marks that a month leaves, and that are deleted later. */
export const rowsDeletedLater = ratings * 3 + mails + submissions + logins * 2;
/** Rows written for each of them, by the purge as measured: itself and its entries in indexes. */
export const writesPerDeletedRow = 2.2;
