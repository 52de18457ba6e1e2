import { PostedForm } from "~/components/form/button-form";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { takenOutText } from "~/exchange/rotation/room";
import { counted } from "~/platform/text";
import { type SourceName, sourceOf } from "~/sources/song";

const whyItRests: Record<SourceName, string> = {
  spotify: "This song is resting: Spotify does not play it at the moment.",
  files:
    "This song is resting: three listeners in a row could not play it in their browsers. If it plays for you in another browser, too, bring it back. If not, export it as an MP3, and upload that as a song of its own.",
};

const bringingBack = "Bringing it back...";
const returning: Record<SourceName, string> = {
  spotify: "Asking Spotify...",
  files: bringingBack,
};

export function RestingSong({
  songId,
  spotifyUrl,
  owed,
  withdrawn,
  takenOut,
  next,
}: {
  songId: string;
  spotifyUrl: string | null;
  owed: number;
  withdrawn: boolean;
  /** The operator's reason for taking it out, after which only they can bring it back. */
  takenOut: string | null;
  next: string;
}) {
  const source = sourceOf({ spotifyUrl });
  const post = usePost(() => next, { preventScrollReset: true });
  if (takenOut !== null) return <Notice tone="info">{takenOutText(takenOut)}</Notice>;
  return (
    <>
      <Notice tone="info">
        {`${
          withdrawn ? "You have taken this song out of the rotation." : whyItRests[source]
        } ${counted(owed, "rating")} ${owed === 1 ? "is" : "are"} still to come, once it is back.`}
      </Notice>
      <PostedForm post={post} action={`/songs/${encodeURIComponent(songId)}/resume`}>
        {post.busy ? (withdrawn ? bringingBack : returning[source]) : "Bring it back"}
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
