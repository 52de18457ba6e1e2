import { Link, useNavigate } from "@remix-run/react";
import { type ReactNode, useEffect, useRef, useState } from "react";

/** The line at the button's foot begins after a moment, and is drawn for the seconds of the way back (app/styles/block.css). */
const standsMs = 1600;

/** What shows that somebody reads on. A pointer that only moves does not. */
const signs = ["keydown", "pointerdown", "wheel", "scroll", "focusin", "visibilitychange"];

/** Leads to the carousel, after `seconds` by itself unless somebody shows that they read on. */
export function WayBack({
  seconds,
  next,
  children,
}: {
  seconds: number | null;
  next: string;
  children: ReactNode;
}) {
  const [runs, setRuns] = useState(seconds !== null);
  const navigate = useNavigate();
  const stayLink = useRef<HTMLAnchorElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    if (!runs) return;
    const timer = window.setTimeout(
      () => navigate("/", { replace: true }),
      standsMs + 1000 * (seconds ?? 0),
    );
    const began = performance.now();
    const stay = ({ type, target }: Event) => {
      // A press on the link also moves the focus, and the screen itself has taken it when it came.
      const isArrival = type === "focusin" && (target as Element).id === "main";
      if (target === stayLink.current || isArrival) return;
      // At first the screen scrolls to its beginning.
      if (type === "scroll" && performance.now() - began < 1000) return;
      setRuns(false);
    };
    for (const sign of signs) document.addEventListener(sign, stay, true);
    return () => {
      window.clearTimeout(timer);
      for (const sign of signs) document.removeEventListener(sign, stay, true);
    };
  }, [runs, seconds, navigate]);
  return (
    <>
      <Link className={runs ? "button runs" : "button"} to="/">
        Take me to the Fivefold so I can play and rate more songs
      </Link>
      <div className="actions">
        {seconds === null ? null : runs ? (
          <p>
            <span className="quiet">The carousel comes back by itself. </span>
            <Link
              ref={stayLink}
              className="link-button"
              to={`${next}&stay`}
              onClick={(event) => {
                event.preventDefault();
                isPressed.current = true;
                setRuns(false);
              }}
            >
              Stay here
            </Link>
          </p>
        ) : (
          <p
            className="quiet"
            role="status"
            tabIndex={-1}
            ref={(text) => isPressed.current && text?.focus()}
          >
            Staying on this page.
          </p>
        )}
        {children}
      </div>
    </>
  );
}
