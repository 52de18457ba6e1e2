import { Link } from "@remix-run/react";
import { Fragment, type RefObject } from "react";
import { Cover } from "~/components/song/cover";
import { ExplicitMark, songName } from "~/components/song/song-title";
import { SpotifyLink } from "~/components/song/spotify-link";
import type { OfferedSong } from "~/exchange/submission/add-song.server";
import type { PlaceView } from "~/exchange/submission/catalogue.server";

/** A place on the add-song screen, as its URL gives it. */
export interface AddSongLocation {
  /** The search term; empty without one. */
  query: string;
  /** Spotify's ids of an album and an artist; null where not given. */
  albumId: string | null;
  artistId: string | null;
  /** Number of the page, from 1. */
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
  /** True if there is another page. */
  more: boolean;
  spot: AddSongLocation;
  /** A ref to the heading, for the focus. */
  heading: RefObject<HTMLHeadingElement>;
}

function pictureOf(entry: PlaceView["artist"]) {
  return { artUrl: entry?.imageUrl ?? null, smallerArt: entry?.smallerArt ?? {} };
}

/** An album or an artist: the songs of either, or of an artist on an album. */
export function Place({ place, songs, more, spot, heading }: PlaceProps) {
  const { album, artist, albumId } = place;
  const { query, page } = spot;
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
            <ArtistLinks credits={album} spot={spot} />
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
            <Result key={track.trackId} track={track} spot={spot} />
          ))}
        </ol>
      ) : (
        <p>{page > 1 ? "There are no more songs." : "Spotify lists no songs here."}</p>
      )}
      <OtherPages spot={spot} more={more} />
    </>
  );
}

/** Links to the previous and the next page, if there are any. */
export function OtherPages({ spot, more }: { spot: AddSongLocation; more: boolean }) {
  const { page } = spot;
  return (
    <>
      {page > 1 ? (
        <Link to={addSongPath({ ...spot, page: page - 1 })}>Show earlier songs</Link>
      ) : null}
      {more ? (
        <Link className="button" to={addSongPath({ ...spot, page: page + 1 })}>
          Show more songs
        </Link>
      ) : null}
    </>
  );
}

/** A link back to the search, or to the viewer's own songs without one. */
export function BackToSearch({ query }: { query: string }) {
  return (
    <Link to={addSongPath({ query })}>
      {query ? "Back to the search results" : "Show my songs"}
    </Link>
  );
}

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
function ArtistLinks({
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
