import { expect, type Page } from "@playwright/test";
import { onDatabase } from "./local-database.ts";

/** Fills in the form of an upload. */
export async function fillUpload(page: Page, title: string, file: Uint8Array): Promise<void> {
  await page.getByLabel("Title").fill(title);
  const chosen = { name: `${title}.bin`, mimeType: "text/plain", buffer: Buffer.from(file) };
  await page.getByLabel("File").setInputFiles(chosen);
  await page.getByLabel(/This recording is mine/).check();
  await page.getByLabel("Made by people").check();
}

/** Plays the draft that the page shows, by its own controls, until the server knows that it was heard. */
export async function hearDraft(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/recordings\/[0-9a-f-]{36}/);
  const [, id = ""] = /\/recordings\/([0-9a-f-]{36})/.exec(page.url()) ?? [];
  await page.locator("audio").click({ position: { x: 28, y: 27 } });
  await expect
    .poll(() => onDatabase("SELECT hearing FROM recordings WHERE id = ?", [id]))
    .toEqual([["heard"]]);
}
