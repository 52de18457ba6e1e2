import { useBlocker } from "@remix-run/react";
import { useEffect } from "react";
import { Notice } from "~/components/notice";

/**
 * Keeps the screen while the browser has no network, and says so. Another screen's code could not
 * arrive; Remix would then load the document anew, and a song that plays would be lost.
 */
export function OfflineNotice() {
  const { state, reset } = useBlocker(() => !navigator.onLine);
  useEffect(() => {
    if (!reset) return;
    window.addEventListener("online", reset);
    return () => window.removeEventListener("online", reset);
  }, [reset]);
  if (state !== "blocked") return null;
  return (
    <div className="offline-notice">
      <Notice tone="error">You are offline right now.</Notice>
    </div>
  );
}
