import type { FormEventHandler } from "react";
import { Cover } from "~/components/song/cover";
import { SongTitle, songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/domain/carousel/view";
import { ratingLabel, type Score } from "~/domain/rating/scale";
import { counted } from "~/platform/text";
import { FavoriteButton } from "./favorite-button";
import { RatingPanel } from "./rating-panel";
import type { SongStatus } from "./song-status";

export interface SongBoxProps {
  song: CarouselSong;
  status: SongStatus;
  /** Not the first song of the list: a row whose rating panel is folded away. */
  compact: boolean;
  /** The page comes back from adding this song to the favorites. */
  justFavorited: boolean;
  /** Takes over the plain form of PLAY SONG. */
  onPlay: FormEventHandler<HTMLFormElement>;
  /** Takes over the plain form of the rating. */
  onRate: FormEventHandler<HTMLFormElement>;
}

/** The element id of a song's box. */
export function songBoxId(songId: string): string {
  return `song-${songId}`;
}

/**
 * A song of the carousel: cover, 'artist - song', PLAY SONG, the rating panel and 'Add to my
 * favorites' (spec section 2, "Carousel screen"). Once rated, a row with its rating.
 */
export function SongBox(props: SongBoxProps) {
  const { song, status, compact, justFavorited } = props;
  const shape = status.kind === "rated" ? "rated" : compact ? "compact" : "large";
  return (
    <article className={`song ${shape}`} id={songBoxId(song.songId)}>
      <Cover track={song} eager={shape === "large"} />
      <h2>
        <SongTitle track={song} />
      </h2>
      {status.kind === "rated" ? <GivenRating score={status.score} /> : <PlayAndRate {...props} />}
      <FavoriteButton song={song} justAdded={justFavorited} />
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

function PlayAndRate({ song, status, compact, onPlay, onRate }: SongBoxProps) {
  const blocked = status.kind === "blocked";
  // Only the first song's button gets the accent colour, and only until the song is played.
  const isNextStep = !compact && (blocked || status.kind === "idle");
  const panel = <RatingPanel song={song} status={status} onSubmit={onRate} />;
  return (
    <>
      <form className="play" method="post" action={`/songs/${song.songId}/play`} onSubmit={onPlay}>
        <button
          className={isNextStep ? "button" : "button plain"}
          type="submit"
          disabled={blocked || (status.kind === "unlocked" && status.blocked)}
        >
          PLAY SONG<span className="visually-hidden">: {songName(song)}</span>
        </button>
        {/* No live region: the player bar announces this. A row shows it in its summary instead. */}
        {compact ? null : <p className="song-status">{statusText(status)}</p>}
      </form>
      {compact && status.kind !== "unlocked" ? (
        <details className="folded-rating">
          <summary>
            {blocked ? blockedText : `Rate after ${counted(song.requiredSeconds, "second")}`}
          </summary>
          {panel}
        </details>
      ) : (
        panel
      )}
    </>
  );
}

const blockedText = "wait until current song is played and rated";

function statusText(status: SongStatus): string {
  if (status.kind === "blocked") return blockedText;
  const playing = status.kind === "playing" || (status.kind === "unlocked" && status.playing);
  return playing ? "Playing..." : "";
}
