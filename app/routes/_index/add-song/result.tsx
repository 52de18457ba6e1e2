import { Link } from "@remix-run/react";
import { Fragment } from "react";
import { Cover } from "~/components/song/cover";
import { ExplicitMark, songName } from "~/components/song/song-title";
import type { OfferedSong } from "~/exchange/submission/add-song.server";
import { type AddSongLocation, addSongPath } from "./add-song-path";

/** A song in the list. */
export interface ListedSong extends OfferedSong {
  /** The length as m:ss. */
  length: string;
}

/** A song that can be chosen, with links to its album and artists. */
export function Result({
  track,
  spot,
  first = false,
}: {
  track: ListedSong;
  spot: AddSongLocation;
  /** True for the first of the list. */
  first?: boolean;
}) {
  // On an album's page the album is the heading, with the cover of all songs.
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
          <bdi translate="no">{track.title}</bdi>
          <span className="visually-hidden"> (opens Spotify)</span>
        </a>
        <ExplicitMark track={track} />
        <p className="quiet">
          <ArtistLinks credits={track} spot={spot} />
          {isOnAlbum ? null : (
            <>
              <span> | </span>
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
            <span className="visually-hidden">{` ${songName(track)}`}</span>
          </Link>
        </p>
      ) : null}
    </li>
  );
}

/** The album's name, linked to its songs; from an artist's page, only to that artist's songs on it. */
function AlbumName({
  track: { album, albumId },
  spot,
}: {
  track: ListedSong;
  spot: AddSongLocation;
}) {
  const name = <bdi>{album}</bdi>;
  if (!albumId || spot.albumId) return name;
  const { query, artistId } = spot;
  return <Link to={addSongPath({ query, artistId, albumId })}>{name}</Link>;
}

/** The artists, each linked to their songs, except where those are shown already or Spotify gives no id. */
export function ArtistLinks({
  credits,
  spot: { query, ...here },
}: {
  credits: Pick<OfferedSong, "artists" | "artistIds">;
  spot: AddSongLocation;
}) {
  return credits.artists.map((name, index) => {
    const artistId = credits.artistIds[index] ?? null;
    const isHere = artistId === here.artistId && here.albumId === null;
    const shown = <bdi>{name}</bdi>;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: two artists may share a name, and the order is fixed
      <Fragment key={index}>
        {index > 0 ? <span>, </span> : null}
        {artistId && !isHere ? <Link to={addSongPath({ query, artistId })}>{shown}</Link> : shown}
      </Fragment>
    );
  });
}
