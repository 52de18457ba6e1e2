import { Link, useNavigate } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

/** Whoever reads without moving has this long before the first second counts. */
const readingMs = 7000;

/** What shows that somebody reads on. */
const signs = [
  "keydown",
  "pointerdown",
  "pointermove",
  "wheel",
  "scroll",
  "focusin",
  "visibilitychange",
];

/** Returns to the carousel after `seconds`, unless the user stops it by the link or by any sign that they read on. */
export function Countdown({ seconds, next }: { seconds: number; next: string }) {
  const [left, setLeft] = useState<number | null>(seconds);
  const navigate = useNavigate();
  useEffect(() => {
    if (left === null) return;
    if (left <= 0) {
      navigate("/", { replace: true });
      return;
    }
    const timer = window.setTimeout(() => setLeft(left - 1), left === seconds ? readingMs : 1000);
    return () => window.clearTimeout(timer);
  }, [left, seconds, navigate]);
  const stayLink = useRef<HTMLAnchorElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    const began = performance.now();
    const stay = ({ type, target }: Event) => {
      // A press on the link also moves the focus, and the screen itself has taken it when it came.
      const isArrival = type === "focusin" && (target as Element).id === "main";
      if (target === stayLink.current || isArrival) return;
      // At first the hand that has pressed the button still moves, and the screen scrolls to its beginning.
      const isArriving = performance.now() - began < 1000;
      if (isArriving && (type === "pointermove" || type === "scroll")) return;
      setLeft(null);
    };
    for (const sign of signs) document.addEventListener(sign, stay, true);
    return () => {
      for (const sign of signs) document.removeEventListener(sign, stay, true);
    };
  }, []);
  return (
    <p className="quiet">
      {left === null ? (
        <span role="status" tabIndex={-1} ref={(text) => isPressed.current && text?.focus()}>
          Staying on this page.
        </span>
      ) : (
        <>
          {/* Screen readers announce it once, not every second. */}
          <span aria-hidden="true">{`Back to the carousel in ${left}… `}</span>
          <span className="visually-hidden">{`The carousel comes back by itself after some seconds. `}</span>
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
}
