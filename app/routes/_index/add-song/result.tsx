import { Link } from "@remix-run/react";
import { Fragment } from "react";
import { Cover } from "~/components/song/cover";
import { songName } from "~/components/song/song-title";
import type { OfferedSong } from "~/domain/submission/add-song.server";
import { addSongPath, type Spot } from "./add-song-path";

/** A song as the screen lists it. */
export interface ListedSong extends OfferedSong {
  /** Its length, as m:ss. */
  length: string;
}

/** A song that can be chosen, with the ways on to its album and its artists. */
export function Result({
  track,
  spot,
  first = false,
}: {
  track: ListedSong;
  spot: Spot;
  /** The first of the list. */
  first?: boolean;
}) {
  // In its own list an album stands above, with the cover of all its songs.
  const isOnAlbum = spot.albumId !== null && spot.artistId === null;
  return (
    <li className="song compact">
      {isOnAlbum ? (
        <p className="quiet length">{track.length}</p>
      ) : (
        <Cover track={track} first={first ? "5.5rem" : undefined} />
      )}
      <div className="result-text">
        <a className="song-title" href={track.spotifyUrl} target="_blank" rel="noopener">
          <bdi>{track.title}</bdi>
          <span className="visually-hidden"> (opens Spotify)</span>
        </a>
        <p className="quiet">
          <ArtistLinks credits={track} spot={spot} />
          {isOnAlbum ? null : (
            <>
              {" | "}
              <AlbumName track={track} spot={spot} />
            </>
          )}
        </p>
        {track.submitted ? <p className="quiet">{track.submitted}</p> : null}
        {track.playable ? null : (
          <p className="quiet">Spotify does not play this song at the moment.</p>
        )}
      </div>
      {track.playable ? (
        <p className="play">
          <Link className="button plain" to={addSongPath(spot, track.trackId)}>
            Submit this song!
            <span className="visually-hidden"> {songName(track)}</span>
          </Link>
        </p>
      ) : null}
    </li>
  );
}

/** From what is an artist's, it leads to what is theirs on the album. */
function AlbumName({ track: { album, albumId }, spot }: { track: ListedSong; spot: Spot }) {
  const name = <bdi>{album}</bdi>;
  if (!albumId || spot.albumId) return name;
  const { query, artistId } = spot;
  return <Link to={addSongPath({ query, artistId, albumId })}>{name}</Link>;
}

/** The artists, each with a link to what is theirs, unless that is here or Spotify tells no id. */
export function ArtistLinks({
  credits,
  spot: { query, ...here },
}: {
  credits: Pick<OfferedSong, "artists" | "artistIds">;
  spot: Spot;
}) {
  return credits.artists.map((name, index) => {
    const artistId = credits.artistIds[index] ?? null;
    const isHere = artistId === here.artistId && here.albumId === null;
    const shown = <bdi>{name}</bdi>;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: two artists may have one name, and none moves
      <Fragment key={index}>
        {index > 0 ? ", " : null}
        {artistId && !isHere ? <Link to={addSongPath({ query, artistId })}>{shown}</Link> : shown}
      </Fragment>
    );
  });
}
