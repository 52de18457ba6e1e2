/** Makes musicians for browser tests: each with an account at Spotify, songs and ratings of their own. */
import {
  accountIdOf,
  albumById,
  artistById,
  artistsOf,
  type CatalogueAlbum,
  type CatalogueTrack,
  type Musician as SpotifyMusician,
  trackById,
  tracks,
} from "../../sandbox/catalogue.ts";
import { type RatedSong, type Row, rowsOfSongs } from "../../sandbox/rows.ts";
import { order, type SandboxRequest, sandboxOrigin, sandboxRequests } from "./control.ts";
import { onDatabase, writeRows } from "./local-database.ts";

export interface MusicianOptions {
  /** By default a name that nobody else has. One that is given is shown as it is, and may be shared. */
  name?: string;
  /** At Spotify; "premium" by default. */
  product?: "premium" | "free";
  /** false: not on the app's list of users at Spotify. */
  listed?: false;
  /** null: Spotify tells none. */
  address?: null;
  /** Short songs that they have at Spotify, besides those in `own`, to be submitted: how many, or their titles. */
  songs?: number | string[];
  /** false: has never logged in. Nothing of what follows can be given then. */
  known?: false;
  tier?: "premium" | "past_due";
  /** Ratings given and not spent. */
  credits?: number;
  /** The songs to rate, the first one shown large. By default five short ones; none means no package. */
  offered?: (CatalogueTrack | RatedSong)[];
  /** The scores given to the first of these, just now. They are credits, too. */
  rated?: number[];
  /** How many of those that follow were heard, so that they can be rated. */
  heard?: number;
  /** Songs that they have submitted, oldest first. */
  own?: OwnSong[];
}

interface OwnSong {
  /** The ratings received, oldest first. */
  scores?: number[];
  /** How often it was submitted; 1 by default. */
  submissions?: number;
  /** By default a short song of theirs. */
  track?: CatalogueTrack;
  /** The title of that; by default one is invented. */
  title?: string;
}

/** A musician whom no other test knows. */
export interface Musician {
  /** At Spotify. */
  id: string;
  displayName: string;
  /** "" where Spotify tells none. */
  address: string;
  /** At Fivefold. */
  userId: string;
  /** Their songs at Spotify that they have not submitted. */
  songs: CatalogueTrack[];
  offered: RatedSong[];
  own: RatedSong[];
  /** Orders something of the sandbox for this musician alone (test/sandbox/control.ts). */
  order(action: string, fields?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The calls of Spotify's Web API made for them, oldest first, such as "GET /v1/me". */
  calls(route: string): Promise<SandboxRequest[]>;
}

const minute = 60_000;

/** Songs of different artists with covers and short titles. */
const plainTracks = tracks.filter(
  ({ relinkedTo, albumId, name, artistIds, explicit }) =>
    relinkedTo === null &&
    !explicit &&
    albumById.get(albumId)?.cover === true &&
    name.length < 40 &&
    artistIds.length === 1,
);

/** Songs that are heard for four seconds to be rated, and last hardly longer. */
export function shortSongs(count: number): CatalogueTrack[] {
  return lasting(4_600, 5_000).slice(0, count);
}

/** Songs that neither end nor open to rating while a test looks, however slow the machine is. */
export function longSongs(count: number): CatalogueTrack[] {
  return lasting(90_000, Number.POSITIVE_INFINITY).slice(0, count);
}

/** An explicit song. */
export function explicitSong(): CatalogueTrack {
  const song = tracks.find(({ explicit, relinkedTo }) => explicit && relinkedTo === null);
  if (!song) throw new Error("no song is explicit");
  return song;
}

function lasting(from: number, to: number): CatalogueTrack[] {
  return plainTracks.filter(({ durationMs }) => durationMs > from && durationMs < to);
}

/** The song of the catalogue that a musician has at a place. */
function trackBy(displayName: string, place: number): CatalogueTrack {
  const artist = [...artistById.values()].find(({ name }) => name === displayName);
  const track = tracks.filter(({ artistIds }) => artistIds[0] === artist?.id)[place];
  if (!track) throw new Error(`no song ${place} by ${displayName}`);
  return track;
}

/** Tracks with something special about them. */
export const special = {
  /** Plays as another track. */
  relinked: trackBy("Zbigniew Jaskier", 2),
  /** Lasts some minutes, and has a title of many lines. */
  longTitle: trackBy("Kaito Morinaga", 3),
  withoutCover: trackBy("Tamsin Hollowell", 2),
};

/** Letters that no other test uses, in this run or in this try. */
export function unique(): string {
  const letters = crypto.randomUUID().slice(0, 8);
  return letters.replace(/\d/g, (digit) => "ghijklmnop"[+digit] ?? "");
}

/** Makes a musician as described. Does not log them in. */
export async function makeMusician(options: MusicianOptions = {}): Promise<Musician> {
  const { own = [], offered = shortSongs(5), heard = 0, rated = [] } = options;
  const { name = `Robin ${unique()}`, product, listed, address, songs = [] } = options;
  const fresh = own.filter(({ track }) => !track).map(({ title = null }) => title);
  const more = Array.isArray(songs) ? songs : Array.from({ length: songs }, () => null);
  const titles = [...fresh, ...more];
  const answer = await order("musician", { name, product, listed, email: address, titles });
  const {
    musician,
    songs: tracksAdded,
    albums,
  } = answer as unknown as {
    musician: SpotifyMusician;
    songs: CatalogueTrack[];
    albums: CatalogueAlbum[];
  };
  const { id, email, displayName } = musician;
  for (const album of albums) albumById.set(album.id, album);
  for (const track of tracksAdded) trackById.set(track.id, track);
  const userId = `user-${id}`;
  const world = new World(id);
  const submitted = tracksAdded.slice(0, fresh.length);
  const ownSongs = own.map(({ track = submitted.shift(), ...song }) => {
    if (!track) throw new Error("too few songs");
    const artists = albums.some((album) => album.id === track.albumId)
      ? [displayName, "The House Band"]
      : artistsOf(track);
    return world.song(userId, { track, artists, ...song });
  });
  const offeredSongs = offered.map((song) =>
    "ownerId" in song ? song : world.song(world.ownerId, { track: song, artists: artistsOf(song) }),
  );
  const made: Musician = {
    id,
    displayName,
    address: email ?? "",
    userId,
    songs: tracksAdded.slice(fresh.length),
    offered: offeredSongs,
    own: ownSongs,
    order: (action, fields = {}) => order(action, { ...fields, musician: id }),
    async calls(route) {
      const requests = await sandboxRequests(id);
      return requests.filter(({ method, path }) => `${method} ${path}` === route);
    },
  };
  if (options.known === false) return made;
  for (const [place, score] of rated.entries()) {
    offeredSongs[place]?.ratings.push({ raterId: userId, score, at: world.now - 1000 });
  }
  await writeRows(world.rows({ ...made, credits: options.credits ?? 0 }));
  await offer(
    made,
    offeredSongs.map((song) => song.id),
  );
  await letHear(made, offeredSongs.slice(rated.length, rated.length + heard));
  if (options.tier) await subscribe(made, options.tier);
  return made;
}

/** The rows that come with a musician. */
class World {
  readonly now = Date.now();
  readonly ownerId: string;
  readonly #id: string;
  readonly #songs: RatedSong[] = [];

  constructor(id: string) {
    this.#id = id;
    this.ownerId = `user-${id}-owner`;
  }

  /** A song submitted an hour ago, behind all that were there before, and rated since. */
  song(
    ownerId: string,
    {
      track,
      artists,
      scores = [],
      submissions = 1,
    }: { track: CatalogueTrack; artists: string[]; scores?: number[]; submissions?: number },
  ): RatedSong {
    const album = albumById.get(track.albumId);
    if (!album) throw new Error(`no album of ${track.name}`);
    const from = this.now - 60 * minute + this.#songs.length;
    const song: RatedSong = {
      id: `song-${this.#id}-${this.#songs.length}`,
      ownerId,
      track,
      album,
      artists,
      submittedAt: Array.from({ length: submissions }, (_, n) => from + n * 25 * minute),
      ratings: scores.map((score, n) => ({
        raterId: `user-${this.#id}-rater-${n}`,
        score,
        at: from + (Math.floor(n / 5) * 25 + (n % 5) * 2 + 2) * minute,
      })),
    };
    this.#songs.push(song);
    return song;
  }

  rows(musician: Musician & { credits: number }): Record<string, Row[]> {
    const { userId, displayName, address, credits } = musician;
    const songs = this.#songs;
    const given = songs.flatMap(({ ratings }) => ratings.map(({ raterId }) => raterId));
    const others = new Set([...songs.map(({ ownerId }) => ownerId), ...given]);
    others.delete(userId);
    const userRow = (id: string, more: Row): Row => {
      const rated = given.filter((raterId) => raterId === id).length + Number(more.credits ?? 0);
      const own = songs.filter(({ ownerId }) => ownerId === id);
      return {
        id,
        spotify_id: accountIdOf(id),
        display_name: `Someone of ${displayName}`,
        email: null,
        // Given to songs that are no longer there.
        rated_withdrawn: Number(more.credits ?? 0),
        rated_count: rated,
        submitted_count: own.flatMap(({ submittedAt }) => submittedAt).length,
        own_artists: JSON.stringify(
          Object.fromEntries(own.map(({ track, artists }) => [track.artistIds[0], artists[0]])),
        ),
        created_at: this.now - 120 * minute,
        updated_at: this.now - 120 * minute,
        ...more,
        credits: rated,
      };
    };
    return {
      users: [
        userRow(userId, {
          spotify_id: accountIdOf(musician.id),
          display_name: displayName,
          email: address || null,
          credits,
        }),
        ...[...others].map((id) => userRow(id, {})),
      ],
      ...rowsOfSongs(songs, sandboxOrigin, this.now),
    };
  }
}

/** Gives a musician these songs to rate, and no others. */
export async function offer({ userId }: Musician, songIds: string[]): Promise<void> {
  await onDatabase("DELETE FROM packages WHERE user_id = ?", [userId]);
  if (songIds.length === 0) return;
  const id = `package-${crypto.randomUUID()}`;
  await writeRows({
    packages: [{ id, user_id: userId, number: 1, drawn_at: Date.now() }],
    package_songs: songIds.map((songId, position) => ({
      package_id: id,
      song_id: songId,
      position,
    })),
  });
}

/** Lets songs be heard for the time it takes to rate them. */
async function letHear({ userId }: Musician, songs: RatedSong[]): Promise<void> {
  const startedAt = Date.now() - 2 * minute;
  await writeRows({
    listens: songs.map(({ id }) => ({
      id: `listen-${userId}-${id}`,
      user_id: userId,
      song_id: id,
      required_seconds: 3,
      started_at: startedAt,
      finished_at: startedAt + 4000,
      evidence: "spotify",
      closed_at: startedAt + 5000,
    })),
  });
}

/** Subscribes a musician at Stripe, which tells the product. */
async function subscribe(musician: Musician, tier: "premium" | "past_due"): Promise<void> {
  const { address: email, userId } = musician;
  const { customer } = await order("stripeSubscribe", { email, userId });
  if (tier === "past_due") {
    const { id } = customer as { id: string };
    await order("stripeStatus", { customer: id, status: "past_due" });
  }
  await order("stripeSettle", {});
}
