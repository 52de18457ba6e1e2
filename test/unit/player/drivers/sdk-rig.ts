import { onTestFinished, vi } from "vitest";
import type { DriverEvent } from "~/player/drivers/driver";
import { webPlaybackDriver } from "~/player/drivers/web-playback-driver";
import type { ApiRequest } from "~/sources/spotify/client/requests";
import { recordingCall } from "../support.ts";

/** The part of an SDK track that the driver reads. */
export interface SdkTrack {
  id: string | null;
  uri: string;
  linked_from?: { id: string | null; uri: string | null };
}

/** A playback state of the SDK. */
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
 * The driver in a page with a fake Web Playback SDK that the test controls. Time stands still until
 * the test advances it. Everything is restored after the test.
 */
export function sdkRig() {
  vi.useFakeTimers();
  const calls: string[] = [];
  const events: DriverEvent[] = [];
  const tokens: boolean[] = [];
  const sdk = {
    created: 0,
    /** The options that the driver created the player with. */
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
      sdk.created++;
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
    pause = async () => void calls.push("pause");
    resume = async () => void calls.push("resume");
    setVolume = async (volume: number) => void calls.push(`volume ${volume}`);
    activateElement = async () => void calls.push("activate");
    disconnect = () => void calls.push("disconnect");
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
    /** For each token that was asked for: whether it had to be a new one. */
    tokens,
    /** Sends an SDK event to the driver. */
    tell: (name: string, data: unknown = { message: "" }) => listeners.get(name)?.(data),
    /** Asks for a token like the SDK. @returns the tokens that it will be given. */
    askForToken() {
      const given: string[] = [];
      sdk.options?.getOAuthToken((token) => given.push(token));
      return given;
    },
    /** Advances the time, and lets promises run. */
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
