/** The Spotify stand-in's control actions; ../control.ts documents them. */
import { addNewMusician, albumById, musicianById, trackById, tracks } from "../catalogue.ts";
import {
  type ControlAction,
  controlError,
  type Input,
  numberOr,
  oneOf,
  optionalText,
} from "../control-action.ts";
import { CLIENT_SECRETS, type Mode, SCOPES } from "./accounts/credentials.ts";
import {
  addPlaylist,
  appDeviceId,
  openApp,
  type Person,
  playOther,
  SDK_FAILURES,
  setSdkFailure,
} from "./people.ts";
import { activeDevice, type Device, pause, removeDevice, start, transfer } from "./playback.ts";
import type { SpotifyService, TrackChange } from "./service.ts";

/** The default scopes: the eight that a login asks for (rule 1). */
const PRODUCT_SCOPES =
  "user-read-currently-playing user-read-playback-state user-modify-playback-state " +
  "user-library-read user-library-modify streaming user-read-email user-read-private";

export function spotifyActions(service: SpotifyService): Record<string, ControlAction> {
  const { credentials, people, rateLimits, context } = service;

  function personOf(input: Input): Person {
    const person = people.get(String(input.musician));
    if (!person) throw controlError(`no musician ${String(input.musician)}`);
    return person;
  }

  function deviceOf(person: Person, kind: unknown): Device {
    if (oneOf(kind, ["app", "sdk"]) === "app") return openApp(person, false);
    const sdk = [...person.playback.devices.values()].find((device) => device.kind === "sdk");
    if (!sdk) throw controlError("no SDK is connected");
    return sdk;
  }

  return {
    expireTokens(input) {
      const person = personOf(input);
      credentials.expireAccess(person.musician.id);
      for (const listener of [...person.onTokensExpired]) listener();
      return undefined;
    },
    revoke(input) {
      credentials.revoke(personOf(input).musician.id);
      return undefined;
    },
    withdraw(input) {
      const scopes = String(input.scope).split(" ");
      for (const name of scopes) oneOf(name, [...SCOPES.keys()]);
      credentials.withdraw(personOf(input).musician.id, scopes);
      return undefined;
    },
    playlist(input) {
      const owner = personOf(input).musician.id;
      const trackIds = Array.isArray(input.trackIds) ? input.trackIds.map(trackOf) : [];
      const size = numberOr(input.size, trackIds.length);
      const filling = Array.from({ length: Math.max(0, size - trackIds.length) }, (_, at) => {
        return tracks[at % tracks.length]?.id ?? "";
      });
      const { id } = addPlaylist(people, {
        owner,
        name: String(input.name ?? "Ordered playlist"),
        public: input.public !== false && input.collaborative !== true,
        collaborative: input.collaborative === true,
        followers: Array.isArray(input.followers) ? input.followers.map(String) : [],
        items: [...trackIds, ...filling].map((trackId) => ({ trackId, addedAt: context.now() })),
      });
      context.store.changed();
      return { playlistId: id };
    },
    dropPlaylist(input) {
      if (!people.playlists.delete(String(input.playlistId)))
        throw controlError("no such playlist");
      context.store.changed();
      return undefined;
    },
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
      const { musician } = personOf(input);
      const client = oneOf(input.client ?? "sandbox-client-a", [...CLIENT_SECRETS.keys()]);
      const scope = input.scope === undefined ? PRODUCT_SCOPES : String(input.scope);
      for (const name of scope.split(" ")) if (name !== "") oneOf(name, [...SCOPES.keys()]);
      const grant = { musician: musician.id, client, scope };
      return { ...credentials.issue(grant, numberOr(input.expiresIn, 3_600)) };
    },
    mode(input) {
      const client = oneOf(input.client, [...CLIENT_SECRETS.keys()]);
      credentials.setMode(client, oneOf<Mode>(input.mode, ["extended", "development", "legacy"]));
      return undefined;
    },
    rateLimit(input) {
      const limit = numberOr(input.limit, 180);
      const windowSeconds = numberOr(input.windowSeconds, 30);
      const id = input.musician === undefined ? undefined : personOf(input).musician.id;
      rateLimits.set({ limit, windowSeconds }, id);
      return undefined;
    },
    hideLimits(input) {
      const hidden = { cors: input.cors === true, retryAfter: input.retryAfter === true };
      service.hiddenLimits.set(personOf(input).musician.id, hidden);
      return undefined;
    },
    openApp(input) {
      const restricted = input.restricted === undefined ? undefined : input.restricted === true;
      return { deviceId: openApp(personOf(input), input.active !== false, restricted).id };
    },
    closeApp(input) {
      const person = personOf(input);
      removeDevice(person.playback, appDeviceId(person));
      return undefined;
    },
    dropDevice(input) {
      const { playback } = personOf(input);
      const dropped = activeDevice(playback) ?? [...playback.devices.values()][0];
      if (dropped) removeDevice(playback, dropped.id);
      return { deviceId: dropped?.id ?? null };
    },
    play(input) {
      const person = personOf(input);
      const trackId = trackOf(input.trackId);
      const device = deviceOf(person, input.device ?? "app");
      start(person.playback, device, [trackId], numberOr(input.positionMs, 0));
      return { deviceId: device.id };
    },
    transfer(input) {
      const person = personOf(input);
      const device = deviceOf(person, input.device);
      transfer(person.playback, device, false);
      return { deviceId: device.id };
    },
    playOther(input) {
      const wanted = input.trackId === undefined ? undefined : trackOf(input.trackId);
      return { trackId: playOther(personOf(input), wanted) };
    },
    advertisement(input) {
      personOf(input).playback.interlude = "ad";
      return undefined;
    },
    episode(input) {
      personOf(input).playback.interlude = "episode";
      return undefined;
    },
    privateSession(input) {
      personOf(input).playback.private = input.on !== false;
      return undefined;
    },
    crossfade(input) {
      personOf(input).playback.crossfadeMs = 1_000 * numberOr(input.seconds, 12);
      return undefined;
    },
    hideExplicit(input) {
      personOf(input).hidesExplicit = input.on !== false;
      return undefined;
    },
    pause(input) {
      pause(personOf(input).playback);
      return undefined;
    },
    sdk(input) {
      const fail = oneOf(input.fail, [...SDK_FAILURES, "script", "none"]);
      if (input.musician === undefined) {
        if (fail !== "script" && fail !== "none") throw controlError(`${fail} needs a musician`);
        service.scriptFails = fail === "script";
        return undefined;
      }
      if (fail === "script") throw controlError("the script cannot fail for one musician");
      setSdkFailure(personOf(input), fail === "none" ? null : fail);
      return undefined;
    },
    state(input) {
      const { playback, library, musician } = personOf(input);
      return {
        musician: musician.id,
        devices: [...playback.devices.values()],
        activeDeviceId: playback.activeId,
        playing: playback.playing,
        trackId: playback.queue[playback.index] ?? null,
        saved: [...library.keys()],
        now: context.now(),
      };
    },
    track(input) {
      const { action: _action, trackId, ...change } = input;
      service.changes.tracks.set(trackOf(trackId), change as TrackChange);
      return undefined;
    },
    picture(input) {
      const id = String(input.id);
      if (input.lost === false) service.changes.lostPictures.delete(id);
      else service.changes.lostPictures.add(id);
      return undefined;
    },
    musicians: () => ({ musicians: [...musicianById.values()] }),
    musician(input) {
      const musician = addNewMusician(
        {
          displayName: String(input.name),
          product: oneOf(input.product ?? "premium", ["premium", "free"]),
          listed: input.listed !== false,
          // Without an address if it is null.
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
