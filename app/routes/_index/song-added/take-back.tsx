import { useEffect, useState } from "react";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { counted } from "~/platform/text";

interface TakeBackProps {
  submissionId: string;
  /** For how many seconds more it can be taken back, as of now. */
  seconds: number;
  /** The song's title, where nothing else on the screen says which one it is. */
  title?: string;
}

/**
 * Takes a submission back, while that can be done. A plain form, which a script sends in the background.
 * It keeps its place when the time is over, so that nothing below it moves under somebody's finger.
 */
export function TakeBack({ submissionId, seconds, title }: TakeBackProps) {
  const [left, setLeft] = useState(seconds);
  const { busy, error, onSubmit } = usePost(() => `/?menu=addownsong&undone=${submissionId}`);
  useEffect(() => {
    if (left <= 0) return;
    const timer = window.setTimeout(() => setLeft(left - 1), 1000);
    return () => window.clearTimeout(timer);
  }, [left]);
  return (
    <form method="post" action={`/submissions/${submissionId}/undo`} onSubmit={onSubmit}>
      <p className="quiet">
        {title ? (
          <>
            Your song “<bdi>{title}</bdi>” is added.{" "}
          </>
        ) : null}
        <button
          className="link-button"
          type="submit"
          aria-disabled={busy || undefined}
          // The second click of a double click on the button that was here before.
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          Take it back
        </button>{" "}
        {left > 0 ? `(${counted(left, "second")} left)` : "(no longer possible)"}
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}
