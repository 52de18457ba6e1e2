import { Link } from "@remix-run/react";
import { type ReactElement, useContext } from "react";
import { useFreshData } from "~/components/form/use-fresh-data";
import { NonceContext } from "~/components/layout/document-contexts";
import { Notice } from "~/components/notice";
import { ManageNotice } from "~/components/premium/manage-subscription";
import { TierPanel } from "~/components/premium/subscription-state";
import { useSaved } from "~/components/song/favorite-button";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { CarouselView } from "~/exchange/carousel/view";
import { ratingLabel, type Score } from "~/exchange/rating/scale";
import type { ViewerView } from "~/members/views";
import { CarouselHeading } from "./carousel-heading";
import { Keys } from "./keys";
import { ListenStatus } from "./listen-status";
import { LoadingSongs } from "./loading-songs";
import { RatedNotice } from "./rated-notice";
import { type CarouselOfPage, SongBox } from "./song-box";
import { SongList } from "./song-list";
import { usePlayerIsland } from "./use-player-island";
import { useRating } from "./use-rating";

export interface CarouselScreenProps {
  viewer: ViewerView;
  view: CarouselView;
  /** The rating that brought the viewer back to this screen, or null. */
  justRated: { songId: string; score: Score } | null;
  /** The message after passing on a song, or null. */
  passed: string | null;
  /** The page that reports the song that was passed on, or null. */
  report: string | null;
  /** The song whose favorite form brought the viewer back to this screen, or null. */
  justFavorited: string | null;
  /**
   * The script that holds back PLAY SONG until the player has loaded; only on the server, whose page runs it.
   */
  earlyPlayScript: string | undefined;
  /** The message for a viewer whose Spotify account is not Premium, or null. */
  noPremium: string | null;
  /** Replaces the songs where there are none. */
  insteadOfSongs: ReactElement;
  /** Follows the heading: the sheet after a rating. */
  children: ReactElement | null;
}

/** The carousel: plain forms, which the player takes over once it has loaded. */
export function CarouselScreen(props: CarouselScreenProps) {
  const { viewer, view, justRated, justFavorited } = props;
  const { songs, listen, eligibility } = view;
  const nonce = useContext(NonceContext);
  const island = usePlayerIsland(view, justRated?.songId ?? null);
  const rating = useRating();
  const saved = useSaved(songs);
  useFreshData(!island.snapshot?.busy && rating.songId === null);

  const playerSongId = island.snapshot?.songId ?? null;
  const isToBeRated = (id: string) => songs.some((one) => one.songId === id && one.rated === null);
  // For instance of a song that was rated in another tab, and has no box any more.
  const { failure } = rating;
  const lost = failure && !isToBeRated(failure.songId) ? failure : null;
  const carousel: CarouselOfPage = {
    ...view,
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
      {lost ? null : props.children}
      {viewer.subscription.ending ? (
        <ManageNotice tone="info">{viewer.subscription.ending}</ManageNotice>
      ) : null}
      {props.noPremium ? <Notice tone="error">{props.noPremium}</Notice> : null}
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
            <SpotifyCredit />
            <Link className="link-button" to="/rated">
              Songs I rated
            </Link>
            {island.snapshot && "HTMLDialogElement" in window ? (
              <Keys openSongId={island.snapshot.rated ? null : playerSongId} />
            ) : null}
          </div>
        </>
      ) : (
        props.insteadOfSongs
      )}
      <TierPanel subscription={viewer.subscription} />
    </>
  );
}
