import type { Page } from "@playwright/test";

/** Shows a part of the account page, which tells it in short until then. */
export async function openAccount(page: Page, part: string): Promise<void> {
  await page.goto("/account");
  await openPart(page, part);
}

export async function openPart(page: Page, part: string): Promise<void> {
  const details = page.locator("details", { has: page.getByRole("heading", { name: part }) });
  if ((await details.getAttribute("open")) === null) await details.locator("> summary").click();
}
