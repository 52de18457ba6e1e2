import { createContext } from "react";
import type { Analytics } from "~/platform/analytics";

/** The nonce of the page's scripts on the server; empty in the browser, which hides nonces. */
export const NonceContext = createContext("");

/** The analytics of this visit while the server renders; null in the browser, and without analytics. */
export const AnalyticsContext = createContext<Analytics | null>(null);
