import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { counted } from "~/platform/text";

/**
 * Takes a song out of the rotation.
 * @param path of the song's page.
 */
export function WithdrawSong({
  songId,
  owed,
  path,
}: {
  songId: string;
  owed: number;
  path: string;
}) {
  const { busy, error, onSubmit } = usePost(() => path, { preventScrollReset: true });
  return (
    <form
      method="post"
      action={`/songs/${encodeURIComponent(songId)}/withdraw`}
      onSubmit={onSubmit}
    >
      <button className="button plain" type="submit" aria-disabled={busy || undefined}>
        {busy ? "Taking it out..." : "Take it out of the rotation"}
      </button>
      <p className="quiet">
        {`It is still owed ${counted(owed, "rating")}, but nothing is refunded, and once you bring it back it goes to the end of the line. Whoever is listening to it right now can still rate it.`}
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}
