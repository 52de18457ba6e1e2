import { PostedForm } from "~/components/form/button-form";
import { useFocusAfter } from "~/components/form/use-focus-after";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import type { OwnSong } from "~/results/song-result.server";

/**
 * The owner says where an own recording is out (rule 44, release).
 * @param path of the song's page.
 */
export function ReleaseSong({
  song: { songId, release },
  path,
}: {
  song: Pick<OwnSong, "songId" | "release">;
  path: string;
}) {
  const heading = useFocusAfter(release?.url);
  const action = `/songs/${encodeURIComponent(songId)}`;
  const options = { preventScrollReset: true } as const;
  const { busy, error, onSubmit } = usePost(() => path, options);
  const takingBack = usePost(() => path, options);
  return (
    <section aria-labelledby="release">
      <h2 id="release" ref={heading} tabIndex={-1}>
        When it is out
      </h2>
      {release ? (
        <p>
          <a href={release.url} target="_blank" rel="noopener">
            <span>{`Listen on ${release.service}`}</span>
            <span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        </p>
      ) : null}
      <p className="quiet">{stateText(release)}</p>
      <form method="post" action={`${action}/release`} onSubmit={onSubmit}>
        <div className="field">
          <label htmlFor="release-link">Its link</label>
          <div className="field-row">
            <input
              key={release?.url}
              id="release-link"
              type="url"
              name="link"
              required
              maxLength={300}
              defaultValue={release?.url}
              placeholder="https://"
              autoComplete="off"
            />
            <button className="button plain" type="submit" aria-disabled={busy || undefined}>
              {release ? "Change the link" : "It is out"}
            </button>
          </div>
        </div>
        <p className="quiet">
          At Spotify, Apple Music, Bandcamp, SoundCloud, YouTube, Tidal or Deezer.
        </p>
        {error ? <Notice tone="error">{error}</Notice> : null}
      </form>
      {release ? (
        <PostedForm post={takingBack} action={`${action}/unrelease`}>
          Take it back
        </PostedForm>
      ) : null}
    </section>
  );
}

function stateText(release: OwnSong["release"]): string {
  if (!release) {
    return "Give the link once the song is out. Everybody who has rated it sees it then, and whoever wants to know gets one e-mail, an hour later.";
  }
  return release.isMailed
    ? "Everybody who has rated the song sees this link. Whoever wanted to know is told by e-mail. If you change it, nobody is told again."
    : "Everybody who has rated the song sees this link. Whoever wanted to know gets one e-mail, an hour after you last changed it.";
}
