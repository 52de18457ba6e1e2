import { Link } from "@remix-run/react";
import type { RefObject } from "react";
import { Cover } from "~/components/song/cover";
import { SpotifyLink } from "~/components/song/spotify-link";
import type { PlaceView } from "~/exchange/submission/catalogue.server";
import { type AddSongLocation, addSongPath } from "./add-song-path";
import { ArtistLinks, type ListedSong, Result } from "./result";

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
