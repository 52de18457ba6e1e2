import { tierConfigs } from "~/members/tiers";
import type { PremiumSale } from "~/platform/env";

const perMonth = `USD ${(tierConfigs.premium.monthlyPrice ?? 0).toFixed(2)} per month`;

export function premiumPrice(sale: PremiumSale): string {
  return sale === "with VAT" ? `${perMonth}, VAT included` : perMonth;
}
