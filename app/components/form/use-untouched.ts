import { useEffect, useState } from "react";

const inputEvents = ["pointerdown", "keydown"] as const;

/** True until something is pressed; from then on animations must not delay anything. */
export function useUntouched(): boolean {
  const [untouched, setUntouched] = useState(true);
  useEffect(() => {
    const touch = () => setUntouched(false);
    for (const press of inputEvents) window.addEventListener(press, touch);
    return () => {
      for (const press of inputEvents) window.removeEventListener(press, touch);
    };
  }, []);
  return untouched;
}
