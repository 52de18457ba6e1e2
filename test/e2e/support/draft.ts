import { expect, type Page } from "@playwright/test";
import { onDatabase } from "./local-database.ts";

/** Fills in the form of an upload. */
export async function fillUpload(page: Page, title: string, file: Uint8Array): Promise<void> {
  const chosen = { name: `${title}.bin`, mimeType: "text/plain", buffer: Buffer.from(file) };
  await page.getByLabel("File").setInputFiles(chosen);
  // The page may propose one between the two halves of filling in: what stands there is marked, then written over.
  await expect(async () => {
    await page.getByLabel("Title").fill(title);
    expect(await page.getByLabel("Title").inputValue()).toBe(title);
  }).toPass();
  await page.getByLabel(/This recording is mine/).check();
  await page.getByLabel("Made by people").check();
}

/** Presses our button, or the browser's as long as no script has put ours in its place. */
async function playSound(page: Page): Promise<void> {
  const ours = page.getByRole("button", { name: /^Play / });
  await expect(async () => {
    if (await ours.isVisible()) return ours.click({ timeout: 1000 });
    const browsers = page.locator("audio[controls]");
    await browsers.click({ position: { x: 28, y: 27 }, timeout: 1000 });
  }).toPass();
}

/** Plays the draft that the page shows, by its own controls, until the server knows that it was heard. */
export async function hearDraft(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/recordings\/[0-9a-f-]{36}/);
  const [, id = ""] = /\/recordings\/([0-9a-f-]{36})/.exec(page.url()) ?? [];
  const hearing = () => onDatabase("SELECT hearing FROM recordings WHERE id = ?", [id]);
  // A press is lost where the page that has just come is still being scrolled to its top.
  await expect(async () => {
    await playSound(page);
    await expect.poll(hearing, { timeout: 10_000 }).toEqual([["heard"]]);
  }).toPass();
  // The button to submit is a new one, once the page knows as well.
  const isOurs = await page.locator("audio:not([controls])").count();
  if (isOurs) await expect(page.getByText("Hear it first.")).toBeHidden();
}
