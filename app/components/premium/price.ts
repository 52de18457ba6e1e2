import { tierConfigs } from "~/members/tiers";

export const premiumPrice = `USD ${(tierConfigs.premium.monthlyPrice ?? 0).toFixed(2)} per month`;
