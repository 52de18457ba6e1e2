import { Link, useNavigate } from "@remix-run/react";
import { useEffect, useState } from "react";
import { SongAdded, type SongAddedProps } from "./song-added";

/**
 * The confirmation of a submission, which returns to the carousel after `seconds`, unless the user stops it.
 * It waits while something on it has the focus, to give keyboard users time.
 */
export function CountedDown(
  props: Omit<SongAddedProps, "countdown"> & {
    /** Null if it does not return by itself. */
    seconds: number | null;
  },
) {
  const { seconds, next, carousel } = props;
  const [left, setLeft] = useState(seconds);
  const [held, setHeld] = useState(false);
  const navigate = useNavigate();
  useEffect(() => {
    if (left === null || held) return;
    if (left <= 0) {
      navigate(carousel, { replace: true });
      return;
    }
    const timer = window.setTimeout(() => setLeft(left - 1), 1000);
    return () => window.clearTimeout(timer);
  }, [left, held, carousel, navigate]);
  const countdown =
    seconds === null ? null : (
      <p className="quiet">
        {left === null ? (
          <span role="status" tabIndex={-1} ref={(text) => text?.focus()}>
            Staying on this page.
          </span>
        ) : (
          <>
            {/* Screen readers announce it once, not every second. */}
            <span aria-hidden="true">Back to the carousel in {left}… </span>
            <span className="visually-hidden">{`The carousel comes back by itself after ${seconds} seconds. `}</span>
            <Link
              to={`${next}&stay`}
              onClick={(event) => {
                event.preventDefault();
                setLeft(null);
              }}
            >
              Stay here
            </Link>
          </>
        )}
      </p>
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches where the focus is.
    <div onFocus={() => setHeld(true)} onBlur={() => setHeld(false)}>
      <SongAdded {...props} countdown={countdown} />
    </div>
  );
}
