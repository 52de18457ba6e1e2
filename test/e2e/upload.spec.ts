import { expect, type Page } from "@playwright/test";
import { makeFlac, makeM4a, makeMp3, makeWav } from "../support/recordings/sound-files.ts";
import { test } from "./support/fixtures.ts";

/** Fills the form in, and sends it. */
async function upload(page: Page, name: string, file: Uint8Array): Promise<void> {
  await page.goto("/?menu=addownsong");
  await page.getByLabel("Title").fill(name);
  const chosen = { name: `${name}.bin`, mimeType: "text/plain", buffer: Buffer.from(file) };
  await page.getByLabel("File").setInputFiles(chosen);
  await page.getByLabel(/This recording is mine/).check();
  await page.getByRole("button", { name: "Upload" }).click();
}

function secondsHeard(page: Page): Promise<number> {
  return page.locator("audio").evaluate(async (audio: HTMLAudioElement) => {
    audio.muted = true;
    await audio.play();
    await new Promise((resolve) => audio.addEventListener("timeupdate", resolve, { once: true }));
    return audio.duration;
  });
}

test("a recording of each kind is uploaded, heard and submitted", async ({ page, musician }) => {
  await musician({ credits: 30 });
  const files = { wav: makeWav(6), mp3: makeMp3(6), flac: makeFlac(6), m4a: makeM4a(6) };
  for (const [name, file] of Object.entries(files)) {
    await upload(page, name, file);
    await expect(page.getByRole("heading", { name: `Submit “${name}”?` })).toBeVisible();
    expect(await secondsHeard(page)).toBeCloseTo(6, 0);
    await page.getByRole("button", { name: "Submit this song!" }).click();
    await expect(page.getByText(/is added!/)).toBeVisible();
  }
});

test("what is refused says what to do", async ({ page, musician, complaints }) => {
  complaints.expect(/422|413/);
  await musician({ credits: 6 });
  await upload(page, "long", makeWav(660));
  await expect(page.getByText(/lasts 11 minutes.*Please cut it/)).toBeVisible();
  await page.getByRole("link", { name: "Back to the upload" }).click();
  await upload(page, "big", makeWav(280, { wavRate: 44_100, channels: 2 }));
  await expect(page.getByText(/40 MB at most/)).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a recording is uploaded, deleted, uploaded again and submitted", async ({
    page,
    musician,
  }) => {
    await musician({ credits: 6 });
    await upload(page, "Early light", makeMp3(6));
    await expect(page.locator("audio")).toBeVisible();
    await page.getByRole("button", { name: "Delete this upload" }).click();
    await upload(page, "Late light", makeMp3(6));
    await page.goto("/?menu=addownsong");
    await page.getByRole("link", { name: /Late light/ }).click();
    await page.getByRole("button", { name: "Submit this song!" }).click();
    await expect(page.getByText(/is added!/)).toBeVisible();
  });
});
