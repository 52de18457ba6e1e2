import { forwardRef, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { ApiCall } from "~/adapters/spotify/requests";
import type { CarouselSong } from "~/domain/carousel/view";
import { PlayerBar } from "~/player/bar/player-bar";
import { PlayerDialog } from "~/player/bar/player-dialog";
import { createClock } from "~/player/clock";
import { createController, type PlayerController } from "~/player/controller";
import { ownAppDriver } from "~/player/drivers/own-app-driver";
import { loadSdk } from "~/player/drivers/sdk-script";
import { playerApi } from "~/player/drivers/spotify-api";
import { webPlaybackDriver } from "~/player/drivers/web-playback-driver";
import { createListenApi } from "~/player/listen-api";
import {
  initialState,
  type PlayerSnapshot,
  type PlayerState,
  snapshotOf,
} from "~/player/machine/state";
import { banners, surfaceOf } from "~/player/surface";
import { createTokenSource } from "~/player/token";

export type { PlayerSnapshot } from "~/player/machine/state";

export interface PlayerHandle {
  /** Starts the song from its beginning. Call it inside the click. */
  play(song: CarouselSong): void;
  /** Ends playback and goes back to idle. */
  stop(): void;
}

export interface PlayerProps {
  nonce: string | undefined;
  sdkUrl: string;
  apiUrl: string;
  /** Called when something in the snapshot has changed, and once at the start. */
  onChange(snapshot: PlayerSnapshot): void;
}

/** The player: its bar, its dialogs, and what drives them. */
export const Player = forwardRef<PlayerHandle, PlayerProps>(function Player(props, ref) {
  const { onChange } = props;
  const { state, call, surface, controller } = usePlayer(props);
  const report = useRef(onChange);
  report.current = onChange;

  useImperativeHandle(
    ref,
    () => ({
      play: (song) => controller.current?.play(song),
      stop: () => controller.current?.stop(),
    }),
    [controller],
  );

  const { place, songId, phase, unlocked, busy } = snapshotOf(state);
  useEffect(() => {
    report.current({ place, songId, phase, unlocked, busy });
  }, [place, songId, phase, unlocked, busy]);

  const shown = state.place === "app" && surface === "browser" ? "app" : surface;
  return (
    <>
      <PlayerBar
        state={state}
        banner={banners[shown]}
        call={call}
        onRestart={() => controller.current?.restart()}
        onMoveToApp={() => controller.current?.moveToApp()}
      />
      {state.dialogOpen && state.errorType && state.song ? (
        <PlayerDialog
          errorType={state.errorType}
          appName={shown === "safari" ? "Spotify desktop app" : "Spotify app"}
          spotifyUrl={state.song.spotifyUrl}
          onResume={() => controller.current?.restart()}
          onClose={() => controller.current?.closeDialog()}
        />
      ) : null}
    </>
  );
});

/** Makes the player's parts and joins them; everything ends with the component. */
function usePlayer({ nonce, sdkUrl, apiUrl }: PlayerProps) {
  const surface = useMemo(() => surfaceOf(navigator.userAgent, navigator.maxTouchPoints), []);
  const place = surface === "browser" ? "page" : "app";
  const [state, setState] = useState<PlayerState>({ ...initialState, place });
  const [call, setCall] = useState<ApiCall | null>(null);
  const controller = useRef<PlayerController | null>(null);
  // A browser hides the nonce once the page is parsed: a later render must not start over.
  const firstNonce = useRef(nonce);

  useEffect(() => {
    const io = {
      fetch: window.fetch.bind(window),
      onLoggedOut: () => window.location.assign("/?ended"),
    };
    const getToken = createTokenSource({ ...io, now: Date.now }).get;
    const api = playerApi(apiUrl, getToken);
    const drivers = {
      page: webPlaybackDriver(api, () => loadSdk(sdkUrl, firstNonce.current)),
      app: ownAppDriver(api),
    };
    const made = createController({
      place,
      createDriver: (where, emit) => drivers[where]({ getToken, emit }),
      listens: createListenApi(io),
      now: createClock(() => performance.now(), Date.now),
      setTimer(callback, ms) {
        const timer = window.setTimeout(callback, ms);
        return () => window.clearTimeout(timer);
      },
      onState: setState,
    });
    function onVisible() {
      if (document.visibilityState === "visible") made.check();
    }
    controller.current = made;
    setCall(() => api);
    made.connect();
    // What the player asks for once its script is here; a fault is met there.
    getToken().catch(() => undefined);
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      document.removeEventListener("visibilitychange", onVisible);
      made.dispose();
      controller.current = null;
      setState({ ...initialState, place });
    };
  }, [sdkUrl, apiUrl, place]);

  return { state, call, surface, controller };
}
