import { useLocation, useMatches, useNavigate } from "@remix-run/react";
import { type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { NonceContext } from "~/components/layout/document-contexts";
import type { ViewerView } from "~/members/views";
import type { PlayerController } from "~/player/controller";
import { takeHeldPlay } from "~/player/early-play";
import type { PlayerSnapshot } from "~/player/machine/state";
import type { Player, PlayerProps } from "~/player/player.client";
import playerCss from "~/player/player.css";
import { loadPlayer, PlayerContext } from "./player-access";
import { useLeaveWarning } from "./use-leave-warning";

interface PageData {
  viewer?: ViewerView | null;
  player?: Pick<PlayerProps, "spotify"> & { listener: string };
}

/**
 * Holds the player around the screens, so that a song plays on while they change. The player loads with the
 * first carousel of the document, and goes when the login has ended.
 */
export function PlayerShell({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const handle = useRef<PlayerController | null>(null);
  const [Loaded, setLoaded] = useState<typeof Player | null>(null);
  const [isStyled, setStyled] = useState(false);
  const [snapshot, setSnapshot] = useState<PlayerSnapshot | null>(null);
  const [card, setCard] = useState<HTMLElement | null>(null);
  const origins = usePlayerOrigins();
  const isWanted = origins !== null;
  useLeaveWarning(snapshot);

  useEffect(() => {
    if (!isWanted) return;
    let current = true;
    loadPlayer().then(
      (player) => current && setLoaded(() => player),
      () => takeHeldPlay()?.submit(),
    );
    return () => {
      current = false;
      setSnapshot(null);
    };
  }, [isWanted]);

  const styled = () => setStyled(true);
  const access = useMemo(() => ({ snapshot, handle, setCard }), [snapshot]);
  const showsCarousel = pathname === "/" && !search.includes("menu=");
  return (
    <PlayerContext.Provider value={access}>
      {children}
      {isWanted ? (
        <link rel="stylesheet" href={playerCss} onLoad={styled} onError={styled} />
      ) : null}
      {Loaded && origins && isStyled ? (
        <Loaded
          // Another tab may have logged in somebody else, and a player holds its listener's token.
          key={origins.listener}
          controller={handle}
          nonce={nonce || undefined}
          onChange={setSnapshot}
          onLoggedOut={() => navigate("/?ended")}
          offCarousel={!showsCarousel}
          card={card}
          {...origins}
        />
      ) : null}
    </PlayerContext.Provider>
  );
}

function usePlayerOrigins() {
  const { viewer, player } = (useMatches().slice(-1)[0]?.data ?? {}) as PageData;
  const [origins, setOrigins] = useState<PageData["player"] | null>(null);
  const isLoggedOut = viewer === null;
  useEffect(() => {
    if (isLoggedOut) setOrigins(null);
    else if (player) setOrigins((known) => (known?.listener === player.listener ? known : player));
  }, [isLoggedOut, player]);
  return origins;
}
