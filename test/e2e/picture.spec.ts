/** The picture of a result that its owner saves: drawn in the browser, and given to the phone or saved. */
import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { test } from "./support/fixtures.ts";
import { makeOwnRecordings } from "./support/own-recordings.ts";

function saveButton(page: Page) {
  return page.getByRole("button", { name: "Save a picture for a story" });
}

async function saved(page: Page): Promise<Buffer> {
  const download = page.waitForEvent("download");
  await saveButton(page).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("fivefold-story.png");
  await expect(page.getByText("Saved.")).toBeVisible();
  const png = await readFile(await file.path());
  expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1080, 1920]);
  return png;
}

/** How many colours there are inside the place of a picture's cover, and below it. */
function coloursIn(page: Page, png: Buffer): Promise<{ cover: number; below: number }> {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    if (!pen) throw new Error("no canvas");
    pen.drawImage(bitmap, 0, 0);
    const count = (...box: [number, number, number, number]) =>
      new Set(new Uint32Array(pen.getImageData(...box).data.buffer)).size;
    return { cover: count(94, 260, 380, 380), below: count(84, 660, 912, 1010) };
  }, png.toString("base64"));
}

test("pictures: a result is saved as a picture, with a cover of Spotify's or a drawn one, and in our own face", async ({
  page,
  musician,
}) => {
  await page.addInitScript(() => {
    const drawn: string[] = [];
    Object.assign(window, { drawn });
    const { set } = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src") ?? {};
    Object.defineProperty(HTMLImageElement.prototype, "src", {
      set(url: string) {
        drawn.push(url);
        set?.call(this, url);
      },
    });
  });
  const { own } = await musician({
    tier: "premium",
    own: [{ title: "<Less> & more", scores: [2, 3, 3, 3, 4] }, { scores: [4, 4, 1, 3, 4] }, {}],
  });
  await makeOwnRecordings({ offered: own.slice(1, 2) }, 5);
  for (const { id } of own.slice(0, 2)) {
    await page.goto(`/ratings-of-my-songs/${id}`);
    const { cover, below } = await coloursIn(page, await saved(page));
    expect(cover).toBeGreaterThan(2);
    expect(below).toBeGreaterThan(3);
    const drawn = await page.evaluate(() => (window as unknown as { drawn: string[] }).drawn);
    // "wOF2", with which such a file begins.
    const face = /url\(([^)]{29})/.exec(decodeURIComponent(drawn.at(-1) ?? ""));
    expect(face?.[1]).toBe("data:font/woff2;base64,d09GMg");
    await expectAccessible(page);
  }
  // Nothing to be shown yet.
  await page.goto(`/ratings-of-my-songs/${own[2]?.id}`);
  await expect(page.getByText("Take it out of the rotation")).toBeVisible();
  await expect(saveButton(page)).toHaveCount(0);
});

test("pictures: a phone's own sharing gets the file, and closing it is no error", async ({
  page,
  musician,
}) => {
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(window, { shared });
    Object.defineProperty(navigator, "canShare", { value: () => true });
    Object.defineProperty(navigator, "share", {
      value: async ({ files: [file] = [] }: ShareData) => {
        shared.push([file?.name, file?.type]);
        throw new DOMException("closed", "AbortError");
      },
    });
  });
  // Free: three of five are not shown.
  const { own } = await musician({ own: [{ scores: [4, 1, 2, 2, 4] }] });
  await page.goto(`/ratings-of-my-songs/${own[0]?.id}`);
  await saveButton(page).click();
  const shared = () => page.evaluate(() => (window as unknown as { shared: unknown[] }).shared);
  await expect.poll(shared).toEqual([["fivefold-story.png", "image/png"]]);
  await expect(saveButton(page)).not.toHaveAttribute("aria-disabled");
  await expect(page.getByText(/could not be drawn|^Saved/)).toHaveCount(0);
});

test("pictures: a cover that its server does not let be drawn is left out", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/ERR_FAILED/);
  const { own } = await musician({ tier: "premium", own: [{ scores: [4, 1, 2, 2, 4] }] });
  await page.goto(`/ratings-of-my-songs/${own[0]?.id}`);
  await expect(saveButton(page)).toBeVisible();
  const cover = await page.locator("img.cover").first().getAttribute("src");
  await page.route(cover ?? "", (route) => route.abort());
  expect(await coloursIn(page, await saved(page))).toMatchObject({ cover: 1 });
});
