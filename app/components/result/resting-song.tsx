import { PostedForm } from "~/components/form/button-form";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { takenOutText } from "~/exchange/rotation/room";
import { counted } from "~/platform/text";

export function RestingSong({
  songId,
  owed,
  withdrawn,
  takenOut,
  next,
}: {
  songId: string;
  owed: number;
  withdrawn: boolean;
  /** The operator's reason for taking it out, after which only they can bring it back. */
  takenOut: string | null;
  next: string;
}) {
  const post = usePost(() => next, { preventScrollReset: true });
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
      <PostedForm post={post} action={`/songs/${encodeURIComponent(songId)}/resume`}>
        {post.busy ? (withdrawn ? "Bringing it back..." : "Asking Spotify...") : "Bring it back"}
      </PostedForm>
    </>
  );
}

export function restingText({
  resting,
  withdrawn,
  takenOut,
}: {
  resting: boolean;
  withdrawn: boolean;
  takenOut: string | null;
}): string | null {
  if (takenOut !== null) return "Taken out";
  if (!resting) return null;
  return withdrawn ? "Withdrawn" : "Resting";
}
