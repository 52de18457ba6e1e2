import { useEffect, useState } from "react";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { counted } from "~/platform/text";

interface TakeBackProps {
  submissionId: string;
  /** For how many seconds more it can be taken back, as of now. */
  seconds: number;
}

/** Takes a submission back, while that can be done. A plain form, which a script sends in the background. */
export function TakeBack({ submissionId, seconds }: TakeBackProps) {
  const [left, setLeft] = useState(seconds);
  const { busy, error, onSubmit } = usePost(() => "/?menu=addownsong&undone");
  useEffect(() => {
    if (left <= 0) return;
    const timer = window.setTimeout(() => setLeft(left - 1), 1000);
    return () => window.clearTimeout(timer);
  }, [left]);
  if (left <= 0 && !busy && !error) return null;
  return (
    <form
      className="checkbox-form"
      method="post"
      action={`/submissions/${submissionId}/undo`}
      onSubmit={onSubmit}
    >
      <button
        className="link-button"
        type="submit"
        aria-disabled={busy || undefined}
        // The second click of a double click on the button that was here before.
        onClick={(event) => event.detail > 1 && event.preventDefault()}
      >
        Take it back
      </button>
      {error ? (
        <Notice tone="error">{error}</Notice>
      ) : (
        <span className="quiet">{`Possible for ${counted(left, "second")} more: the song leaves again, and what it cost is yours.`}</span>
      )}
    </form>
  );
}
