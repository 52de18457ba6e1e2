/**
 * The invented music world of the sandbox: musicians (the accounts one can sign in with), artists,
 * albums and tracks. Pure and deterministic: every run and every machine sees the same ids, so a
 * database seeded from it fits a sandbox started later.
 */
import {
  ADJECTIVES,
  AUDIENCE,
  AWKWARD_TITLES,
  LATECOMERS,
  NEWCOMERS,
  NOUNS,
  OTHER_ACTS,
  PEOPLE,
  PLACES,
  PROLIFIC,
} from "./catalogue-words.ts";

/** An account at the streaming service. */
export interface Musician {
  /** The Spotify user id; a readable slug. */
  id: string;
  displayName: string;
  email: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  product: "premium" | "free";
  /** Whether the profile has a picture. */
  avatar: boolean;
  /** false: the login works, then the Web API answers 403 (not on the app's list of users). */
  listed: boolean;
  /** Whether the seed makes a user of this musician. The others arrive with their first login. */
  seeded: boolean;
  /** What a demo user is there to show, else null. */
  demo: string | null;
  /** The songs this musician would submit, short ones (4 to 6 s) first. */
  trackIds: string[];
}

export interface CatalogueArtist {
  id: string;
  name: string;
}

export interface CatalogueAlbum {
  id: string;
  name: string;
  artistIds: string[];
  /** YYYY-MM-DD */
  releaseDate: string;
  /** false: the API answers an empty list of images. */
  cover: boolean;
}

export interface CatalogueTrack {
  id: string;
  name: string;
  artistIds: string[];
  albumId: string;
  durationMs: number;
  trackNumber: number;
  isrc: string;
  explicit: boolean;
  /** 0 to 100 */
  popularity: number;
  /** The id of the track that plays in its stead (same recording, same ISRC), else null. */
  relinkedTo: string | null;
}

/** A stream of numbers in [0, 1) that depends on the key alone (FNV-1a into mulberry32). */
export function randomFrom(key: string): () => number {
  let state = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) {
    state = Math.imul(state ^ key.charCodeAt(i), 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const BASE62 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** A 22 character id of Spotify's kind. Being 128 bits in base 62 it begins with 0 to 7. */
export function spotifyId(key: string): string {
  const random = randomFrom(key);
  let id = String(Math.floor(random() * 8));
  while (id.length < 22) id += BASE62[Math.floor(random() * 62)];
  return id;
}

/**
 * The `account_id` the Web API's /me gives for a musician: not the same as the id, and never shown
 * to people. A database seeded for sign-in keys its users by it (design section 4).
 */
export function accountIdOf(musicianId: string): string {
  return spotifyId(`account ${musicianId}`);
}

function slug(name: string): string {
  return name
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/ø/g, "o")
    .replace(/ı/g, "i")
    .replace(/[^a-z0-9]+/g, "-");
}

const DEMOS: readonly Omit<Musician, "trackIds">[] = [
  demo("demo-free", "Dana Free", "Free tier; has songs in the pool that were rated"),
  demo("demo-premium", "Perry Premium", "Fivefold premium: 34 s, 4 songs, all ratings"),
  demo("demo-pastdue", "Pat Pastdue", "Premium whose last payment failed"),
  demo("demo-new", "Nova New", "Just arrived: nothing rated, nothing submitted"),
  demo("demo-exhausted", "Ezra Exhausted", "Has rated the whole pool: no more songs"),
  { ...demo("demo-noemail", "Noa Noemail", "Spotify tells no e-mail address"), email: null },
  {
    ...demo("demo-unlisted", "Uma Unlisted", "Not on the app's user list: the login is refused"),
    listed: false,
    seeded: false,
  },
  {
    ...demo("demo-nopremium", "Nils Nopremium", "No Spotify Premium: nothing can be played"),
    product: "free",
  },
];

function demo(id: string, displayName: string, text: string): Omit<Musician, "trackIds"> {
  return {
    id,
    displayName,
    email: `${id}@musicians.example`,
    country: "US",
    product: "premium",
    avatar: id !== "demo-new",
    listed: true,
    seeded: true,
    demo: text,
  };
}

export const artists: CatalogueArtist[] = [];
export const albums: CatalogueAlbum[] = [];
export const tracks: CatalogueTrack[] = [];
export const musicians: Musician[] = [];

/** Titles in an order fixed by their number; no two alike (24 * 24 pairs before they repeat). */
function title(n: number): string {
  const adjective = ADJECTIVES[n % 24];
  const noun = NOUNS[(n * 7 + Math.floor(n / 24)) % 24];
  return n % 3 === 2
    ? `${noun} ${PLACES[(n * 3) % PLACES.length]} (${adjective} Mix)`
    : `${adjective} ${noun}`;
}

/** Short durations walk through 4.0 to 6.0 s in steps of 13 ms, so no two songs agree. */
function shortDuration(n: number): number {
  return 4_000 + ((n * 37) % 151) * 13 + (n % 7);
}

interface Act {
  artistId: string;
  /** Number of songs, and how many of them, the first, are short. */
  songs: number;
  short: number;
  awkwardTitle?: string;
  /** What the first songs are called. */
  titles?: readonly string[];
  cover?: boolean;
}

let shortCount = 0;

/** Adds an act's songs, two or three to an album, and answers their ids. */
function addSongs(act: Act): string[] {
  const random = randomFrom(`songs of ${act.artistId}`);
  const added: CatalogueTrack[] = [];
  let album: CatalogueAlbum | null = null;
  let onAlbum = 0;
  let albumSize = 0;
  for (let i = 0; i < act.songs; i++) {
    const awkward = act.awkwardTitle !== undefined && i === act.short;
    const given = awkward ? act.awkwardTitle : act.titles?.[i];
    const name = given ?? title(tracks.length);
    if (!album || onAlbum === albumSize) {
      album = {
        id: spotifyId(`album ${albums.length}`),
        name: awkward || random() < 0.4 ? name : `${title(albums.length * 5 + 1)} LP`,
        artistIds: [act.artistId],
        releaseDate: new Date(Date.UTC(2016, 0, 1 + Math.floor(random() * 3900)))
          .toISOString()
          .slice(0, 10),
        cover: act.cover ?? true,
      };
      albums.push(album);
      albumSize = 2 + Math.floor(random() * 2);
      onAlbum = 0;
    }
    onAlbum += 1;
    const guest = artists[Math.floor(random() * artists.length)];
    const track: CatalogueTrack = {
      id: spotifyId(`track ${tracks.length}`),
      name,
      artistIds:
        random() < 0.15 && guest && guest.id !== act.artistId
          ? [act.artistId, guest.id]
          : [act.artistId],
      albumId: album.id,
      durationMs:
        i < act.short ? shortDuration(shortCount++) : 90_000 + Math.floor(random() * 270_000),
      trackNumber: onAlbum,
      isrc: `ZZFVF${String(16 + (tracks.length % 11))}${String(tracks.length + 1).padStart(5, "0")}`,
      explicit: random() < 0.08,
      popularity: Math.floor(random() * 48),
      relinkedTo: null,
    };
    tracks.push(track);
    added.push(track);
  }
  return added.map((track) => track.id);
}

function addArtist(name: string): string {
  const id = spotifyId(`artist ${name}`);
  artists.push({ id, name });
  return id;
}

/** Adds somebody who is no demo user, with songs of which the first three are short. */
function addMusician(
  [displayName, country]: readonly [name: string, country: string],
  index: number,
  more: { seeded: boolean; awkwardTitle?: string | undefined },
): void {
  const { seeded, awkwardTitle } = more;
  musicians.push({
    id: slug(displayName),
    displayName,
    email: `${slug(displayName)}@musicians.example`,
    country,
    product: "premium",
    avatar: index % 4 !== 3,
    listed: true,
    seeded,
    demo: null,
    trackIds: addSongs({
      artistId: addArtist(displayName),
      songs: 5 + (index % 3),
      short: 3,
      cover: index % 13 !== 7,
      ...(awkwardTitle === undefined ? {} : { awkwardTitle }),
    }),
  });
}

/** Adds somebody with songs of its own making. */
function addPerformer(
  [id, displayName, country]: readonly [id: string, displayName: string, country: string],
  acts: Omit<Act, "artistId">[],
): Musician {
  const artistId = addArtist(displayName);
  const musician: Musician = {
    id,
    displayName,
    email: `${id}@musicians.example`,
    country,
    product: "premium",
    avatar: true,
    listed: true,
    seeded: true,
    demo: null,
    trackIds: acts.flatMap((act) => addSongs({ artistId, ...act })),
  };
  musicians.push(musician);
  return musician;
}

/** The market's twin of a musician's track: the same recording under another id, on a compilation. */
function relink(musicianId: string, place: number): void {
  const id = musicians.find((musician) => musician.id === musicianId)?.trackIds[place];
  const track = tracks.find((candidate) => candidate.id === id);
  if (!track) throw new Error("no track to relink");
  const album: CatalogueAlbum = {
    id: spotifyId(`album ${albums.length}`),
    name: "Best of the Small Stages",
    artistIds: [...track.artistIds],
    releaseDate: "2025-06-13",
    cover: true,
  };
  albums.push(album);
  const twin: CatalogueTrack = {
    ...track,
    id: spotifyId(`track ${tracks.length}`),
    albumId: album.id,
    trackNumber: 1,
  };
  tracks.push(twin);
  track.relinkedTo = twin.id;
}

// Ids go by the order of making: what is new comes last, so that it moves none of the ids before it.
for (const person of DEMOS) {
  const index = musicians.length;
  const owned = person.listed
    ? addSongs({ artistId: addArtist(person.displayName), songs: 3 + (index % 3), short: 2 })
    : [];
  musicians.push({ ...person, trackIds: owned });
}
for (const [index, person] of PEOPLE.entries()) {
  const awkwardTitle = index % 3 === 0 ? AWKWARD_TITLES[index / 3] : undefined;
  addMusician(person, index, { seeded: true, awkwardTitle });
}
for (const [index, name] of OTHER_ACTS.entries()) {
  addSongs({ artistId: addArtist(name), songs: 6, short: index === 0 ? 3 : 0 });
}
// The first and the last of these are short; the last is in rotation once the database is seeded.
relink("tobin-ashgrove", 0);
relink("lumi-haavisto", 4);
relink("zbigniew-jaskier", 2);
for (const [index, person] of NEWCOMERS.entries()) addMusician(person, index, { seeded: false });
for (const [index, person] of LATECOMERS.entries()) addMusician(person, index, { seeded: true });
const awkward = AWKWARD_TITLES.length;
/** Somebody with fifty songs: first one short song for each awkward title; the others have no cover. */
export const prolific = addPerformer(
  [PROLIFIC.id, PROLIFIC.displayName, PROLIFIC.country],
  [
    { songs: awkward, short: awkward, titles: AWKWARD_TITLES },
    { songs: 50 - awkward, short: 0, cover: false },
  ],
);
/** Those who have rated them. The first has one song, with a title that does not break. */
export const audience = AUDIENCE.map((person, index) =>
  addPerformer(
    person,
    index === 0 ? [{ songs: 1, short: 1, titles: AWKWARD_TITLES.slice(1) }] : [],
  ),
);

export const musicianById: ReadonlyMap<string, Musician> = new Map(musicians.map((m) => [m.id, m]));
export const trackById: ReadonlyMap<string, CatalogueTrack> = new Map(tracks.map((t) => [t.id, t]));
export const artistById: ReadonlyMap<string, CatalogueArtist> = new Map(
  artists.map((a) => [a.id, a]),
);
export const albumById: ReadonlyMap<string, CatalogueAlbum> = new Map(albums.map((a) => [a.id, a]));
