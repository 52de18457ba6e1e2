/**
 * The invented catalogue: musicians, artists, albums and tracks. The ids are the same in every run, so a
 * database that was seeded once matches any sandbox started later.
 */
import {
  ADJECTIVES,
  AWKWARD_TITLES,
  LATECOMERS,
  LATER_NEWCOMERS,
  type NameAndCountry,
  NEWCOMERS,
  NOUNS,
  OTHER_ACTS,
  PEOPLE,
  PLACES,
} from "./catalogue-words.ts";

export interface Musician {
  id: string;
  displayName: string;
  email: string | null;
  country: string;
  product: "premium" | "free";
  avatar: boolean;
  /** false: the account can log in, but the Web API responds with 403 (not on the app's user list). */
  listed: boolean;
  /** Whether the seeded database has this musician as a user. The others become users by logging in. */
  seeded: boolean;
  /** The case that a demo user demonstrates; null for everybody else. */
  demo: string | null;
  /** Short ones (4 to 6 s) first. */
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
  releaseDate: string;
  /** false: the API returns an empty list of images. */
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
  popularity: number;
  /** The track that Spotify plays instead (same recording, same ISRC). */
  relinkedTo: string | null;
}

/** Pseudorandom numbers in [0, 1), the same for the same key (FNV-1a seeds mulberry32). */
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

/** An id like Spotify's: 128 bits as 22 characters in base 62, so the first one is 0 to 7. */
export function spotifyId(key: string): string {
  const random = randomFrom(key);
  let id = String(Math.floor(random() * 8));
  while (id.length < 22) id += BASE62[Math.floor(random() * 62)];
  return id;
}

/** A musician's `account_id` in /me, by which the product knows its users. People never see it. */
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

const DEMOS = [
  demo("demo-free", "Dana Free", "Free tier; some songs in the pool have ratings"),
  demo("demo-premium", "Perry Premium", "Fivefold premium: 34 s, 4 songs, all ratings"),
  demo("demo-pastdue", "Pat Pastdue", "Premium whose last payment failed"),
  demo("demo-new", "Nova New", "Just arrived: nothing rated, nothing submitted", { avatar: false }),
  demo("demo-exhausted", "Ezra Exhausted", "Has rated the whole pool: no more songs"),
  demo("demo-noemail", "Noa Noemail", "Spotify gives no e-mail address", { email: null }),
  demo("demo-unlisted", "Uma Unlisted", "Not on the app's user list: the login is refused", {
    ...{ listed: false, seeded: false },
  }),
  demo("demo-nopremium", "Nils Nopremium", "No Spotify Premium: nothing can be played", {
    product: "free",
  }),
];

/** The demo user without Spotify. */
export const demoByEmail = { displayName: "Mona Mail", address: "demo-mail@musicians.example" };

function demo(id: string, displayName: string, text: string, more = {}): Musician {
  return musicianOf({ id, displayName, seeded: true, demo: text, ...more });
}

function musicianOf(given: Partial<Musician> & Pick<Musician, "id" | "displayName">): Musician {
  return {
    email: `${given.id}@musicians.example`,
    country: "US",
    product: "premium",
    avatar: true,
    listed: true,
    seeded: false,
    demo: null,
    trackIds: [],
    ...given,
  };
}

export const artists: CatalogueArtist[] = [];
export const albums: CatalogueAlbum[] = [];
export const tracks: CatalogueTrack[] = [];
export const musicians: Musician[] = [];

/** The nth title; titles repeat only after 24 * 24. */
function title(n: number): string {
  const adjective = ADJECTIVES[n % 24];
  const noun = NOUNS[(n * 7 + Math.floor(n / 24)) % 24];
  return n % 3 === 2
    ? `${noun} ${PLACES[(n * 3) % PLACES.length]} (${adjective} Mix)`
    : `${adjective} ${noun}`;
}

/** The nth short duration in milliseconds: 4 to 6 s in steps of 13 ms, so that no two are equal. */
function shortDuration(n: number): number {
  return 4_000 + ((n * 37) % 151) * 13 + (n % 7);
}

interface Act {
  artistId: string;
  songs: number;
  /** How many of the songs are short; these come first. */
  short: number;
  /** The titles of the first songs; null for one that is invented. An album is named for the first that is not short. */
  titles?: readonly (string | null)[];
  cover?: boolean;
  /** One album for all of its songs, by this name. Otherwise each has two or three. */
  album?: string;
  /** The artist who plays on all of its songs. Otherwise some have a guest, drawn at random. */
  guestId?: string;
}

let shortCount = 0;

function addSongs(act: Act): string[] {
  const random = randomFrom(`songs of ${act.artistId}`);
  const added: CatalogueTrack[] = [];
  let album: CatalogueAlbum | null = null;
  let onAlbum = 0;
  let albumSize = 0;
  for (let i = 0; i < act.songs; i++) {
    const given = act.titles?.[i];
    const name = given ?? title(tracks.length);
    if (!album || onAlbum === albumSize) {
      album = {
        id: spotifyId(`album ${albums.length}`),
        name:
          act.album ??
          ((given && i === act.short) || random() < 0.4
            ? name
            : `${title(albums.length * 5 + 1)} LP`),
        artistIds: [act.artistId],
        releaseDate: new Date(Date.UTC(2016, 0, 1 + Math.floor(random() * 3900)))
          .toISOString()
          .slice(0, 10),
        cover: act.cover ?? true,
      };
      albums.push(album);
      albumSize = act.album ? act.songs : 2 + Math.floor(random() * 2);
      onAlbum = 0;
    }
    onAlbum += 1;
    const drawn = artists[Math.floor(random() * artists.length)];
    const isDrawn = random() < 0.15 && drawn !== undefined && drawn.id !== act.artistId;
    const guestId = act.guestId ?? (isDrawn ? drawn.id : null);
    const track: CatalogueTrack = {
      id: spotifyId(`track ${tracks.length}`),
      name,
      artistIds: guestId ? [act.artistId, guestId] : [act.artistId],
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

function addMusicians(
  people: readonly NameAndCountry[],
  seeded: boolean,
  titles: string[] = [],
): void {
  for (const [index, [displayName, country]] of people.entries()) {
    const awkward = (index % 3 === 0 && titles[index / 3]) || null;
    const trackIds = addSongs({
      artistId: addArtist(displayName),
      songs: 5 + (index % 3),
      short: 3,
      titles: [null, null, null, awkward],
      cover: index % 13 !== 7,
    });
    const avatar = index % 4 !== 3;
    const id = slug(displayName);
    musicians.push(musicianOf({ id, displayName, country, seeded, avatar, trackIds }));
  }
}

/** Spotify plays the same recording under another id, on a compilation. */
function relink(musicianId: string, index: number): void {
  const id = musicians.find((musician) => musician.id === musicianId)?.trackIds[index];
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
  const substitute: CatalogueTrack = {
    ...track,
    id: spotifyId(`track ${tracks.length}`),
    albumId: album.id,
    trackNumber: 1,
  };
  tracks.push(substitute);
  track.relinkedTo = substitute.id;
}

// Ids depend on the order of creation. Add new entries last, so that the existing ids stay the same.
for (const person of DEMOS) {
  const index = musicians.length;
  if (person.listed) {
    const artistId = addArtist(person.displayName);
    person.trackIds = addSongs({ artistId, songs: 3 + (index % 3), short: 2 });
  }
  musicians.push(person);
}
addMusicians(PEOPLE, true, AWKWARD_TITLES);
for (const [index, name] of OTHER_ACTS.entries()) {
  addSongs({ artistId: addArtist(name), songs: 6, short: index === 0 ? 3 : 0 });
}
// The first and the last of these are short; the last one is in rotation in the seeded database.
relink("tobin-ashgrove", 0);
relink("lumi-haavisto", 4);
relink("zbigniew-jaskier", 2);
addMusicians(NEWCOMERS, false);
addMusicians(LATECOMERS, true);
addMusicians(LATER_NEWCOMERS, false);

/** An album longer than a page of its list. */
addSongs({
  artistId: addArtist("Ottoline Vesper"),
  songs: 60,
  short: 0,
  titles: Array.from({ length: 60 }, (_, i) => `Sketch No. ${i + 1}`),
  album: "Sixty Sketches",
});

musicians.push(
  demo("demo-operator", "Otto Operator", "Operates Fivefold: opens /operator, nobody else can"),
);

/** Whose two songs are in rounds alone. */
const inRounds = demo("demo-rounds", "Ronja Rounds", "In two rounds: one to begin, one to hear");
inRounds.trackIds = addSongs({ artistId: addArtist(inRounds.displayName), songs: 2, short: 2 });
musicians.push(inRounds);

/** Plays on every song that is added while the sandbox runs. */
const houseBand = addArtist("The House Band");

export const musicianById = new Map(musicians.map((m) => [m.id, m]));
export const trackById = new Map(tracks.map((t) => [t.id, t]));
export const artistById = new Map(artists.map((a) => [a.id, a]));
export const albumById = new Map(albums.map((a) => [a.id, a]));

export function artistsOf({ artistIds }: CatalogueTrack): string[] {
  return artistIds.map((id) => artistById.get(id)?.name ?? "");
}

/** Adds a musician while the sandbox runs. A title that is null is invented. */
export function addNewMusician(
  given: Partial<Musician> & { displayName: string },
  titles: (string | null)[],
): Musician {
  const id = `musician-${musicians.length}`;
  const artist = { id: spotifyId(`artist ${id}`), name: given.displayName };
  artists.push(artist);
  const [firstAlbum, firstTrack] = [albums.length, tracks.length];
  const songs = titles.length;
  const trackIds = addSongs({
    artistId: artist.id,
    songs,
    short: songs,
    titles,
    guestId: houseBand,
  });
  const musician = musicianOf({ id, ...given, trackIds });
  musicians.push(musician);
  musicianById.set(id, musician);
  artistById.set(artist.id, artist);
  for (const album of albums.slice(firstAlbum)) albumById.set(album.id, album);
  for (const track of tracks.slice(firstTrack)) trackById.set(track.id, track);
  return musician;
}

/** The musician with this user id in the seeded database or this address; otherwise the user id itself. */
export function musicianFor(
  userId: string | null | undefined,
  email: string | null | undefined,
): string | null {
  const seeded = userId?.startsWith("user-") ? userId.slice("user-".length) : "";
  if (musicianById.has(seeded)) return seeded;
  const wanted = email?.toLowerCase();
  const known = wanted && musicians.find((musician) => musician.email?.toLowerCase() === wanted);
  return known ? known.id : userId || null;
}
