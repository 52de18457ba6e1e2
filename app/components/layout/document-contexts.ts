import { createContext } from "react";
import type { Analytics } from "~/platform/analytics";

export const NonceContext = createContext("");

export const AnalyticsContext = createContext<Analytics | null>(null);
