import { useFocusAfter } from "~/components/form/use-focus-after";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { MadeChoice, RightsBox } from "~/components/song/made-choice";
import type { Made } from "~/sources/made";

/**
 * Gives a draft another title and artist, folded away until it is asked for; and asks what has not been said of it.
 * @param path of its page.
 */
export function RenameDraft({
  path,
  title,
  artist,
  made,
}: {
  path: string;
  title: string;
  artist: string;
  made: Made | null;
}) {
  const { busy, error, onSubmit } = usePost(() => path, { preventScrollReset: true });
  const names = `${title}\n${artist}`;
  const summary = useFocusAfter(names);
  return (
    <details className="asks" key={names} open={made === null}>
      <summary className="link-button" ref={summary} hidden={made === null}>
        Change the title or the artist
      </summary>
      <form className="prose" method="post" action={`${path}/name`} onSubmit={onSubmit}>
        <p className="field">
          <label>
            Title{" "}
            <input type="text" name="title" defaultValue={title} required autoComplete="off" />
          </label>
        </p>
        <p className="field">
          <label>
            Artist <input type="text" name="artist" defaultValue={artist} />
          </label>
        </p>
        {made ? null : (
          <>
            <RightsBox />
            <MadeChoice />
          </>
        )}
        {error ? <Notice tone="error">{error}</Notice> : null}
        <button className="button plain" type="submit" aria-disabled={busy || undefined}>
          Save
        </button>
      </form>
    </details>
  );
}
