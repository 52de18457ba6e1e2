import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";

// Nothing above the routes may suspend: a click or a key during hydration makes React 18 finish at once,
// and where it cannot, it gives up the whole document (error 345).
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
});
