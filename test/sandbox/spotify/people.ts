/** What the sandbox holds about each musician besides tokens: playback, library, playlists. */
import {
  artistById,
  type Musician,
  musicianById,
  randomFrom,
  spotifyId,
  tracks,
} from "../catalogue.ts";
import type { SandboxContext } from "../context.ts";
import { deviceId } from "./credentials.ts";
import {
  addDevice,
  clearPlayback,
  createPlayback,
  type Device,
  type Playback,
} from "./playback.ts";

/** What the browser SDK is told to do wrong at its next chance. */
export type SdkFailure = "init" | "playback" | "autoplay";

export interface Person {
  musician: Musician;
  playback: Playback;
  /** Uri of each saved thing, with the time it was saved. */
  library: Map<string, number>;
  sdkFailure: SdkFailure | null;
  /** Told when the person's access tokens were made to expire. */
  onTokensExpired: Set<() => void>;
}

export interface Playlist {
  id: string;
  owner: string;
  name: string;
  description: string;
  public: boolean;
  collaborative: boolean;
  items: { trackId: string; addedAt: number }[];
  revision: number;
}

export interface People {
  /** Null for an id that is not in the catalogue. */
  get(musicianId: string): Person | null;
  playlists: Map<string, Playlist>;
}

interface Saved {
  libraries: [musicianId: string, [uri: string, at: number][]][];
  playlists: Playlist[];
}

const SEEDED_AT = Date.UTC(2026, 4, 1, 12);

export function createPeople(context: SandboxContext): People {
  const saved = context.store.load("spotify people") as Saved | null;
  const libraries = new Map(saved?.libraries);
  const people = new Map<string, Person>();
  for (const musician of musicianById.values()) {
    people.set(musician.id, {
      musician,
      playback: createPlayback(),
      library: new Map(libraries.get(musician.id)),
      sdkFailure: null,
      onTokensExpired: new Set(),
    });
  }
  const playlists = new Map<string, Playlist>();
  for (const playlist of saved?.playlists ?? seededPlaylists())
    playlists.set(playlist.id, playlist);

  context.store.keep("spotify people", () => ({
    libraries: [...people].map(([id, person]) => [id, [...person.library]]),
    playlists: [...playlists.values()],
  }));
  context.resets.push((only) => {
    for (const person of people.values()) {
      if (only !== undefined && person.musician.id !== only) continue;
      clearPlayback(person.playback);
      person.library.clear();
      person.sdkFailure = null;
    }
    for (const { id, owner } of [...playlists.values()]) {
      if (only === undefined || owner === only) playlists.delete(id);
    }
    for (const playlist of seededPlaylists()) {
      if (only === undefined || playlist.owner === only) playlists.set(playlist.id, playlist);
    }
    context.store.changed();
  });
  return { get: (id) => people.get(id) ?? null, playlists };
}

/** Two playlists a musician: the own songs, and a private one of others' songs. */
function seededPlaylists(): Playlist[] {
  return [...musicianById.values()].flatMap((musician) => {
    const random = randomFrom(`playlists of ${musician.id}`);
    const others = Array.from({ length: 8 }, () => tracks[Math.floor(random() * tracks.length)]);
    const lists: [name: string, isPublic: boolean, trackIds: string[]][] = [
      [`Songs by ${musician.displayName}`, true, musician.trackIds],
      [
        `${artistById.get(others[0]?.artistIds[0] ?? "")?.name ?? "Night"} and friends`,
        false,
        [...new Set(others.flatMap((track) => (track ? [track.id] : [])))],
      ],
    ];
    return lists.map(([name, isPublic, trackIds], index) => ({
      id: spotifyId(`playlist ${index} of ${musician.id}`),
      owner: musician.id,
      name,
      description: "",
      public: isPublic,
      collaborative: false,
      items: trackIds.map((trackId, at) => ({ trackId, addedAt: SEEDED_AT + at * 60_000 })),
      revision: 1,
    }));
  });
}

/** The musician's own app (a phone), opened if it is not open yet. `active`: as when just used. */
export function openApp(person: Person, active: boolean): Device {
  const { playback, musician } = person;
  const id = deviceId(`app ${musician.id}`);
  const device = playback.devices.get(id) ?? {
    id,
    name: `${musician.displayName}'s phone`,
    kind: "app" as const,
    volume: 80,
  };
  if (active && playback.activeId === null) playback.activeId = id;
  addDevice(playback, device);
  return device;
}

export function appDeviceId(person: Person): string {
  return deviceId(`app ${person.musician.id}`);
}
