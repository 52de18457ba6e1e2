import { PostedForm } from "~/components/form/button-form";
import { usePost } from "~/components/form/use-post";
import type { ReleaseView } from "~/exchange/release/release-link";

/**
 * What a listener sees of the release of an own recording that they have rated (rule 44, release): where it is out, or the form
 * that asks to be told.
 * @param next the path of this screen.
 */
export function Release({
  song: { songId, title, release },
  next,
}: {
  song: { songId: string; title: string; release: ReleaseView };
  next: string;
}) {
  if (release === null) return null;
  if (typeof release === "object") {
    return (
      <a href={release.url} target="_blank" rel="noopener">
        <span>{`Listen on ${release.service}`}</span>
        <span className="visually-hidden">
          : <bdi>{title}</bdi>
        </span>
      </a>
    );
  }
  // The other button is another form.
  return (
    <Wish key={release} songId={songId} title={title} asked={release === "asked"} next={next} />
  );
}

function Wish({
  songId,
  title,
  asked,
  next,
}: {
  songId: string;
  title: string;
  asked: boolean;
  next: string;
}) {
  // With its fragment, the screen would not be read again.
  const [path = next] = next.split("#");
  const post = usePost(() => path, { preventScrollReset: true });
  return (
    <PostedForm
      post={post}
      action={`/songs/${encodeURIComponent(songId)}/release-wish`}
      fields={{ wanted: String(!asked), next }}
      button="button plain small"
    >
      <span>{asked ? "Do not tell me when it is out" : "Tell me when it is out"}</span>
      <span className="visually-hidden">
        : <bdi>{title}</bdi>
      </span>
    </PostedForm>
  );
}
