import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { takenOutText } from "~/exchange/rotation/room";
import { counted } from "~/platform/text";

/**
 * A song that is out of the rotation: the reason, and the button to bring it back.
 * @param next the path of this screen, without a fragment.
 */
export function RestingSong({
  songId,
  owed,
  withdrawn,
  takenOut,
  next,
}: {
  songId: string;
  owed: number;
  /** True if the owner took it out. */
  withdrawn: boolean;
  /**
   * The operator's reason for taking it out, after which only they can bring it back; null if they have not.
   */
  takenOut: string | null;
  next: string;
}) {
  const { busy, error, onSubmit } = usePost(() => next, { preventScrollReset: true });
  if (takenOut !== null) return <Notice tone="info">{takenOutText(takenOut)}</Notice>;
  return (
    <>
      <Notice tone="info">
        {`${
          withdrawn
            ? "You have taken this song out of the rotation."
            : "This song is resting: Spotify does not play it at the moment."
        } ${counted(owed, "rating")} ${owed === 1 ? "is" : "are"} still to come, once it is back.`}
      </Notice>
      <form
        method="post"
        action={`/songs/${encodeURIComponent(songId)}/resume`}
        onSubmit={onSubmit}
      >
        <button className="button plain" type="submit" aria-disabled={busy || undefined}>
          {busy ? (withdrawn ? "Bringing it back..." : "Asking Spotify...") : "Bring it back"}
        </button>
        {error ? <Notice tone="error">{error}</Notice> : null}
      </form>
    </>
  );
}

/** The text about a song that is out of the rotation, beside the ratings that it has received. */
export function restingText({
  resting,
  withdrawn,
  takenOut,
}: {
  resting: boolean;
  withdrawn: boolean;
  takenOut: string | null;
}): string | null {
  if (takenOut !== null) return " · taken out";
  if (!resting) return null;
  return withdrawn ? " · withdrawn" : " · resting";
}
