import { useEffect, useState } from "react";

const presses = ["pointerdown", "keydown"] as const;

/** True until something is pressed; then animations must not delay anything. */
export function useUntouched(): boolean {
  const [untouched, setUntouched] = useState(true);
  useEffect(() => {
    const touch = () => setUntouched(false);
    for (const press of presses) window.addEventListener(press, touch);
    return () => {
      for (const press of presses) window.removeEventListener(press, touch);
    };
  }, []);
  return untouched;
}
