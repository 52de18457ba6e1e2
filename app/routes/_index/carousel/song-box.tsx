import { Link } from "@remix-run/react";
import type { FormEventHandler, ReactNode } from "react";
import { Cover } from "~/components/song/cover";
import { SongTitle, songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/domain/carousel/view";
import { unlockSeconds } from "~/domain/listening/progress";
import { ratingLabel, type Score } from "~/domain/rating/scale";
import { counted } from "~/platform/text";
import type { PlayerSnapshot } from "~/player/machine/state";
import { FavoriteButton } from "./favorite-button";
import { ConfirmForm } from "./listen-status";
import { PlayForm } from "./play-form";
import { playState } from "./play-state";
import { blockedText, RatingPanel } from "./rating-panel";
import type { SongStatus } from "./song-status";

export interface SongBoxProps {
  song: CarouselSong;
  status: SongStatus;
  /** What the player in this page reports; null while there is none. */
  player: PlayerSnapshot | null;
  /** Not the first song of the list: a row whose rating panel is folded away until it is played. */
  compact: boolean;
  /** Its listen is open and not confirmed. */
  confirmable: boolean;
  /** Whether it is in the viewer's library at Spotify; undefined if Spotify has not told. */
  saved: boolean | undefined;
  /** The page comes back from adding this song to the favorites. */
  justFavorited: boolean;
  /** Why the rating of this song has not been counted, or null. */
  error: string | null;
  /** Takes over the plain form of PLAY SONG; what was paused goes on. */
  onPlay: FormEventHandler<HTMLFormElement>;
  onRestart(): void;
  /** Takes over the plain form of the rating. */
  onRate(form: HTMLFormElement): void;
  /** What follows the song, if anything. */
  children?: ReactNode;
}

/**
 * How wide the large cover is. On a phone that is less than the truth: at two pixels a point the picture
 * of 300 pixels does, and the carousel's pictures stay under 120 KB together.
 */
const largeCover = "(width < 768px) 9rem, 32rem";

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
  const { song, status, compact, saved, justFavorited, children } = props;
  const isRated = status.kind === "rated";
  const shape = isRated ? "rated" : compact ? "compact" : "large";
  return (
    <article className={`song ${shape}`} id={songBoxId(song.songId)}>
      <Cover track={song} first={shape === "large" ? largeCover : undefined} />
      <h2>
        <SongTitle track={song} />
      </h2>
      {status.kind === "rated" ? <GivenRating score={status.score} /> : <PlayAndRate {...props} />}
      <div className="after-songs">
        <FavoriteButton song={song} saved={saved} justAdded={justFavorited} />
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

function PlayAndRate(props: SongBoxProps) {
  const { song, status, player, compact, confirmable, error, onPlay, onRestart, onRate } = props;
  const blocked = status.kind === "blocked" || (status.kind === "unlocked" && status.blocked);
  const isCurrent = player?.songId === song.songId;
  const rating = (
    <RatingPanel
      song={song}
      status={status}
      compact={compact}
      secondsLeft={isCurrent && player.phase !== "failed" ? player.secondsLeft : null}
      scripted={player !== null}
      error={error}
      onRate={onRate}
    />
  );
  const panel =
    confirmable && !player && status.kind === "unlocked" ? (
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
        onPlay={onPlay}
        onRestart={onRestart}
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
