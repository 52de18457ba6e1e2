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
import { deviceId } from "./accounts/credentials.ts";
import {
  addDevice,
  clearPlayback,
  createPlayback,
  type Device,
  type Playback,
} from "./playback.ts";

/** What the browser SDK is told to do wrong: each kind is explained in ../control.ts. */
export const SDK_FAILURES = [
  "init",
  "account",
  "authentication",
  "hold",
  "offline",
  "playback",
  "autoplay",
] as const;
export type SdkFailure = (typeof SDK_FAILURES)[number];

export interface Person {
  musician: Musician;
  playback: Playback;
  /** Uri of each saved thing, with the time it was saved. */
  library: Map<string, number>;
  /** Changed by `setSdkFailure` alone. */
  sdkFailure: SdkFailure | null;
  /** Told when `sdkFailure` was set. */
  onSdkFailure: Set<() => void>;
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
      onSdkFailure: new Set(),
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
      // First, so that a device that is offline is back and goes with the others.
      setSdkFailure(person, null);
      clearPlayback(person.playback);
      person.library.clear();
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

export function setSdkFailure(person: Person, failure: SdkFailure | null): void {
  person.sdkFailure = failure;
  for (const tell of [...person.onSdkFailure]) tell();
}

/**
 * The musician's own app (a phone), opened if it is not open yet. `active`: as when just used.
 * `restricted`: whether it takes no commands of the Web API; as it was where nothing is said.
 */
export function openApp(person: Person, active: boolean, restricted?: boolean): Device {
  const { playback, musician } = person;
  const id = deviceId(`app ${musician.id}`);
  const device = playback.devices.get(id) ?? {
    id,
    name: `${musician.displayName}'s phone`,
    kind: "app" as const,
    volume: 80,
    restricted: false,
  };
  if (restricted !== undefined) device.restricted = restricted;
  if (active && playback.activeId === null) playback.activeId = id;
  addDevice(playback, device);
  return device;
}

export function appDeviceId(person: Person): string {
  return deviceId(`app ${person.musician.id}`);
}
