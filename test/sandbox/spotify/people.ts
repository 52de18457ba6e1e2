/** Each musician's playback, library and playlists. */
import { randomBytes } from "node:crypto";
import {
  artistById,
  type Musician,
  musicianById,
  randomFrom,
  spotifyId,
  tracks,
} from "../catalogue.ts";
import type { SandboxContext } from "../context.ts";
import {
  activeDevice,
  addDevice,
  clearPlayback,
  createPlayback,
  currentTrack,
  type Device,
  deviceId,
  type Playback,
  start,
} from "./playback.ts";

export const SDK_FAILURES = ["init", "hold", "offline", "playback", "autoplay"] as const;
type SdkFailure = (typeof SDK_FAILURES)[number];

export interface Person {
  musician: Musician;
  playback: Playback;
  library: Set<string>;
  hidesExplicit: boolean;
  /** Set only by `setSdkFailure`. */
  sdkFailure: SdkFailure | null;
  onSdkFailure: Set<() => void>;
  onTokensExpired: Set<() => void>;
}

export interface Playlist {
  id: string;
  owner: string;
  name: string;
  description: string;
  public: boolean;
  collaborative: boolean;
  /** Other musicians who have it among their playlists; those of a collaborative one may change it. */
  followers: string[];
  items: { trackId: string; addedAt: number }[];
  revision: number;
}

export interface People {
  get(musicianId: string): Person | null;
  add(musician: Musician): void;
  playlists: Map<string, Playlist>;
}

interface Saved {
  libraries: [musicianId: string, uris: string[]][];
  playlists: Playlist[];
}

const SEEDED_AT = Date.UTC(2026, 4, 1, 12);

export function createPeople(context: SandboxContext): People {
  const saved = context.store.load("spotify people") as Saved | null;
  const libraries = new Map(saved?.libraries);
  const people = new Map<string, Person>();
  const playlists = new Map<string, Playlist>();
  for (const playlist of saved?.playlists ?? []) playlists.set(playlist.id, playlist);
  function add(musician: Musician): void {
    people.set(musician.id, {
      musician,
      playback: createPlayback(),
      library: new Set(libraries.get(musician.id)),
      hidesExplicit: false,
      sdkFailure: null,
      onSdkFailure: new Set(),
      onTokensExpired: new Set(),
    });
  }
  function addFirstPlaylists(musician: Musician): void {
    for (const playlist of firstPlaylists(musician)) playlists.set(playlist.id, playlist);
  }
  for (const musician of musicianById.values()) {
    add(musician);
    if (!saved) addFirstPlaylists(musician);
  }

  context.store.register("spotify people", () => ({
    libraries: [...people].map(([id, person]) => [id, [...person.library]]),
    playlists: [...playlists.values()],
  }));
  context.resets.push((only) => {
    for (const person of people.values()) {
      if (only !== undefined && person.musician.id !== only) continue;
      // This comes first: it brings back a device that is offline, to be removed with the others.
      setSdkFailure(person, null);
      clearPlayback(person.playback);
      Object.assign(person.playback, { interlude: null, private: false });
      person.hidesExplicit = false;
      person.library.clear();
    }
    for (const { id, owner } of [...playlists.values()]) {
      if (only === undefined || owner === only) playlists.delete(id);
    }
    for (const { musician } of people.values()) {
      if (only === undefined || musician.id === only) addFirstPlaylists(musician);
    }
    context.store.changed();
  });
  return {
    get: (id) => people.get(id) ?? null,
    add(musician) {
      add(musician);
      addFirstPlaylists(musician);
    },
    playlists,
  };
}

/** The two playlists of a musician: one with their own songs, and a private one with others'. */
function firstPlaylists(musician: Musician): Playlist[] {
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
  return lists.map(([name, isPublic, trackIds], index) =>
    playlistOf({
      id: spotifyId(`playlist ${index} of ${musician.id}`),
      owner: musician.id,
      name,
      public: isPublic,
      items: trackIds.map((trackId) => ({ trackId, addedAt: SEEDED_AT })),
    }),
  );
}

type NewPlaylist = Partial<Playlist> & Pick<Playlist, "owner" | "name">;

function playlistOf(given: NewPlaylist): Playlist {
  return {
    id: spotifyId(randomBytes(16).toString("hex")),
    description: "",
    public: true,
    collaborative: false,
    followers: [],
    items: [],
    revision: 1,
    ...given,
  };
}

export function addPlaylist({ playlists }: People, given: NewPlaylist): Playlist {
  const playlist = playlistOf(given);
  playlists.set(playlist.id, playlist);
  return playlist;
}

export function setSdkFailure(person: Person, failure: SdkFailure | null): void {
  person.sdkFailure = failure;
  for (const listener of [...person.onSdkFailure]) listener();
}

/** `active` makes it the active device unless another one is; `restricted` undefined leaves that as it is. */
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

export function playOther(person: Person): void {
  const { playback } = person;
  const current = currentTrack(playback);
  const others = tracks.filter(
    (track) => track.id !== current?.requested.id && track.id !== current?.playing.id,
  );
  const { id = "" } = others[Math.floor(Math.random() * others.length)] ?? {};
  start(playback, activeDevice(playback) ?? openApp(person, true), id);
}
