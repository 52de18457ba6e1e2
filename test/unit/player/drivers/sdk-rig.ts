import { onTestFinished, vi } from "vitest";
import type { ApiRequest } from "~/adapters/spotify/requests";
import type { DriverEvent } from "~/player/drivers/driver";
import { webPlaybackDriver } from "~/player/drivers/web-playback-driver";
import { recordingCall } from "../support.ts";

/** A track of the SDK's, as far as the driver reads it. */
export interface SdkTrack {
  id: string | null;
  uri: string;
  linked_from?: { id: string | null; uri: string | null };
}

/** What the SDK says it plays. */
export function sdkState(change: object = {}, track: SdkTrack | null = sdkTrack) {
  return {
    paused: false,
    position: 5_000,
    duration: 200_000,
    track_window: { current_track: track },
    ...change,
  };
}

export const sdkTrack: SdkTrack = { id: "track-1", uri: "spotify:track:track-1" };

/**
 * The driver in a page where the Web Playback SDK does as the test says. Time stands still until
 * the test moves it. All of it is gone with the test.
 */
export function sdkRig() {
  vi.useFakeTimers();
  const calls: string[] = [];
  const events: DriverEvent[] = [];
  const tokens: boolean[] = [];
  const sdk = {
    made: 0,
    /** What the driver gave the player. */
    options: null as Spotify.PlayerInit | null,
    loads: async (): Promise<void> => undefined,
    connects: async (): Promise<boolean> => true,
    state: async (): Promise<unknown> => null,
    token: async (): Promise<string> => "token",
    answers: (_request: ApiRequest): unknown => null,
  };
  const listeners = new Map<string, (data: unknown) => void>();

  class Player {
    constructor(options: Spotify.PlayerInit) {
      sdk.made++;
      sdk.options = options;
    }
    addListener(name: string, listener: (data: unknown) => void) {
      listeners.set(name, listener);
    }
    connect() {
      calls.push("connect");
      return sdk.connects();
    }
    getCurrentState() {
      calls.push("state");
      return sdk.state();
    }
    async pause() {
      calls.push("pause");
    }
    async activateElement() {
      calls.push("activate");
    }
    disconnect() {
      calls.push("disconnect");
    }
  }
  vi.stubGlobal("window", { Spotify: { Player } });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  const { call, requests } = recordingCall((request) => {
    calls.push(`${request.method} ${request.path}`);
    return sdk.answers(request);
  });
  const driver = webPlaybackDriver(call, () => sdk.loads())({
    getToken(renew = false) {
      tokens.push(renew);
      return sdk.token();
    },
    emit: (event) => events.push(event),
  });

  return {
    driver,
    sdk,
    calls,
    requests,
    events,
    /** Whether another token was asked for, each time one was. */
    tokens,
    /** The SDK tells its listener. */
    tell: (name: string, data: unknown = { message: "" }) => listeners.get(name)?.(data),
    /** The SDK asks for a token. @returns those it is given. */
    askForToken() {
      const given: string[] = [];
      sdk.options?.getOAuthToken((token) => given.push(token));
      return given;
    },
    /** Moves the time on, and lets the promises run. */
    pass: (ms = 0) => vi.advanceTimersByTimeAsync(ms),
  };
}

export type SdkRig = ReturnType<typeof sdkRig>;

/** A driver whose device is ready. */
export async function readyRig(): Promise<SdkRig> {
  const rig = sdkRig();
  await rig.driver.connect();
  rig.tell("ready", { device_id: "tab" });
  rig.calls.length = 0;
  rig.events.length = 0;
  return rig;
}
