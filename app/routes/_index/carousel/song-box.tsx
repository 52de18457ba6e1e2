import type { FormEventHandler } from "react";
import { Cover } from "~/components/song/cover";
import { SongTitle, songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/domain/carousel/view";
import type { ListenView } from "~/domain/listening/listening";
import { ratingLabel } from "~/domain/rating/scale";
import { counted } from "~/platform/text";
import { FavoriteButton } from "./favorite-button";
import { RatingPanel } from "./rating-panel";

export interface SongBoxProps {
  song: CarouselSong;
  /** The viewer's open listen, to this song or another. */
  listen: ListenView | null;
  /** Seconds until the listen to this song unlocks its rating; null when there is none. */
  secondsLeft?: number | null;
  /** The rating may be given now. */
  unlocked: boolean;
  /** This song is sounding now. */
  playing: boolean;
  /** Another song has to be played and rated first. */
  blocked: boolean;
  /** One of the songs further down: a row with its rating panel folded away. */
  compact?: boolean;
  /** Its rating is on its way. */
  rating?: boolean;
  /** The page comes back from adding this song to the favorites. */
  justFavorited?: boolean;
  onPlay?: FormEventHandler<HTMLFormElement> | undefined;
  onRate?: FormEventHandler<HTMLFormElement> | undefined;
}

/** The element id of a song's box. */
export function songBoxId(songId: string): string {
  return `song-${songId}`;
}

/**
 * A song of the carousel: cover, 'artist - song', PLAY SONG, the rating panel and 'Add to my
 * favorites' (spec section 2, "Carousel screen"). Once rated, a row with the label given.
 */
export function SongBox(props: SongBoxProps) {
  const { song, compact = false, justFavorited = false } = props;
  const rated = song.rated !== null;
  const shape = rated ? "rated" : compact ? "compact" : "large";
  return (
    <article className={`song ${shape}`} id={songBoxId(song.songId)}>
      <Cover track={song} eager={shape === "large"} />
      <h2>
        <SongTitle track={song} />
      </h2>
      {rated ? <Rated {...props} /> : <Unrated {...props} />}
      <FavoriteButton song={song} justAdded={justFavorited} />
    </article>
  );
}

function Rated({ song }: SongBoxProps) {
  const label = song.rated === null ? "" : ratingLabel(song.rated);
  return (
    <p className="state">
      <span className="unseen">Your rating: </span>
      {label}
    </p>
  );
}

function Unrated(props: SongBoxProps) {
  const { song, listen, secondsLeft = null, unlocked, compact = false } = props;
  const listening = listen?.songId === song.songId;
  const panel = (
    <RatingPanel
      song={song}
      unlocked={unlocked}
      secondsLeft={listening ? secondsLeft : null}
      sending={props.rating ?? false}
      onSubmit={props.onRate}
    />
  );
  return (
    <>
      <form
        className="play"
        method="post"
        action={`/songs/${song.songId}/play`}
        onSubmit={props.onPlay}
      >
        <button
          className={unlocked || listening || props.playing || compact ? "button plain" : "button"}
          type="submit"
          disabled={props.blocked}
        >
          PLAY SONG<span className="unseen">: {songName(song)}</span>
        </button>
        {/* The player bar says aloud what plays. A row says in its summary why it is blocked. */}
        {compact ? null : <p className="state">{stateText(props)}</p>}
      </form>
      {compact && !unlocked ? (
        <details className="later">
          <summary>
            {props.blocked ? blockedText : `Rate after ${counted(song.requiredSeconds, "second")}`}
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

function stateText({ playing, blocked }: SongBoxProps): string {
  if (blocked) return blockedText;
  return playing ? "Playing..." : "";
}
