import { Link } from "@remix-run/react";
import type { FormEvent, ReactNode } from "react";
import { Cover } from "~/components/song/cover";
import { FavoriteButton } from "~/components/song/favorite-button";
import { SongTitle, songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/domain/carousel/view";
import { unlockSeconds } from "~/domain/listening/progress";
import { ratingLabel, type Score } from "~/domain/rating/scale";
import { counted } from "~/platform/text";
import { ConfirmForm } from "./listen-status";
import { PlayForm } from "./play-form";
import { playState } from "./play-state";
import { blockedText, RatingPanel } from "./rating-panel";
import { type CarouselState, type SongStatus, songStatus } from "./song-status";

/** What the boxes of a carousel share. */
export interface Carousel extends CarouselState {
  /** Which songs are in the viewer's library at Spotify; null or undefined if Spotify has not told. */
  saved: string[] | null | undefined;
  /** The song whose favorite form has led back to this page, or null. */
  justFavorited: string | null;
  /** Why the last rating has not been counted, and of which song; or null. */
  failure: { songId: string; text: string } | null;
  /** Takes over the plain form of PLAY SONG; what was paused goes on. */
  play(song: CarouselSong, event: FormEvent<HTMLFormElement>): void;
  restart(): void;
  /** Takes over the plain form of the rating. */
  rate(form: HTMLFormElement, songId: string): void;
}

interface SongBoxProps {
  song: CarouselSong;
  /** Not the first song of the list: a row whose rating panel is folded away until it is played. */
  compact: boolean;
  carousel: Carousel;
  /** What follows the song, if anything. */
  children?: ReactNode;
}

/**
 * How wide the large cover is. On a phone that is less than the truth: at two pixels a point the picture
 * of 300 pixels does, and the carousel's pictures stay under 120 KB together.
 */
const largeCover = "(width < 48rem) 9rem, 32rem";

/** The element id of a song's box. */
export function songBoxId(songId: string): string {
  return `song-${songId}`;
}

/**
 * A song of the carousel: cover, 'artist - song', PLAY SONG, the rating panel and 'Add to my
 * favorites', and quietly the way out of rating it. Once rated, a row with its rating, and the way into
 * a playlist.
 */
export function SongBox(props: SongBoxProps) {
  const { song, compact, carousel, children } = props;
  const status = songStatus(song, carousel);
  const isRated = status.kind === "rated";
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
        <FavoriteButton
          song={song}
          saved={carousel.saved?.includes(song.songId)}
          justAdded={song.songId === carousel.justFavorited}
        />
        <Link
          className="link-button"
          to={`/songs/${song.songId}/${isRated ? "playlist" : "pass/reason"}`}
        >
          {isRated ? "Put it into a playlist" : "I can't rate this"}
          <span className="visually-hidden">: {songName(song)}</span>
        </Link>
      </div>
      {children}
    </article>
  );
}

function GivenRating({ score }: { score: Score }) {
  return (
    <p className="song-status">
      <span className="visually-hidden">Your rating: </span>
      {ratingLabel(score)}
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
      <PlayForm
        song={song}
        state={playState(player, song)}
        // Only the first song's button gets the accent colour, and only until the song is played.
        accented={!compact && (blocked || status.kind === "idle")}
        disabled={blocked}
        onPlay={(event) => carousel.play(song, event)}
        onRestart={carousel.restart}
      />
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
