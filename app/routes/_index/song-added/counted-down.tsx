import { Link, useNavigate } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { SongAdded, type SongAddedProps } from "./song-added";

/**
 * The confirmation of a submission, which returns to the carousel after `seconds`, unless the user stops it:
 * by the link, or by anything that shows that they read on.
 */
export function CountedDown(
  props: Omit<SongAddedProps, "countdown"> & {
    /** Null if it does not return by itself. */
    seconds: number | null;
  },
) {
  const { seconds, next } = props;
  const [left, setLeft] = useState(seconds);
  const navigate = useNavigate();
  useEffect(() => {
    if (left === null) return;
    if (left <= 0) {
      navigate("/", { replace: true });
      return;
    }
    const timer = window.setTimeout(() => setLeft(left - 1), 1000);
    return () => window.clearTimeout(timer);
  }, [left, navigate]);
  const stayLink = useRef<HTMLAnchorElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    const stay = ({ target }: Event) => {
      // A press on the link also moves the focus.
      if (target !== stayLink.current) setLeft(null);
    };
    const signs = ["keydown", "pointerdown", "wheel"];
    for (const sign of signs) window.addEventListener(sign, stay);
    return () => {
      for (const sign of signs) window.removeEventListener(sign, stay);
    };
  }, []);
  const countdown =
    seconds === null ? null : (
      <p className="quiet">
        {left === null ? (
          <span role="status" tabIndex={-1} ref={(text) => isPressed.current && text?.focus()}>
            Staying on this page.
          </span>
        ) : (
          <>
            {/* Screen readers announce it once, not every second. */}
            <span aria-hidden="true">{`Back to the carousel in ${left}… `}</span>
            <span className="visually-hidden">{`The carousel comes back by itself after ${seconds} seconds. `}</span>
            <Link
              ref={stayLink}
              to={`${next}&stay`}
              onClick={(event) => {
                event.preventDefault();
                isPressed.current = true;
                setLeft(null);
              }}
            >
              Stay here
            </Link>
          </>
        )}
      </p>
    );
  return <SongAdded {...props} countdown={countdown} />;
}
