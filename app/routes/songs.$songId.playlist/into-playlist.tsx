import { Link } from "@remix-run/react";
import { useFocusAfter } from "~/components/form/use-focus-after";
import { useFreshData } from "~/components/form/use-fresh-data";
import { Notice } from "~/components/notice";
import { Cover } from "~/components/song/cover";
import { SongTitle } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { ChoosablePlaylists } from "~/library/choice.server";
import { playlistPath } from "~/library/finds";
import { AskPermission } from "./ask-permission";
import { ChoosePlaylist } from "./choose-playlist";

interface IntoPlaylistProps {
  page: ChoosablePlaylists;
  /** True if the song was in the playlist before. */
  again: boolean;
  /** True if the permission was just declined at Spotify. */
  declined: boolean;
  /** True if Spotify's page was opened in this tab, while the song plays in another. */
  tab: boolean;
}

/** Adds a rated song to one of the viewer's playlists. */
export function IntoPlaylist({ page, again, declined, tab }: IntoPlaylistProps) {
  const { songId, track, back, added, choice, problem } = page;
  const isMissing = !added && !choice && problem === null;
  const path = playlistPath(songId);
  const heading = useFocusAfter(added?.id);
  // The permission may be given in another tab.
  useFreshData(isMissing);
  return (
    <div className="add-song">
      <h1 ref={heading} tabIndex={-1}>
        Put it into a playlist
      </h1>
      <div className="song compact">
        <Cover track={track} first="5.5rem" />
        <h2>
          <SongTitle track={track} />
        </h2>
      </div>
      {added ? <Done {...added} again={again} path={path} /> : null}
      {isMissing ? <AskPermission path={path} declined={declined} tab={tab} /> : null}
      {problem ? (
        <>
          <Notice tone="error">{problem}</Notice>
          <Link className="button" to={path}>
            Try again
          </Link>
        </>
      ) : null}
      {choice && tab ? (
        <>
          <Notice tone="ok">
            Thank you. Please close this tab, and choose a playlist in the one where your song
            plays.
          </Notice>
          <Link to={path}>Or choose one here</Link>
        </>
      ) : null}
      {choice && !tab ? <ChoosePlaylist {...choice} path={path} /> : null}
      <Link className={`button${added ? "" : " plain"}`} to={back}>
        Back to the Carousel
      </Link>
      <SpotifyCredit />
    </div>
  );
}

/** Says that the song is in the playlist. */
function Done({
  name,
  url,
  again,
  path,
}: {
  name: string;
  url: string;
  again: boolean;
  path: string;
}) {
  const playlist = (
    <a href={url} target="_blank" rel="noopener">
      <bdi>{name || "your playlist"}</bdi>
      <span className="visually-hidden"> (opens Spotify)</span>
    </a>
  );
  return (
    <>
      <Notice tone="ok">
        <span>{again ? "It is in " : "Added to "}</span>
        {playlist}
        <span>{again ? " already." : "."}</span>
      </Notice>
      <Link to={path}>Choose another playlist</Link>
    </>
  );
}
