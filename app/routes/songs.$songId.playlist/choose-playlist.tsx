import { Link } from "@remix-run/react";
import { ButtonForm } from "~/components/form/button-form";
import { Cover } from "~/components/song/cover";
import { counted } from "~/platform/text";
import type { Choice, OfferedPlaylist } from "~/sources/spotify/library/choice.server";
import { findsKey, findsName } from "~/sources/spotify/library/finds";

/**
 * The viewer's playlists, "Fivefold finds" first, each with a button that adds the song.
 * @param path of the page.
 */
export function ChoosePlaylist({ finds, playlists, from, next, path }: Choice & { path: string }) {
  const isAll = from === 0 && next === null;
  return (
    <>
      <h2>Your playlists</h2>
      <ul className="results">
        {from === 0 || finds ? (
          <Row
            name={findsName}
            field={findsKey}
            path={path}
            about={finds ? undefined : "New private playlist"}
            playlist={finds}
          />
        ) : null}
        {playlists.map((playlist) => (
          <Row
            key={playlist.id}
            name={playlist.name}
            field={playlist.id}
            path={path}
            playlist={playlist}
          />
        ))}
      </ul>
      {playlists.length === 0 ? (
        <p className="quiet">
          {isAll
            ? "You have no other playlists at Spotify yet."
            : "None of the playlists on this page is yours."}
        </p>
      ) : null}
      {next === null ? null : (
        <Link className="button plain" to={`${path}?from=${next}`}>
          Show older playlists
        </Link>
      )}
      {from > 0 ? <Link to={path}>Show the newest playlists</Link> : null}
      <p className="quiet">
        The artist may see that it was added, never by whom. Whoever can see the playlist sees the
        song in it.
      </p>
    </>
  );
}

function Row({
  name,
  field,
  path,
  about,
  playlist,
}: {
  name: string;
  field: string;
  path: string;
  about?: string | undefined;
  playlist: OfferedPlaylist | null;
}) {
  const isFinds = field === findsKey;
  return (
    <li className="song compact playlist">
      <Cover
        track={{ artUrl: playlist?.imageUrl ?? null, smallerArt: playlist?.smallerArt ?? {} }}
      />
      <div className="result-text">
        {playlist ? (
          <a className="song-title" href={playlist.spotifyUrl} target="_blank" rel="noopener">
            <bdi>{name}</bdi>
            <span className="visually-hidden"> (opens Spotify)</span>
          </a>
        ) : (
          <b>{name}</b>
        )}
        <p className="quiet">
          {(about ?? (playlist?.trackCount == null ? "" : counted(playlist.trackCount, "song"))) +
            (playlist?.holds ? " | This song is in it" : "")}
        </p>
      </div>
      {playlist?.holds ? null : (
        <div className="play">
          <ButtonForm
            action={`${path}/add`}
            fields={{ playlist: field, name }}
            to={({ to }) => String(to)}
            accented={isFinds}
          >
            Add<span className="visually-hidden">{` to ${name}`}</span>
          </ButtonForm>
        </div>
      )}
    </li>
  );
}
