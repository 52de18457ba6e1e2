import { tierConfigs } from "~/members/tiers";

/** The price of Premium in words: "USD 2.99 per month". */
export const premiumPrice = `USD ${(tierConfigs.premium.monthlyPrice ?? 0).toFixed(2)} per month`;
