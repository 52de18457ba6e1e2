import { useBlocker } from "@remix-run/react";
import { useEffect } from "react";
import { Notice } from "~/components/notice";

/**
 * Says that the browser is offline, and stops navigation: without the code of another screen Remix would
 * reload the document, and a song that plays would stop.
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
