import {
  type ComponentProps,
  type ComponentType,
  lazy,
  type MutableRefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { tellOtherTabs } from "~/components/form/post-form";
import { songName } from "~/components/song/song-title";
import { tinted } from "~/components/song/tinted";
import { keep, readKept } from "~/platform/kept";
import { unlockMs } from "~/sources/listen";
import type { ApiCall } from "~/sources/spotify/client/requests";
import { Controls, isIdle } from "./bar/controls";
import { PlayerCard } from "./bar/player-card";
import { useMediaSession, useTrackInfo } from "./bar/track-info";
import { createClock } from "./clock";
import { createController, type PlayerController, type TabMessage } from "./controller";
import { useDocumentTitle } from "./document-title";
import { audioDriver } from "./drivers/audio-driver";
import { ownAppDriver } from "./drivers/own-app-driver";
import { createPlayerApi } from "./drivers/spotify-api";
import { loadSdk, webPlaybackDriver } from "./drivers/web-playback-driver";
import { createListenApi } from "./listen-api";
import { trackInfoFailed } from "./machine/messages";
import {
  initialStateAt,
  type PlayerSnapshot,
  type PlayerState,
  secondsLeft,
  toSnapshot,
} from "./machine/state";
import { positionKey } from "./sound";
import { banners, detectSurface } from "./surface";
import { createTokenSource } from "./token";

export interface PlayerProps {
  controller: MutableRefObject<PlayerController | null>;
  nonce: string | undefined;
  /** Null where none of Spotify's songs can play for the listener. */
  spotify: { sdkUrl: string; apiUrl: string } | null;
  onChange(snapshot: PlayerSnapshot): void;
  onLoggedOut(): void;
  offCarousel: boolean;
  card: HTMLElement | null;
}

type Late = typeof import("./bar/late")["late"];

/** If it cannot be loaded, the song plays on without it. */
function late<Name extends keyof Late>(name: Name) {
  type Props = ComponentProps<Late[Name]>;
  return lazy<ComponentType<Props>>(() =>
    import("./bar/late").then(
      (loaded) => ({ default: loaded.late[name] as ComponentType<Props> }),
      () => ({ default: () => null }),
    ),
  );
}
const PlayerBar = late("PlayerBar");
const PlayerDialog = late("PlayerDialog");

const volumeKey = "volume";

export function Player(props: PlayerProps) {
  const { controller, onChange, offCarousel, card } = props;
  const { state, call, surface } = usePlayer(props);
  const info = useTrackInfo(call, state);
  useMediaSession(info, state, controller);
  useDocumentTitle(state.sounding && state.song ? songName(state.song) : null);

  const snapshot = toSnapshot(state);
  // Before the next frame, in which player and page must agree.
  // biome-ignore lint/correctness/useExhaustiveDependencies: all values of the snapshot
  useLayoutEffect(() => onChange(snapshot), Object.values(snapshot));

  const { song } = state;
  function playHere() {
    controller.current?.initialize();
    if (song) controller.current?.play(song);
  }

  const shownSurface = state.place === "app" && surface === "browser" ? "app" : surface;
  const banner = state.place === "file" ? null : banners[shownSurface];
  const shown = {
    state,
    controller,
    onPlayHere: surface === "browser" ? playHere : null,
    onVolume(volume: number) {
      keep(volumeKey, `${volume}`);
      controller.current?.setVolume(volume);
    },
  };
  return (
    <>
      {card ? (
        createPortal(<PlayerCard {...shown} banner={banner} />, card)
      ) : (
        <Suspense fallback={null}>
          <PlayerBar
            state={state}
            offCarousel={offCarousel}
            colour={song ? tinted(song) : ""}
            info={info === "failed" ? null : info}
            placeholder={info === "failed" ? trackInfoFailed : "Loading..."}
            left={state.phase === "failed" ? null : secondsLeft(state)}
            neededMs={unlockMs(state.requiredSeconds)}
            hidden={isIdle(state)}
          >
            <Controls {...shown} offCarousel={offCarousel} card={false} />
          </PlayerBar>
        </Suspense>
      )}
      <Suspense fallback={null}>
        {state.dialogOpen && state.errorType && song ? (
          <PlayerDialog
            errorType={state.errorType}
            appName={shownSurface === "safari" ? "Spotify desktop app" : "Spotify app"}
            spotifyUrl={song.spotifyUrl}
            playsHere={surface === "browser"}
            onResume={() => controller.current?.restart()}
            onClose={() => controller.current?.closeDialog()}
          />
        ) : null}
      </Suspense>
    </>
  );
}

function usePlayer({ controller, nonce, spotify, onLoggedOut }: PlayerProps) {
  const surface = useMemo(() => detectSurface(navigator.userAgent, navigator.maxTouchPoints), []);
  const { sdkUrl, apiUrl } = spotify ?? {};
  const place = !spotify ? "file" : surface === "browser" ? "page" : "app";
  const [state, setState] = useState<PlayerState>(() => initialStateAt(place));
  const [call, setCall] = useState<ApiCall | null>(null);
  // A browser hides the nonce once the page is parsed. A later render must not start over.
  const firstNonce = useRef(nonce);
  const leave = useRef(onLoggedOut);
  leave.current = onLoggedOut;

  useEffect(() => {
    const serverOptions = {
      fetch: window.fetch.bind(window),
      onLoggedOut: () => leave.current(),
    };
    const now = createClock(() => performance.now(), Date.now);
    const getToken = createTokenSource({ ...serverOptions, now }).get;
    const api = createPlayerApi(apiUrl ?? "", getToken);
    const drivers = {
      page: webPlaybackDriver(api, () => loadSdk(sdkUrl ?? "", firstNonce.current)),
      app: ownAppDriver(api),
      file: audioDriver(() => new Audio()),
    };
    const tabs = connectTabs(() => created);
    const created = createController({
      place,
      createDriver: (place, emit) => drivers[place]({ getToken, emit }),
      listens: createListenApi(serverOptions),
      now,
      setTimer(callback, ms) {
        const timer = window.setTimeout(callback, ms);
        return () => window.clearTimeout(timer);
      },
      onState: setState,
      announce: tabs.announce,
    });
    function onVisible() {
      if (document.visibilityState !== "visible") return keepPosition();
      tabs.takeOver();
      created.check();
    }
    // A phone may end a page that it has hidden without a word.
    function keepPosition() {
      const left = created.position();
      if (left) keep(positionKey, `${left.listenId} ${left.positionMs}`);
    }
    function onHide() {
      keepPosition();
      created.tellTabs(false);
    }
    controller.current = created;
    if (apiUrl) setCall(() => api);
    const volume = Number(readKept(volumeKey));
    // After a reload, silence would look like a fault.
    if (volume) created.setVolume(volume);
    created.connect();
    tabs.ask();
    // Fetches a token before the SDK asks for one. Its users handle the error.
    if (apiUrl) getToken().catch(() => undefined);
    document.addEventListener("visibilitychange", onVisible);
    // Who comes back from an app beside the page has seen the page all the time.
    window.addEventListener("focus", created.check);
    window.addEventListener("pagehide", onHide);
    return () => {
      window.removeEventListener("pagehide", onHide);
      document.removeEventListener("visibilitychange", onVisible);
      window.removeEventListener("focus", created.check);
      created.dispose();
      tabs.close();
      controller.current = null;
      setState(initialStateAt(place));
    };
  }, [controller, sdkUrl, apiUrl, place]);

  return { state, call, surface };
}

/** Browsers that keep nothing refuse it, and older ones have none. */
function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel("player");
  } catch {
    return null;
  }
}

/** Keeps this tab and the listener's others in agreement on which of them plays. */
function connectTabs(player: () => PlayerController) {
  const channel = openChannel();
  let stopped: TabMessage | null = null;
  /** Only one of the tabs is seen. */
  function takeOver(): void {
    if (!stopped || document.visibilityState !== "visible") return;
    player().otherTabStopped(stopped);
    stopped = null;
  }
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<TabMessage | null>) => {
      if (!data) return player().tellTabs(true);
      stopped = data.plays ? null : data;
      if (data.plays) player().otherTabPlays(data);
      takeOver();
    };
  }
  return {
    ask: () => channel?.postMessage(null),
    announce(message: TabMessage) {
      channel?.postMessage(message);
      // Heard here, it can be rated there.
      if (!message.left) tellOtherTabs();
    },
    takeOver,
    close: () => channel?.close(),
  };
}
