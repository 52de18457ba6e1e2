/** Spotify's control actions, which ../README.md lists. */
import { addNewMusician, albumById, trackById, tracks } from "../catalogue.ts";
import {
  type ControlAction,
  controlError,
  type Input,
  numberOr,
  oneOf,
  optionalText,
} from "../control-action.ts";
import { CLIENT_SECRETS, type Mode } from "./accounts/credentials.ts";
import {
  addPlaylist,
  appDeviceId,
  openApp,
  type Person,
  playOther,
  SDK_FAILURES,
  setSdkFailure,
} from "./people.ts";
import { activeDevice, pause, removeDevice, start } from "./playback.ts";
import type { SpotifyService, TrackChange } from "./service.ts";

/** The default scopes: the eight that a login asks for (rule 1, ways in). */
const PRODUCT_SCOPES =
  "user-read-currently-playing user-read-playback-state user-modify-playback-state " +
  "user-library-read user-library-modify streaming user-read-email user-read-private";

export function spotifyActions(service: SpotifyService): Record<string, ControlAction> {
  const { credentials, people, context } = service;

  function personOf(input: Input): Person {
    const person = people.get(String(input.musician));
    if (!person) throw controlError(`no musician ${String(input.musician)}`);
    return person;
  }

  function playInstead(input: Input, interlude: "ad" | "episode"): void {
    personOf(input).playback.interlude = interlude;
  }

  function quietly(act: (input: Input) => void): ControlAction {
    return (input) => {
      act(input);
      context.store.changed();
      return undefined;
    };
  }

  return {
    expireTokens: quietly((input) => {
      const person = personOf(input);
      credentials.expireAccess(person.musician.id);
      for (const listener of [...person.onTokensExpired]) listener();
    }),
    revoke: quietly((input) => credentials.revoke(personOf(input).musician.id)),
    withdraw: quietly((input) =>
      credentials.withdraw(personOf(input).musician.id, String(input.scope).split(" ")),
    ),
    playlist(input) {
      const trackIds = Array.isArray(input.trackIds) ? input.trackIds.map(trackOf) : [];
      const filling = Array.from(
        { length: Math.max(0, numberOr(input.size, 0) - trackIds.length) },
        (_, at) => tracks[at % tracks.length]?.id ?? "",
      );
      const { id } = addPlaylist(people, {
        owner: personOf(input).musician.id,
        name: String(input.name ?? "Ordered playlist"),
        public: input.public !== false && input.collaborative !== true,
        collaborative: input.collaborative === true,
        followers: Array.isArray(input.followers) ? input.followers.map(String) : [],
        items: [...trackIds, ...filling].map((trackId) => ({ trackId, addedAt: context.now() })),
      });
      return { playlistId: id };
    },
    dropPlaylist: quietly((input) => people.playlists.delete(String(input.playlistId))),
    playlists(input) {
      const { id } = personOf(input).musician;
      const own = [...people.playlists.values()].filter(({ owner }) => owner === id);
      return {
        playlists: own.map(({ items, ...playlist }) => ({
          ...playlist,
          trackIds: items.map(({ trackId }) => trackId),
        })),
      };
    },
    issueToken(input) {
      const client = oneOf(input.client ?? "sandbox-client-a", [...CLIENT_SECRETS.keys()]);
      const scope = String(input.scope ?? PRODUCT_SCOPES);
      const grant = { musician: personOf(input).musician.id, client, scope };
      return { ...credentials.issue(grant, numberOr(input.expiresIn, 3_600)) };
    },
    mode: quietly((input) =>
      credentials.setMode(
        String(input.client),
        oneOf<Mode>(input.mode, ["extended", "development", "legacy"]),
      ),
    ),
    hideLimits: quietly((input) => service.hiddenLimits.add(personOf(input).musician.id)),
    openApp(input) {
      const restricted = input.restricted === undefined ? undefined : input.restricted === true;
      return { deviceId: openApp(personOf(input), input.active !== false, restricted).id };
    },
    closeApp: quietly((input) => {
      const person = personOf(input);
      removeDevice(person.playback, appDeviceId(person));
    }),
    dropDevice: quietly((input) => {
      const { playback } = personOf(input);
      removeDevice(playback, activeDevice(playback)?.id ?? "");
    }),
    play: quietly((input) => {
      const person = personOf(input);
      const positionMs = numberOr(input.positionMs, 0);
      start(person.playback, openApp(person, false), trackOf(input.trackId), positionMs);
    }),
    playOther: quietly((input) => playOther(personOf(input))),
    advertisement: quietly((input) => playInstead(input, "ad")),
    episode: quietly((input) => playInstead(input, "episode")),
    privateSession: quietly((input) => {
      personOf(input).playback.private = input.on !== false && (input.told ? "told" : true);
    }),
    hideExplicit: quietly((input) => {
      personOf(input).hidesExplicit = input.on !== false;
    }),
    pause: quietly((input) => pause(personOf(input).playback)),
    sdk: quietly((input) => {
      const fail = oneOf(input.fail, [...SDK_FAILURES, "none"]);
      setSdkFailure(personOf(input), fail === "none" ? null : fail);
    }),
    state(input) {
      const { playback, library } = personOf(input);
      return {
        devices: [...playback.devices.values()],
        activeDeviceId: playback.activeId,
        playing: playback.playing,
        trackId: playback.trackId,
        saved: [...library.keys()],
      };
    },
    track: quietly(({ action: _action, trackId, ...change }) => {
      service.changes.set(trackOf(trackId), change as TrackChange);
    }),
    musician(input) {
      const musician = addNewMusician(
        {
          displayName: String(input.name),
          product: oneOf(input.product ?? "premium", ["premium", "free"]),
          listed: input.listed !== false,
          ...(input.email === undefined ? {} : { email: optionalText(input.email) ?? null }),
        },
        Array.isArray(input.titles) ? input.titles.map((title) => optionalText(title) ?? null) : [],
      );
      people.add(musician);
      const songs = musician.trackIds.map((id) => trackById.get(id));
      const albums = songs.map((track) => albumById.get(track?.albumId ?? ""));
      return { musician, songs, albums };
    },
  };
}

function trackOf(value: unknown): string {
  const id = String(value);
  if (!trackById.has(id)) throw controlError(`no track ${id}`);
  return id;
}
