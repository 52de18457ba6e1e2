/**
 * Takes the pictures of the screens that README.md shows. Run `npm run pictures` after a change of one, and commit
 * them. It serves the product with musicians and songs that are the same each time.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import type { BrowserContextOptions, Page } from "@playwright/test";
import { readArguments } from "../../.ops/command-line.ts";
import { logIn, withBrowser } from "../bench/browser/visitors.ts";
import { budgets } from "./budgets.ts";

readArguments({ usage: "npm run pictures" });
const folder = ".pictures";
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5 };
const desk = { viewport: { width: 1280, height: 720 } };
const name = "Ida Vale";

await withBrowser(async (product) => {
  const { browser, origin, sandboxOrigin } = product;
  Object.assign(process.env, { E2E_ORIGIN: origin, E2E_SANDBOX_ORIGIN: sandboxOrigin });
  const { longSongs, makeMusician } = await import("../e2e/support/musician.ts");
  const songs = longSongs(6);
  const { own } = await makeMusician({
    ...{ name, credits: 6, offered: songs.slice(0, 5) },
    own: songs.slice(5).map((track) => ({ track, scores: [3, 1, 4, 3, 2] })),
  });
  mkdirSync(folder, { recursive: true });
  await takeAll({
    landing: { path: "/", size: desk },
    carousel: { path: "/", size: phone, member: true },
    result: { path: `/ratings-of-my-songs/${own[0]?.id}`, size: phone, member: true },
    "add-song": { path: "/?menu=addownsong&q=Mara", size: phone, member: true },
  });

  async function takeAll(pictures: Record<string, Picture>): Promise<void> {
    for (const [file, { path, size, member = false }] of Object.entries(pictures)) {
      const context = await browser.newContext({ ...size, reducedMotion: "reduce" });
      if (member) await (await logIn(context, product, name)).close();
      const page = await context.newPage();
      await page.goto(origin + path, { waitUntil: "networkidle" });
      const bytes = await take(page);
      await context.close();
      console.log(`${folder}/${file}.webp: ${bytes.byteLength} of ${budgets.document} bytes`);
      if (bytes.byteLength > budgets.document) process.exitCode = 1;
      writeFileSync(`${folder}/${file}.webp`, bytes);
    }
  }
});

interface Picture {
  path: string;
  size: BrowserContextOptions;
  member?: boolean;
}

/** As WebP, which takes a fourth of a PNG. */
async function take(page: Page): Promise<Buffer> {
  await page.evaluate(() => document.fonts.ready);
  const client = await page.context().newCDPSession(page);
  const { data } = await client.send("Page.captureScreenshot", { format: "webp", quality: 60 });
  return Buffer.from(data, "base64");
}
