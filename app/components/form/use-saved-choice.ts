import { useEffect, useRef, useState } from "react";
import { postForm } from "./post-form";
import { useRefresh } from "./use-fresh-data";

/**
 * Saves a choice as soon as it is made: one request at a time, and the last choice wins, also where the page is left
 * meanwhile. A choice that cannot be saved is reverted. `refreshes` reloads the page's data after each save.
 */
export function useSavedChoice<T extends boolean | string>(
  initial: T,
  action: string,
  toFields: (choice: T) => [name: string, value: string][],
  { refreshes = false } = {},
) {
  const [saved, setSaved] = useState(initial);
  const [value, setValue] = useState(initial);
  const [status, setStatus] = useState("");
  const [error, setError] = useState<string | null>(null);
  const chosen = useRef(initial);
  const busy = useRef(false);
  const { refresh } = useRefresh();
  // The page's data was reloaded after the choice had been changed elsewhere.
  useEffect(() => {
    if (busy.current) return;
    chosen.current = initial;
    setSaved(initial);
    setValue(initial);
  }, [initial]);

  useEffect(() => {
    function sendTheLast() {
      if (busy.current) navigator.sendBeacon(action, new URLSearchParams(toFields(chosen.current)));
    }
    window.addEventListener("pagehide", sendTheLast);
    return () => window.removeEventListener("pagehide", sendTheLast);
  });

  async function save(before: T) {
    busy.current = true;
    setStatus("Saving...");
    setError(null);
    let kept = before;
    let failure: string | null = null;
    while (!failure && kept !== chosen.current) {
      const next = chosen.current;
      const { ok, error } = await postForm(action, toFields(next));
      if (ok) kept = next;
      else failure = error ?? "Your choice was not saved. Try again.";
    }
    busy.current = false;
    chosen.current = kept;
    setSaved(kept);
    setValue(kept);
    setStatus(failure ? "" : "Saved.");
    setError(failure);
    // A choice may have been saved although its answer was lost.
    if (failure || refreshes) refresh();
  }

  function choose(next: T) {
    chosen.current = next;
    setValue(next);
    if (!busy.current) void save(saved);
  }

  return { value, status, error, choose };
}
