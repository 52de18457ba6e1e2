import { expect, type Page } from "@playwright/test";
import { agreeAs } from "./fixtures.ts";

/** Logs in as the demo user who operates. */
export async function logInAsOperator(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: "Log in with Spotify Premium" }).click();
  await agreeAs({ id: "demo-operator" }, page);
  await expect(page.getByRole("link", { name: /Otto Operator/ })).toBeVisible();
}
