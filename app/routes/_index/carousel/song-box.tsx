import { Link } from "@remix-run/react";
import type { FormEvent, ReactNode } from "react";
import { Cover } from "~/components/song/cover";
import { FavoriteButton } from "~/components/song/favorite-button";
import { SongTitle, songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/exchange/carousel/view";
import { unlockSeconds } from "~/exchange/listening/progress";
import { ratingLabel, type Score } from "~/exchange/rating/scale";
import type { ViewerView } from "~/members/views";
import { counted } from "~/platform/text";
import { ConfirmForm } from "./listen-status";
import { PlayForm, playState } from "./play-form";
import { blockedText, RatingPanel } from "./rating-panel";
import { type CarouselState, type SongStatus, songStatus } from "./song-status";

export interface CarouselControls
  extends CarouselState,
    Pick<ViewerView, "hasSpotify" | "hearsSpotify"> {
  /** Ids of the songs in the viewer's library at Spotify; null or undefined if unknown. */
  saved: string[] | null | undefined;
  justFavorited: string | null;
  failure: { songId: string; text: string } | null;
  play(song: CarouselSong, event: FormEvent<HTMLFormElement>): void;
  pause(): void;
  rate(form: HTMLFormElement, songId: string): void;
}

interface SongBoxProps {
  song: CarouselSong;
  /** True for all but the first song: a row whose rating panel stays closed until the song plays. */
  compact: boolean;
  carousel: CarouselControls;
  children?: ReactNode;
}

/**
 * Width of the large cover. On a phone it is set too low: with two pixels a point the 300-pixel picture is
 * enough, and the carousel's pictures stay below 120 KB in total.
 */
const largeCover = "(width < 48rem) 9rem, 32rem";

export function songBoxId(songId: string): string {
  return `song-${songId}`;
}

/**
 * A song of the carousel: cover, 'artist - song', PLAY SONG, the rating panel, 'Add to my favorites', and a
 * discreet link to pass on it. Once rated, a row with the rating and the link to add it to a playlist.
 */
export function SongBox(props: SongBoxProps) {
  const { song, compact, carousel, children } = props;
  const status = songStatus(song, carousel);
  const isRated = status.kind === "rated";
  const isAtSpotify = carousel.hasSpotify && song.spotifyUrl !== null;
  const shape = isRated ? "rated" : compact ? "compact" : "large";
  return (
    <article className={`song ${shape}`} id={songBoxId(song.songId)}>
      <Cover track={song} first={shape === "large" ? largeCover : undefined} />
      <h2>
        <SongTitle track={song} />
      </h2>
      {status.kind === "rated" ? (
        <GivenRating score={status.score} />
      ) : (
        <PlayAndRate {...props} status={status} />
      )}
      <div className="after-songs">
        {isAtSpotify ? (
          <FavoriteButton
            song={song}
            saved={carousel.saved?.includes(song.songId)}
            justAdded={song.songId === carousel.justFavorited}
          />
        ) : null}
        {isRated && !isAtSpotify ? null : (
          <Link
            className="link-button"
            to={`/songs/${song.songId}/${isRated ? "playlist" : "pass/reason"}`}
          >
            <span>{isRated ? "Put it into a playlist" : "I can't rate this"}</span>
            <span className="visually-hidden">{`: ${songName(song)}`}</span>
          </Link>
        )}
      </div>
      {children}
    </article>
  );
}

function GivenRating({ score }: { score: Score }) {
  return (
    <p className="song-status">
      <span className="visually-hidden">Your rating: </span>
      <span>{ratingLabel(score)}</span>
    </p>
  );
}

function PlayAndRate({
  song,
  compact,
  carousel,
  status,
}: Omit<SongBoxProps, "children"> & { status: SongStatus }) {
  const { player, listen, failure } = carousel;
  const isToBeConfirmed = song.songId === listen?.songId && !listen.finished && !song.heard;
  const blocked = status.kind === "blocked" || (status.kind === "unlocked" && status.blocked);
  const isCurrent = player?.songId === song.songId;
  const rating = (
    <RatingPanel
      song={song}
      status={status}
      compact={compact}
      secondsLeft={isCurrent && player.phase !== "failed" ? player.secondsLeft : null}
      current={isCurrent}
      scripted={player !== null}
      error={failure?.songId === song.songId ? failure.text : null}
      onRate={(form) => carousel.rate(form, song.songId)}
    />
  );
  const panel =
    isToBeConfirmed && !player && status.kind === "unlocked" ? (
      <div>
        {rating}
        <ConfirmForm songId={song.songId} />
      </div>
    ) : (
      rating
    );
  return (
    <>
      {carousel.hearsSpotify || song.spotifyUrl === null ? (
        <PlayForm
          song={song}
          state={playState(player, song)}
          // Only the first song's button has the accent colour, and only until the song is played.
          accented={!compact && (blocked || status.kind === "idle")}
          disabled={blocked}
          onPlay={(event) => carousel.play(song, event)}
          onPause={carousel.pause}
        />
      ) : null}
      {compact && !isCurrent && status.kind !== "unlocked" ? (
        <details className="folded-rating">
          <summary>
            {blocked
              ? blockedText
              : `Rate after ${counted(unlockSeconds(song.requiredSeconds), "second")}`}
          </summary>
          {panel}
        </details>
      ) : (
        panel
      )}
    </>
  );
}
