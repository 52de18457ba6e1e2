/** The pictures of a result that its owner saves: drawn in the browser, and given to the phone or saved. */
import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { test } from "./support/fixtures.ts";
import { makeOwnRecordings } from "./support/own-recordings.ts";

const sizes = { story: [1080, 1920], post: [1200, 630] } as const;
type Kind = keyof typeof sizes;

function buttonFor(page: Page, kind: Kind) {
  return page.getByRole("button", { name: `Save a picture for a ${kind}` });
}

/** Width and height of a PNG. */
function sizeOf(png: Buffer): number[] {
  expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

async function saved(page: Page, kind: Kind): Promise<Buffer> {
  const download = page.waitForEvent("download");
  await buttonFor(page, kind).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`fivefold-${kind}.png`);
  await expect(page.getByText("Saved.")).toBeVisible();
  return readFile(await file.path());
}

/** How much of a picture has another colour than its corner, in hundredths. */
function drawnShare(page: Page, png: Buffer): Promise<number> {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const pen = canvas.getContext("2d");
    if (!pen) return 0;
    pen.drawImage(bitmap, 0, 0);
    const pixels = new Uint32Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    return (100 * pixels.filter((pixel) => pixel !== pixels[0]).length) / pixels.length;
  }, png.toString("base64"));
}

test("pictures: a result is saved as a picture for a story and for a post, with a cover of Spotify's or a drawn one", async ({
  page,
  musician,
}) => {
  const { own } = await musician({
    tier: "premium",
    own: [{ scores: [2, 3, 3, 3, 4] }, { title: "Night Bus", scores: [4, 4, 1, 3, 4] }, {}],
  });
  await makeOwnRecordings({ offered: own.slice(1, 2) }, 5);
  for (const { id } of own.slice(0, 2)) {
    await page.goto(`/ratings-of-my-songs/${id}`);
    for (const kind of ["story", "post"] as const) {
      const png = await saved(page, kind);
      expect(sizeOf(png)).toEqual(sizes[kind]);
      expect(await drawnShare(page, png)).toBeGreaterThan(kind === "story" ? 12 : 30);
    }
    await expectAccessible(page);
  }
  // Nothing to be shown yet.
  await page.goto(`/ratings-of-my-songs/${own[2]?.id}`);
  await expect(page.getByRole("button", { name: "Take it out of the rotation" })).toBeVisible();
  await expect(buttonFor(page, "story")).toHaveCount(0);
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
  await buttonFor(page, "story").click();
  const shared = () => page.evaluate(() => (window as unknown as { shared: unknown[] }).shared);
  await expect.poll(shared).toEqual([["fivefold-story.png", "image/png"]]);
  await expect(buttonFor(page, "story")).not.toHaveAttribute("aria-disabled");
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
  await expect(buttonFor(page, "post")).toBeVisible();
  const cover = await page.locator("img.cover").first().getAttribute("src");
  await page.route(cover ?? "", (route) => route.abort());
  expect(sizeOf(await saved(page, "post"))).toEqual(sizes.post);
});
