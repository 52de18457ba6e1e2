import { Link, useLocation } from "@remix-run/react";
import { type ReactElement, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { useFreshData, useFreshDataAfter } from "~/components/form/use-fresh-data";
import { NonceContext } from "~/components/layout/document-contexts";
import { Page } from "~/components/layout/page";
import { Notice } from "~/components/notice";
import { ManageNotice } from "~/components/premium/manage-subscription";
import { TierPanel } from "~/components/premium/subscription-state";
import { useSaved } from "~/components/song/favorite-button";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { tinted } from "~/components/song/tinted";
import type { CarouselSong, CarouselView, JustRated } from "~/exchange/carousel/view";
import type { ViewerView } from "~/members/views";
import { Goal } from "./goal";
import { Keys } from "./keys";
import { News, type NewsLine } from "./news";
import { Outcome } from "./outcome";
import { RatedCard } from "./rated-card";
import type { ReasonBoxes } from "./reasons-form";
import { RatedRow, SongCard, SongRow } from "./song-card";
import type { CarouselControls } from "./song-parts";
import { isPlayBlocked } from "./song-status";
import { usePlayerIsland } from "./use-player-island";
import { useRating } from "./use-rating";

interface CarouselScreenProps {
  viewer: ViewerView;
  view: CarouselView;
  justRated: JustRated | null;
  passed: string | null;
  report: string | null;
  justFavorited: string | null;
  news: NewsLine | null;
  /**
   * The script that holds back PLAY SONG until the player has loaded; only on the server, whose page runs it.
   */
  earlyPlayScript: string | undefined;
  reasonBoxes: ReasonBoxes | undefined;
  afterSongs: ReactElement | null;
  insteadOfSongs: (offersUpload: boolean) => ReactElement;
}

/** The carousel: plain forms, which the player takes over once it has loaded. */
export function CarouselScreen(props: CarouselScreenProps) {
  const { viewer, view, justFavorited, passed, report } = props;
  const { songs, listen, eligibility, goal } = view;
  const nonce = useContext(NonceContext);
  const island = usePlayerIsland(view, props.justRated?.songId ?? null);
  const rating = useRating();
  const saved = useSaved(viewer.hasSpotify ? songs : []);
  const player = island.snapshot;
  useFreshData(!player?.busy && rating.songId === null);
  // It may have got its last rating meanwhile. Whoever pressed has read so by then.
  const failedMs = player?.phase === "failed" ? 5000 : null;
  useFreshDataAfter(player?.closed ? 1 : failedMs);

  const playerSongId = player?.songId ?? null;
  const unrated = songs.filter((song) => song.rated === null);
  // For instance of a song that was rated in another tab, and has no choices any more.
  const { failure } = rating;
  const lost = failure && !unrated.some(({ songId }) => songId === failure.songId) ? failure : null;
  const outcome = lost?.songId ?? props.justRated?.songId ?? passed;
  const isOver = useIsOver(outcome, playerSongId);
  const justRated = isOver || lost ? null : props.justRated;
  const folding = useFolding(justRated);
  const card = lost ? null : folding;

  const currentId = playerSongId ?? listen?.songId;
  const current = unrated.find(({ songId }) => songId === currentId);
  const large = current ?? unrated[0];
  const next = unrated.filter((song) => song !== large);
  const rated = songs.filter((song) => song.rated !== null && song.songId !== card?.songId);
  const carousel: CarouselControls = {
    ...view,
    ...viewer,
    player,
    sendingId: rating.songId,
    saved,
    justFavorited,
    failure,
    play: useRevealed(island.play, playerSongId),
    pause: () => island.handle.current?.pause(),
    rate: rating.send,
  };
  // The answer to the last rating of a package contains the next package.
  const isNextPackageLoading =
    rating.songId !== null && !unrated.some(({ songId }) => songId !== rating.songId);
  const isReached =
    eligibility.eligible && view.emptyPool?.obstacle == null && (!!large || !!justRated);

  return (
    <Page
      viewer={viewer}
      current="carousel"
      song={large?.tint == null ? undefined : large}
      above={card ?? undefined}
      amber={!large && view.emptyPool?.obstacle === null ? "above" : undefined}
    >
      <script
        nonce={nonce}
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours
        dangerouslySetInnerHTML={{ __html: props.earlyPlayScript ?? "" }}
      />
      <div className={card ? `above bleeds ${tinted(card)} ${justRated ? "" : "folds"}` : "above"}>
        <Goal
          eligibility={eligibility}
          goal={goal}
          round={view.round}
          isReached={isReached}
          low={!!current}
        />
        {card ? (
          <RatedCard
            key={card.songId}
            rating={card}
            carousel={carousel}
            boxes={props.reasonBoxes}
          />
        ) : null}
      </div>
      {isOver ? null : lost ? (
        <Outcome key={lost.songId}>
          <Notice tone="error">{lost.text}</Notice>
        </Outcome>
      ) : passed ? (
        <Outcome>
          <Notice tone="ok">
            <span>{`${passed} `}</span>
            {report ? <Link to={report}>Report it</Link> : null}
          </Notice>
        </Outcome>
      ) : null}
      {props.news ? <News {...props.news} /> : null}
      {viewer.subscription.ending ? (
        <ManageNotice tone="info">{viewer.subscription.ending}</ManageNotice>
      ) : null}
      {large ? (
        <SongCard
          key={large.songId}
          song={large}
          carousel={carousel}
          coming={!!justRated && !current}
          loud={!!current || !isReached || !!view.round}
        >
          {large.songId === rating.songId && (isNextPackageLoading || rating.stuck) ? (
            <LoadingSongs failed={rating.stuck} />
          ) : null}
        </SongCard>
      ) : null}
      <Songs heading="Next" note={isPlayBlocked(carousel) ? blockedText : null} songs={next}>
        {(song) => <SongRow song={song} carousel={carousel} />}
      </Songs>
      <Songs heading="Rated" songs={rated}>
        {(song) =>
          song.rated ? <RatedRow song={song} carousel={carousel} score={song.rated} /> : null
        }
      </Songs>
      {view.state === "songs" ? props.afterSongs : props.insteadOfSongs(!isReached)}
      <div className="under">
        <SpotifyCredit songs={justRated ? [...songs, justRated] : songs} />
        {player && view.state === "songs" && matchMedia("(hover: hover)").matches ? (
          <Keys openSongId={player.rated ? null : playerSongId} />
        ) : null}
        <TierPanel
          viewer={viewer}
          helps={view.state === "songs" || (view.state !== "away" && viewer.hearsSpotify)}
        />
      </div>
    </Page>
  );
}

const blockedText = "wait until current song is played and rated";

/** Whether another song has begun since the outcome of a press appeared, or the carousel was asked for again. */
function useIsOver(outcome: string | null, playerSongId: string | null): boolean {
  const { key, search, hash } = useLocation();
  const first = { outcome, playerSongId, key, isOver: false };
  const seen = useRef(first);
  if (seen.current.outcome !== outcome) seen.current = first;
  const since = seen.current;
  const hasBegun = playerSongId !== null && playerSongId !== since.playerSongId;
  if (hasBegun || (key !== since.key && !(search + hash))) since.isOver = true;
  return since.isOver;
}

const foldingMs = 420;

/** The card of the song just rated, which goes as another one begins: it is there until it has folded. */
function useFolding(justRated: JustRated | null): JustRated | null {
  const [card, setCard] = useState(justRated);
  useEffect(() => {
    if (justRated) return setCard(justRated);
    const timer = window.setTimeout(() => setCard(null), foldingMs);
    return () => window.clearTimeout(timer);
  }, [justRated]);
  return justRated ?? card;
}

/** Shows what a press on PLAY SONG has begun, with all of its ratings: the card of a row's song is a new one. */
function useRevealed(
  play: CarouselControls["play"],
  playerSongId: string | null,
): CarouselControls["play"] {
  const pressed = useRef<string | null>(null);
  useEffect(() => {
    if (pressed.current === null || pressed.current !== playerSongId) return;
    pressed.current = null;
    const panel = document.querySelector(".large > .deck");
    if (document.activeElement === document.body) {
      panel?.querySelector<HTMLElement>(".play button")?.focus({ preventScroll: true });
    }
    panel?.scrollIntoView({ block: "nearest" });
  }, [playerSongId]);
  return (song, event) => {
    pressed.current = song.songId;
    play(song, event);
  };
}

function Songs({
  heading,
  note,
  songs,
  children,
}: {
  heading: string;
  note?: string | null;
  songs: CarouselSong[];
  children: (song: CarouselSong) => ReactNode;
}) {
  if (songs.length === 0) return null;
  return (
    <section className="next">
      <h2>
        <span>{heading}</span>
        {note ? <small>{note}</small> : null}
      </h2>
      <ol>
        {songs.map((song) => (
          <li key={song.songId}>{children(song)}</li>
        ))}
      </ol>
    </section>
  );
}

function LoadingSongs({ failed }: { failed: boolean }) {
  return (
    <div className="standalone-message">
      {failed ? (
        <p role="alert">
          Your rating has been counted, but the next songs cannot be loaded right now. We will keep
          trying.
        </p>
      ) : (
        <div className="skeleton" aria-hidden="true" />
      )}
      <p role="status">Loading songs to rate... please wait</p>
      <a className="button plain" href="/">
        Reload songs manually
      </a>
    </div>
  );
}
