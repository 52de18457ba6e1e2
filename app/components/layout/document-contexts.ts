import { createContext } from "react";
import type { Analytics } from "~/platform/analytics";
import type { PremiumSale } from "~/platform/env";

export const NonceContext = createContext("");

export const AnalyticsContext = createContext<Analytics | null>(null);

/** Scripts read it from the document that the server has rendered. */
export const PremiumContext = createContext(
  ((typeof document === "undefined" ? null : document.documentElement.dataset.premium) ??
    "sold") as PremiumSale,
);
