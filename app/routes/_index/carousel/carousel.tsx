import { type ReactNode, useContext } from "react";
import { useFreshData } from "~/components/form/use-fresh-data";
import { NonceContext } from "~/components/layout/nonce";
import { Notice } from "~/components/notice";
import { ManageNotice } from "~/components/premium/manage-notice";
import { TierPanel } from "~/components/premium/tier-panel";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { CarouselView } from "~/domain/carousel/view";
import type { Score } from "~/domain/rating/scale";
import type { ViewerView } from "~/domain/session/views";
import { CarouselHeading } from "./carousel-heading";
import { useSaved } from "./favorite-button";
import { Keys } from "./keys";
import { ListenStatus } from "./listen-status";
import { LoadingSongs } from "./loading-songs";
import { RatedNotice } from "./rated-notice";
import { SongBox } from "./song-box";
import { SongList } from "./song-list";
import { songStatus } from "./song-status";
import { usePlayerIsland } from "./use-player-island";
import { useRating } from "./use-rating";

export interface CarouselScreenProps {
  viewer: ViewerView;
  view: CarouselView;
  /** The rating that brought the viewer back to this screen, or null. */
  justRated: { songId: string; score: Score } | null;
  /** The song whose favorite form brought the viewer back to this screen, or null. */
  justFavorited: string | null;
  /** What holds a PLAY SONG until the player has loaded; only the server, whose page runs it, has it. */
  earlyPlayScript: string | undefined;
  /** What somebody reads whose Spotify account is not Premium, or null. */
  noPremium: string | null;
  /** Stands in the place of the songs where there are none. */
  insteadOfSongs: ReactNode;
  /** Follows the heading: asks why the rating was given. */
  children?: ReactNode;
}

/** The carousel: plain forms, which the player takes over once it has arrived. */
export function CarouselScreen(props: CarouselScreenProps) {
  const { viewer, view, justRated, justFavorited } = props;
  const { songs, listen, eligibility } = view;
  const nonce = useContext(NonceContext);
  const island = usePlayerIsland(view);
  const rating = useRating();
  const saved = useSaved(songs);
  useFreshData(!island.snapshot?.busy && rating.songId === null);

  const playerSongId = island.snapshot?.songId ?? null;
  const carouselState = {
    ...view,
    player: island.snapshot,
    sendingId: rating.songId,
  };
  // The answer to the last rating of a package brings the next package.
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
        remaining={eligibility.remaining}
        eligibility={eligibility}
        offerUpload={view.state === "songs"}
        away={view.state === "away"}
      >
        {justRated ? (
          <RatedNotice key={justRated.songId} score={justRated.score} playerSongId={playerSongId} />
        ) : null}
      </CarouselHeading>
      {props.children}
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
              <SongBox
                song={song}
                status={songStatus(song, carouselState)}
                player={island.snapshot}
                compact={compact}
                confirmable={song.songId === listen?.songId && !listen.finished && !song.heard}
                saved={saved?.includes(song.songId)}
                justFavorited={song.songId === justFavorited}
                error={rating.failure?.songId === song.songId ? rating.failure.text : null}
                onPlay={island.playHandler(song)}
                onRestart={() => island.handle.current?.restart()}
                onRate={(form) => rating.send(form, song.songId)}
              >
                {song.songId === rating.songId && (isNextPackageLoading || rating.stuck) ? (
                  <LoadingSongs failed={rating.stuck} />
                ) : null}
              </SongBox>
            )}
          </SongList>
          <div className="after-songs">
            <SpotifyCredit />
            {island.snapshot ? <Keys openSongId={playerSongId} /> : null}
          </div>
        </>
      ) : (
        props.insteadOfSongs
      )}
      <TierPanel subscription={viewer.subscription} />
    </>
  );
}
