import { createContext } from "react";
import type { Analytics } from "~/platform/analytics";

/** The analytics of this visit while the server renders; null in the browser, and without analytics. */
export const AnalyticsContext = createContext<Analytics | null>(null);
