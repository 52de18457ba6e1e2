import { useEffect, useState } from "react";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { counted } from "~/platform/text";

interface TakeBackProps {
  submissionId: string;
  /** Seconds left to take it back. */
  seconds: number;
  /** The song's title, unless the screen shows it already. */
  title?: string;
}

/**
 * Takes a submission back while there is time. A plain form, sent in the background where scripts run. It
 * keeps its space when the time is up, so that nothing below moves under a finger.
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
