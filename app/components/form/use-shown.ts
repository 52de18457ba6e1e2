import { type MutableRefObject, useEffect, useRef } from "react";

/** Whether the screen is still shown: what a request ends in must not lead away from another one. */
export function useShown(): MutableRefObject<boolean> {
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return shown;
}
