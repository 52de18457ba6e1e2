/**
 * Fills a database with a rotation of any length and the users, ratings, listens, mails, sessions
 * and log lines that belong to it, as after a month of use. It writes directly into the file in one
 * transaction, and a rotation that is a multiple of 12,500 as copies of one of that length
 * (multiply.ts), so a million songs take minutes, not hours. The same size always gives the same data,
 * except for the random ids. Up to 10,000 songs no row breaks an invariant
 * (test/support/database/invariants.ts); copies leave some counts of the cast behind.
 */
import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { randomFrom } from "../../sandbox/catalogue.ts";
import { createWriter, type Person, type Song } from "./generated-rows.ts";
import { multiply } from "./multiply.ts";

/** The ids of users with special properties. */
export interface Cast {
  /** Has rated ten of the songs at the front of the rotation. */
  light: string;
  /** Has rated up to 10,000 songs at the front of the rotation, which are owed more ratings, and passed on the next. */
  heavy: string;
  /** Has rated 10,000 songs that have all their ratings. */
  settled: string;
  /** Has submitted 1,000 songs: 200 are in rotation, 800 have all their ratings. */
  owner: string;
}

const heavyRatings = 10_000;
const songsOfOwner = { due: 200, done: 800 };
/** Songs left unrated by the heavy user at the smallest size: more than twice the 150 that a carousel reads. */
const leftToHeavy = 500;
/** Of those left, the heavy user has passed on so many. */
const passesOfHeavy = 120;
/** The number of songs with a rating whose mail was not queued, so that the sweep finds it. */
const overdueMails = 600;
/** A rotation that is a multiple of this is written so far, and copied. */
const sizeCopied = 12_500;
const songsPerUser = 2.5;
const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Fills a migrated, empty database.
 * @param size songs in rotation, at least 1,000.
 * @param now epoch milliseconds; everything lies in the 29 days before.
 */
export async function fill(database: DatabaseSync, size: number, now: number): Promise<Cast> {
  const random = randomFrom(`rotation of ${size}`);
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const write = createWriter(database, random, now);
  const start = now - 29 * day;
  const at = (index: number, length: number) =>
    Math.floor(start + (index / length) * (now - 2 * 60 * minute - start));
  const cast = { light: person(), heavy: person(), settled: person(), owner: person() };
  const copies = size % sizeCopied === 0 ? size / sizeCopied : 1;
  const written = size / copies;
  const crowd = Array.from({ length: Math.ceil(written / songsPerUser) }, person);
  const archive = Array.from({ length: heavyRatings / songsPerUser }, person);
  const heavyTo = Math.min(heavyRatings, size - leftToHeavy);

  database.exec("BEGIN");
  const due = await putInRotation();
  for (const one of crowd) write.user(one, "whoever");
  openPackages(due);
  if (copies > 1) {
    multiply(database, {
      copied: crowd.map(({ id }) => id),
      copies,
      shiftMs: Math.floor((now - 2 * 60 * minute - start) / copies),
    });
  }
  await rateThrough(
    { songs: heavyRatings, overdue: overdueMails },
    (index) => pick(archive, index / songsPerUser),
    [cast.settled],
  );
  await rateThrough({ songs: songsOfOwner.done, overdue: 0 }, () => cast.owner, []);
  passOn(cast.light, due, 40, 6);
  passOn(cast.heavy, due, heavyTo, passesOfHeavy);
  for (const one of archive) write.user(one, "whoever");
  for (const one of Object.values(cast)) write.user(one, "plain");
  database.exec("COMMIT");
  const { light, heavy, settled, owner } = cast;
  return { light: light.id, heavy: heavy.id, settled: settled.id, owner: owner.id };

  /** Writes songs that have all five ratings. */
  async function rateThrough(
    { songs, overdue }: { songs: number; overdue: number },
    ownerOf: (index: number) => Person,
    always: Person[],
  ) {
    for (let index = 0; index < songs; index += 1) {
      await breathe(index);
      const song = write.song(ownerOf(index), at(index, songs), { submissions: 1, received: 5 });
      const raters = [...always, ...strangers(archive, song.owner, 5 - always.length)];
      for (const rater of raters) {
        write.rating(song, rater, index < overdue && rater === raters[0]);
      }
    }
  }

  /** Writes songs that are owed ratings, oldest first; some were submitted twice. */
  async function putInRotation(): Promise<Song[]> {
    const everyOwned = Math.floor(size / songsOfOwner.due);
    const songs: Song[] = [];
    for (let index = 0; index < written; index += 1) {
      await breathe(index);
      const owned = index % everyOwned === 0 && index / everyOwned < songsOfOwner.due;
      const always = [
        ...(index < heavyTo ? [cast.heavy] : []),
        ...(index < 30 && index % 3 === 1 ? [cast.light] : []),
      ];
      const received = always.length + upTo(4 - always.length);
      const submissions = index % 20 === 7 ? 2 : 1;
      const owner = owned ? cast.owner : pick(crowd, index / songsPerUser);
      const song = write.song(owner, at(index, size), { submissions, received });
      const others = strangers(crowd, owner, received - always.length);
      for (const rater of [...always, ...others]) write.rating(song, rater, false);
      songs.push(song);
    }
    return songs;
  }

  /** Passes on the songs that come after the `first` of the rotation, within the limit of a day. */
  function passOn(viewer: Person, songs: Song[], first: number, count: number) {
    for (let index = 0; index < count; index += 1) {
      write.pass(viewer, pick(songs, first + index), at(index, count));
    }
  }

  /** This many different people, except the owner. */
  function strangers(people: Person[], owner: Person, count: number): Person[] {
    const first = upTo(people.length - 1);
    return Array.from({ length: count + 1 }, (_, step) => pick(people, first + step * 37))
      .filter((one) => one !== owner)
      .slice(0, count);
  }

  /** Gives every fifth user of the crowd a package, from anywhere in the rotation. */
  function openPackages(songs: Song[]) {
    for (let index = 0; index < crowd.length; index += 5) {
      const viewer = pick(crowd, index);
      const first = upTo(songs.length - 1);
      const drawn = Array.from({ length: 12 }, (_, step) => pick(songs, first + step * 7));
      write.package(viewer, drawn.filter(({ owner }) => owner !== viewer).slice(0, 5));
    }
  }
}

/** Lets the process handle signals now and then. */
async function breathe(index: number): Promise<void> {
  if (index % 5000 === 0) await setImmediate();
}

function person(): Person {
  return { id: randomUUID(), rated: 0, submitted: 0, spent: 0, passed: 0 };
}

/** The element at an index, which wraps around. */
function pick<Item>(list: Item[], index: number): Item {
  const found = list[Math.floor(index) % list.length];
  if (found === undefined) throw new Error("an empty list");
  return found;
}
