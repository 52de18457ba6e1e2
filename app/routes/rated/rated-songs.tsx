import { Link } from "@remix-run/react";
import { utcDate } from "~/components/format/date";
import { StarHeading } from "~/components/layout/star-heading";
import { Cover } from "~/components/song/cover";
import { FavoriteButton, useSaved } from "~/components/song/favorite-button";
import { SongTitle, songName } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { ratingLabel } from "~/exchange/rating/scale";
import { playlistPath } from "~/library/finds";
import type { RatedSong } from "~/library/given.server";

type Song = Omit<RatedSong, "trackId">;

/** "Songs I rated": the viewer's ratings, the newest first. */
export function RatedSongs({
  songs,
  saved: known,
  after,
  next,
}: {
  songs: Song[];
  /** Ids of the songs in the viewer's library, if the page came with them; null if Spotify did not tell. */
  saved?: string[] | null | undefined;
  /** The place after which this page of the list begins; null for the first page. */
  after: string | null;
  /** The place after which the next page begins, or null. */
  next: string | null;
}) {
  const saved = useSaved(songs, known);
  const here = after === null ? "/rated" : `/rated?after=${encodeURIComponent(after)}`;
  if (songs.length === 0 && after === null) return <NoneRated />;
  return (
    <>
      <div className="prose">
        <StarHeading>Songs I rated</StarHeading>
        <p className="lead">The newest first. Only you see this list.</p>
        {after === null ? null : <Link to="/rated">Back to the newest</Link>}
      </div>
      <ol className="results">
        {songs.map((song, index) => (
          <li className="song rated" key={song.songId} id={`song-${song.songId}`}>
            <Cover track={song} first={index === 0 ? "3.5rem" : undefined} />
            <h2>
              <SongTitle track={song} />
            </h2>
            <Given {...song} />
            <div className="after-songs">
              <FavoriteButton
                song={song}
                saved={saved?.includes(song.songId)}
                next={`${here}#song-${song.songId}`}
              />
              <Link className="link-button" to={playlistPath(song.songId)}>
                Put it into a playlist
                <span className="visually-hidden">{`: ${songName(song)}`}</span>
              </Link>
            </div>
          </li>
        ))}
      </ol>
      {next === null ? null : (
        <Link className="button plain show-more" to={`?after=${encodeURIComponent(next)}`}>
          Show older ones
        </Link>
      )}
      <SpotifyCredit />
    </>
  );
}

function NoneRated() {
  return (
    <div className="prose">
      <StarHeading>Songs I rated</StarHeading>
      <p className="lead">No songs yet. Every song you rate is listed here.</p>
      <Link className="button" to="/">
        Play and rate songs
      </Link>
    </div>
  );
}

/** The rating with its day. */
function Given({ score, ratedAt }: Pick<Song, "score" | "ratedAt">) {
  return (
    <p className="song-status">
      <span className="visually-hidden">Your rating: </span>
      <span>{`${ratingLabel(score)} `}</span>
      <time className="quiet" dateTime={new Date(ratedAt).toISOString()}>
        {utcDate(ratedAt)}
      </time>
    </p>
  );
}
