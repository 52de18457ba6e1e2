import { useLocation, useNavigationType } from "@remix-run/react";
import { startTransition, useEffect, useState } from "react";

/**
 * The items of a list that are shown by now. On a screen that a link has led to within the document,
 * these are `step` more with each frame: laid out all at once, a list keeps a slow phone busy for long
 * enough to be felt. A new document shows all of them, and so do the way back, which ends where one
 * was, and an address that names a place on the screen.
 */
export function useInParts<Item>(items: Item[], step: number): Item[] {
  const { hash } = useLocation();
  const isLedHere = useNavigationType() !== "POP" && hash === "";
  const [shown, setShown] = useState(isLedHere ? step : Number.POSITIVE_INFINITY);
  const isPart = shown < items.length;
  useEffect(() => {
    if (!isPart) return;
    const frame = requestAnimationFrame(() => startTransition(() => setShown(shown + step)));
    return () => cancelAnimationFrame(frame);
  }, [isPart, shown, step]);
  return isPart ? items.slice(0, shown) : items;
}
