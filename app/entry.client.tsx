import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import type { AnyRouteHandle } from "~/http/route-handle";

const query = new URLSearchParams(window.location.search);
const handles = Object.values(window.__remixRouteModules).map(
  (module) => module?.handle as AnyRouteHandle | undefined,
);

// What fails to load here is tried again when it is needed.
Promise.allSettled(handles.map((handle) => handle?.beforeHydration?.(query))).then(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    );
  }),
);
