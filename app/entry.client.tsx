import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { loadSongAdded } from "~/routes/_index/song-added/late-song-added";

// Nothing above the routes may suspend: a click or a key during hydration makes React 18 finish at once,
// and where it cannot, it gives up the whole document (error 345).
function hydrate(): void {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    );
  });
}

// What comes late is waited for: a change above it would give up what the server has rendered (error 421).
if (location.search.includes("songaddedtopool")) loadSongAdded().then(hydrate, hydrate);
else hydrate();
