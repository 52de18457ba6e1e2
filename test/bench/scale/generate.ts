/**
 * Fills a database with a rotation of any length and the users, ratings, listens, mails, sessions
 * and log lines that belong to it, as they would stand after a month. Straight into the file, in
 * one transaction: a million songs take minutes, not hours. The same size gives the same shape each
 * time; the ids are random, as they are in the app. Nothing of it breaks an invariant
 * (test/support/database/invariants.ts).
 */
import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { randomFrom } from "../../sandbox/catalogue.ts";
import { createWriter, type Person, type Song } from "./generated-rows.ts";

/** Users of whom the measurements know what is special about them; by their ids. */
export interface Cast {
  /** Has rated ten songs of those that are due first. */
  light: string;
  /** Has rated the songs that are due first, up to 10,000, all of which are owed more ratings. */
  heavy: string;
  /** Has rated 10,000 songs that have got all their ratings. */
  settled: string;
  /** Has put up 1,000 songs: 200 are in rotation, 800 have got all their ratings. */
  owner: string;
}

const heavyRatings = 10_000;
const songsOfOwner = { due: 200, done: 800 };
/** At the smallest size: more than the two times 150 that a carousel looks at. */
const leftToHeavy = 400;
/** So many songs have a rating whose mail no message leads to, for the sweep to find. */
const overdueMails = 600;
const songsPerUser = 2.5;
const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Fills a migrated, empty database.
 * @param size songs in rotation, 1,000 at least.
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
  const crowd = Array.from({ length: Math.ceil(size / songsPerUser) }, person);
  const archive = Array.from({ length: heavyRatings / songsPerUser }, person);
  const heavyTo = Math.min(heavyRatings, size - leftToHeavy);

  database.exec("BEGIN");
  await rateThrough(
    { songs: heavyRatings, overdue: overdueMails },
    (index) => pick(archive, index / songsPerUser),
    [cast.settled],
  );
  await rateThrough({ songs: songsOfOwner.done, overdue: 0 }, () => cast.owner, []);
  const due = await putInRotation();
  for (const one of [...archive, ...crowd]) write.user(one, "whoever");
  for (const one of Object.values(cast)) write.user(one, "plain");
  openPackages(due);
  database.exec("COMMIT");
  const { light, heavy, settled, owner } = cast;
  return { light: light.id, heavy: heavy.id, settled: settled.id, owner: owner.id };

  /** Songs that have got the five ratings they were owed. */
  async function rateThrough(
    { songs, overdue }: { songs: number; overdue: number },
    ownerOf: (index: number) => Person,
    always: Person[],
  ) {
    for (let index = 0; index < songs; index += 1) {
      await breathe(index);
      const song = write.song(ownerOf(index), at(index, songs), { submissions: 1, received: 5 });
      const raters = [...always, ...strangers(archive, song.owner, 5 - always.length)];
      for (const rater of raters) rate(song, rater, index < overdue && rater === raters[0]);
    }
  }

  /** Songs that are owed ratings, the first one longest; some were submitted twice. */
  async function putInRotation(): Promise<Song[]> {
    const everyOwned = Math.floor(size / songsOfOwner.due);
    const songs: Song[] = [];
    for (let index = 0; index < size; index += 1) {
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
      for (const rater of [...always, ...others]) rate(song, rater, false);
      songs.push(song);
    }
    return songs;
  }

  function rate(song: Song, rater: Person, overdue: boolean) {
    const since = song.createdAt;
    const time = Math.floor(since + minute + random() * (now - since - 2 * minute));
    write.rating(song, rater, time, overdue);
  }

  /** So many people, none twice and none of them the owner. */
  function strangers(people: Person[], owner: Person, count: number): Person[] {
    const first = upTo(people.length - 1);
    return Array.from({ length: count + 1 }, (_, step) => pick(people, first + step * 37))
      .filter((one) => one !== owner)
      .slice(0, count);
  }

  /** Every fifth of the crowd has a package to rate, anywhere in the rotation. */
  function openPackages(songs: Song[]) {
    for (let index = 0; index < crowd.length; index += 5) {
      const viewer = pick(crowd, index);
      const first = upTo(songs.length - 1);
      const drawn = Array.from({ length: 12 }, (_, step) => pick(songs, first + step * 7));
      write.package(viewer, drawn.filter(({ owner }) => owner !== viewer).slice(0, 5));
    }
  }
}

/** Lets the process hear now and then that it is to stop. */
async function breathe(index: number): Promise<void> {
  if (index % 5000 === 0) await setImmediate();
}

function person(): Person {
  return { id: randomUUID(), rated: 0, submitted: 0, spent: 0 };
}

/** One of a list, which goes round. */
function pick<Item>(list: Item[], index: number): Item {
  const found = list[Math.floor(index) % list.length];
  if (found === undefined) throw new Error("an empty list");
  return found;
}
