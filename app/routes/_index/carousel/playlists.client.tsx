import { Link, useNavigate } from "@remix-run/react";
import { type ReactElement, useEffect, useState } from "react";
import { PostedForm } from "~/components/form/button-form";
import { useSend } from "~/components/form/use-post";
import type { Choice, ChoosablePlaylists } from "~/sources/spotify/library/choice.server";
import { findsKey, findsName, playlistPath } from "~/sources/spotify/library/finds";

/** How many stand here; the others are a link away. */
const mostShown = 4;

/**
 * The newest of the viewer's playlists, each with a button that puts the song into it.
 * @param otherwise shown until Spotify has told them, and where the permission is missing.
 */
export function Playlists({ songId, otherwise }: { songId: string; otherwise: ReactElement }) {
  const path = playlistPath(songId);
  const [choice, setChoice] = useState<Choice | null>(null);
  useEffect(() => {
    fetch(`${path}?_data=routes/songs.-songId.playlist`)
      .then((answer) => answer.json() as Promise<{ page?: ChoosablePlaylists }>)
      .then(({ page }) => setChoice(page?.choice ?? null))
      .catch(() => {});
  }, [path]);
  if (!choice) return otherwise;
  const { finds, playlists } = choice;
  const shown = [finds ?? { id: findsKey, name: findsName, holds: false }, ...playlists];
  return (
    <section className="playlists" aria-label="Your playlists">
      <h3>Into which playlist?</h3>
      <ul>
        {shown.slice(0, mostShown).map(({ id, name, holds }) => (
          <li key={id}>
            <Playlist
              path={path}
              field={id === finds?.id ? findsKey : id}
              name={name}
              held={holds}
            />
          </li>
        ))}
        {shown.length > mostShown || choice.next !== null ? (
          <li>
            <Link className="link-button" to={path}>
              All my playlists
            </Link>
          </li>
        ) : null}
      </ul>
    </section>
  );
}

function Playlist({
  path,
  field,
  name,
  held,
}: {
  path: string;
  field: string;
  name: string;
  held: boolean;
}) {
  const [isIn, setIn] = useState(held);
  const navigate = useNavigate();
  const post = useSend(({ data: { ok, to } }) => {
    if (ok) setIn(true);
    // The permission has gone, for which that page asks.
    else navigate(String(to));
    return undefined;
  });
  return isIn ? (
    <p role="status">
      <span>It is in </span>
      <bdi>{name}</bdi>
    </p>
  ) : (
    <PostedForm
      post={post}
      action={`${path}/add`}
      fields={{ playlist: field, name }}
      button="button plain small"
    >
      <bdi>{name}</bdi>
    </PostedForm>
  );
}
