import { Link } from "@remix-run/react";
import { Fragment, type RefObject } from "react";
import { Cover } from "~/components/song/cover";
import { ExplicitMark, songName } from "~/components/song/song-title";
import { SpotifyLink } from "~/components/song/spotify-link";
import type { OfferedSong } from "~/exchange/submission/add-song.server";
import type { PlaceView } from "~/sources/catalogue";

export interface AddSongLocation {
  query: string;
  /** Spotify's ids of an album and an artist; null where not given. */
  albumId: string | null;
  artistId: string | null;
  page: number;
}

/**
 * The path of a place on the add-song screen, or with a track's id of the question about that track. Fields
 * that are left out are not in the path.
 */
export function addSongPath(
  { query, albumId, artistId, page = 1 }: Partial<AddSongLocation>,
  trackId?: string,
): string {
  const asked = new URLSearchParams({ menu: "addownsong" });
  if (trackId) asked.set("track", trackId);
  if (query) asked.set("q", query);
  if (albumId) asked.set("album", albumId);
  if (artistId) asked.set("artist", artistId);
  if (page > 1) asked.set("page", String(page));
  return `/?${asked}`;
}

interface PlaceProps {
  place: PlaceView;
  songs: ListedSong[];
  more: boolean;
  location: AddSongLocation;
  heading: RefObject<HTMLHeadingElement>;
}

function pictureOf(entry: PlaceView["artist"]) {
  return { artUrl: entry?.imageUrl ?? null, smallerArt: entry?.smallerArt ?? {} };
}

export function Place({ place, songs, more, location, heading }: PlaceProps) {
  const { album, artist, albumId } = place;
  const { query, page } = location;
  const shown = artist ?? album;
  const onAlbum = artist ? album : null;
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {artist ? <span>Songs by </span> : null}
        <bdi>{shown?.name ?? "Songs of the album"}</bdi>
        {onAlbum ? (
          <>
            <span> on </span>
            <bdi>{onAlbum.name}</bdi>
          </>
        ) : null}
        {page > 1 ? <span>{`, page ${page}`}</span> : null}
      </h1>
      <div className="song compact">
        <Cover track={pictureOf(album ?? artist)} first="5.5rem" />
        {album ? (
          <p className="quiet">
            <ArtistLinks credits={album} location={location} />
          </p>
        ) : null}
        {shown ? <SpotifyLink track={{ title: shown.name, spotifyUrl: shown.spotifyUrl }} /> : null}
        {onAlbum ? (
          <p className="quiet">
            <Link to={addSongPath({ query, albumId })}>Show the whole album</Link>
          </p>
        ) : null}
      </div>
      <BackToSearch query={query} />
      <p className="lead">Now choose the Song you want to submit:</p>
      {songs.length > 0 ? (
        <ol className="results">
          {songs.map((track) => (
            <Result key={track.trackId} track={track} location={location} />
          ))}
        </ol>
      ) : (
        <p>{page > 1 ? "There are no more songs." : "Spotify lists no songs here."}</p>
      )}
      <OtherPages location={location} more={more} />
    </>
  );
}

export function OtherPages({ location, more }: { location: AddSongLocation; more: boolean }) {
  const { page } = location;
  return (
    <>
      {page > 1 ? (
        <Link to={addSongPath({ ...location, page: page - 1 })}>Show earlier songs</Link>
      ) : null}
      {more ? (
        <Link className="button" to={addSongPath({ ...location, page: page + 1 })}>
          Show more songs
        </Link>
      ) : null}
    </>
  );
}

export function BackToSearch({ query }: { query: string }) {
  return (
    <Link to={addSongPath({ query })}>
      {query ? "Back to the search results" : "Show my songs"}
    </Link>
  );
}

export interface ListedSong extends OfferedSong {
  length: string;
}

export function Result({
  track,
  location,
  first = false,
}: {
  track: ListedSong;
  location: AddSongLocation;
  first?: boolean;
}) {
  // On an album's page the album is the heading, with the cover of all songs.
  const isOnAlbum = location.albumId !== null && location.artistId === null;
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
          <ArtistLinks credits={track} location={location} />
          {isOnAlbum ? null : (
            <>
              <span> | </span>
              <AlbumName track={track} location={location} />
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
          <Link className="button plain small" to={addSongPath(location, track.trackId)}>
            Submit this song!
            <span className="visually-hidden">{` ${songName(track)}`}</span>
          </Link>
        </p>
      ) : null}
    </li>
  );
}

function AlbumName({
  track: { album, albumId },
  location,
}: {
  track: ListedSong;
  location: AddSongLocation;
}) {
  const name = <bdi>{album}</bdi>;
  if (!albumId || location.albumId) return name;
  const { query, artistId } = location;
  return <Link to={addSongPath({ query, artistId, albumId })}>{name}</Link>;
}

function ArtistLinks({
  credits,
  location: { query, ...here },
}: {
  credits: Pick<OfferedSong, "artists" | "artistIds">;
  location: AddSongLocation;
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
