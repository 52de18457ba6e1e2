import { Link } from "@remix-run/react";
import { type ReactElement, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { useFreshData } from "~/components/form/use-fresh-data";
import { useUntouched } from "~/components/form/use-untouched";
import { NonceContext } from "~/components/layout/document-contexts";
import { Notice } from "~/components/notice";
import { ManageNotice } from "~/components/premium/manage-subscription";
import { TierPanel } from "~/components/premium/subscription-state";
import { useSaved } from "~/components/song/favorite-button";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { CarouselSong, CarouselView } from "~/exchange/carousel/view";
import { ratingLabel, type Score } from "~/exchange/rating/scale";
import type { Eligibility } from "~/exchange/submission/eligibility";
import type { ViewerView } from "~/members/views";
import { UploadLink } from "~/routes/_index/empty-pool/empty-pool";
import { Keys } from "./keys";
import { ListenStatus } from "./listen-status";
import { News } from "./news";
import { type CarouselControls, SongBox } from "./song-box";
import { usePlayerIsland } from "./use-player-island";
import { useRating } from "./use-rating";

interface CarouselScreenProps {
  viewer: ViewerView;
  view: CarouselView;
  justRated: { songId: string; score: Score } | null;
  passed: string | null;
  report: string | null;
  justFavorited: string | null;
  /**
   * The script that holds back PLAY SONG until the player has loaded; only on the server, whose page runs it.
   */
  earlyPlayScript: string | undefined;
  afterSongs: ReactElement | null;
  insteadOfSongs: ReactElement;
  children: ReactElement | null;
}

/** The carousel: plain forms, which the player takes over once it has loaded. */
export function CarouselScreen(props: CarouselScreenProps) {
  const { viewer, view, justRated, justFavorited } = props;
  const { songs, listen, eligibility } = view;
  const nonce = useContext(NonceContext);
  const island = usePlayerIsland(view, justRated?.songId ?? null);
  const rating = useRating();
  const saved = useSaved(viewer.hasSpotify ? songs : []);
  useFreshData(!island.snapshot?.busy && rating.songId === null);

  const playerSongId = island.snapshot?.songId ?? null;
  const isToBeRated = (id: string) => songs.some((one) => one.songId === id && one.rated === null);
  // For instance of a song that was rated in another tab, and has no box any more.
  const { failure } = rating;
  const lost = failure && !isToBeRated(failure.songId) ? failure : null;
  const carousel: CarouselControls = {
    ...view,
    ...viewer,
    player: island.snapshot,
    sendingId: rating.songId,
    saved,
    justFavorited,
    failure,
    play: island.play,
    pause: () => island.handle.current?.pause(),
    rate: rating.send,
  };
  // The answer to the last rating of a package contains the next package.
  const isNextPackageLoading =
    rating.songId !== null &&
    !songs.some((song) => song.rated === null && song.songId !== rating.songId);

  return (
    <>
      <script
        nonce={nonce}
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours
        dangerouslySetInnerHTML={{ __html: props.earlyPlayScript ?? "" }}
      />
      <CarouselHeading
        eligibility={eligibility}
        goal={view.goal}
        offerUpload={view.state === "songs"}
      >
        {lost ? (
          <RatedNotice key={`not ${lost.songId}`} tone="error" playerSongId={playerSongId}>
            {lost.text}
          </RatedNotice>
        ) : justRated ? (
          <RatedNotice
            key={justRated.songId}
            reached={eligibility.eligible && eligibility.credits === eligibility.cost}
            playerSongId={playerSongId}
          >
            {`Song successfully rated with: ${ratingLabel(justRated.score)}`}
          </RatedNotice>
        ) : props.passed ? (
          <RatedNotice playerSongId={playerSongId}>
            <span>{`${props.passed} `}</span>
            {props.report ? <Link to={props.report}>Report it</Link> : null}
          </RatedNotice>
        ) : null}
      </CarouselHeading>
      {viewer.news ? <News {...viewer.news} /> : null}
      {lost ? null : props.children}
      {viewer.subscription.ending ? (
        <ManageNotice tone="info">{viewer.subscription.ending}</ManageNotice>
      ) : null}
      {playerSongId === null ? (
        <ListenStatus view={view} hasPlayer={island.snapshot !== null} />
      ) : null}
      {view.state === "songs" ? (
        <>
          <SongList songs={songs} currentSongId={playerSongId ?? listen?.songId ?? null}>
            {(song, compact) => (
              <SongBox song={song} compact={compact} carousel={carousel}>
                {song.songId === rating.songId && (isNextPackageLoading || rating.stuck) ? (
                  <LoadingSongs failed={rating.stuck} />
                ) : null}
              </SongBox>
            )}
          </SongList>
          <div className="after-songs">
            <SpotifyCredit songs={songs} />
            <Link className="link-button" to="/rated">
              Songs I rated
            </Link>
            {island.snapshot && "HTMLDialogElement" in window ? (
              <Keys openSongId={island.snapshot.rated ? null : playerSongId} />
            ) : null}
          </div>
          {props.afterSongs}
        </>
      ) : (
        props.insteadOfSongs
      )}
      <TierPanel viewer={viewer} helps={viewer.hearsSpotify || view.state === "songs"} />
    </>
  );
}

/**
 * 'PLAY and RATE' with the progress towards the next submission, or the link to the add-song screen once it
 * is reached.
 */
function CarouselHeading({
  eligibility,
  goal,
  offerUpload = true,
  children,
}: {
  eligibility: Eligibility;
  goal: string | null;
  offerUpload?: boolean;
  children?: ReactNode;
}) {
  if (goal === null) {
    return (
      <header className="carousel-heading">
        <h1>PLAY and RATE</h1>
      </header>
    );
  }
  const { eligible, remaining, credits } = eligibility;
  const goalRatings = Math.max(1, credits + (eligible ? 0 : Math.max(1, remaining)));
  return (
    <header className="carousel-heading">
      <h1>PLAY and RATE</h1>
      <div className="goal">
        <p id="goal">{goal}</p>
        <progress
          aria-labelledby="goal"
          max={goalRatings}
          value={eligible ? goalRatings : credits}
        />
        {children}
      </div>
      {offerUpload && eligible ? <UploadLink /> : null}
    </header>
  );
}

/**
 * The outcome of a rating or a pass, shown until the next song starts. Takes the focus from the form that is
 * gone; the next song follows right after it. Each outcome is rendered anew.
 */
function RatedNotice({
  tone = "ok",
  reached = false,
  children,
  playerSongId,
}: {
  tone?: "ok" | "error";
  /** True if this rating earned the next submission: the goal fills once more (carousel.css). */
  reached?: boolean;
  children: ReactNode;
  playerSongId: string | null;
}) {
  const notice = useRef<HTMLDivElement>(null);
  const untouched = useUntouched();
  const [firstSongId] = useState(playerSongId);
  useEffect(() => notice.current?.focus(), []);
  if (playerSongId !== null && playerSongId !== firstSongId) return null;
  return (
    <div
      className={`rated-notice${reached && untouched ? " reached" : ""}`}
      ref={notice}
      tabIndex={-1}
    >
      <Notice tone={tone}>{children}</Notice>
    </div>
  );
}

/**
 * The songs of a package: first the one that was current when the list appeared, or the next unrated one,
 * then the other unrated songs, then the rated ones. Starting another song does not change the order.
 */
function SongList({
  songs,
  currentSongId,
  children,
}: {
  songs: CarouselSong[];
  currentSongId: string | null;
  /** Renders one song; `compact` is false for the first song of the list only. */
  children: (song: CarouselSong, compact: boolean) => ReactNode;
}) {
  const first = useRef(currentSongId);
  const rank = (song: CarouselSong) =>
    song.rated !== null ? 2 : song.songId === first.current ? 0 : 1;
  const ordered = [...songs].sort((a, b) => rank(a) - rank(b));
  return (
    <ol className="songs">
      {ordered.map((song, index) => (
        <li key={song.songId}>{children(song, index > 0)}</li>
      ))}
    </ol>
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
