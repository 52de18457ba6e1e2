import { createContext } from "react";
import type { Analytics } from "~/platform/analytics";

/** What counts this visit, while the server renders; null in the browser, and where nothing does. */
export const AnalyticsContext = createContext<Analytics | null>(null);
