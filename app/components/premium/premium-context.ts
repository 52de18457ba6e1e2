import { createContext } from "react";
import type { PremiumSale } from "~/platform/env";

/** Whether premium is sold here. Scripts read it from the document that the server has rendered. */
export const PremiumContext = createContext(
  ((typeof document === "undefined" ? null : document.documentElement.dataset.premium) ??
    "sold") as PremiumSale,
);
