/**
 * `npm run bench -- listening`: three minutes of an own recording, as it is delivered to Chromium over a line that
 * carries 300 kbit/s more than the file needs. Exits with 1 if the sound ever waits.
 */
import { chromium, type Page } from "@playwright/test";
import { findBrowser } from "../../support/browser.ts";
import { logIn } from "../scale/members.ts";
import { withProduct } from "../served-product.ts";

const seconds = 190;
const heardSeconds = 180;
/** 256 kbit/s. */
const bytesPerSecond = 32_000;
const moreBytesPerSecond = 300_000 / 8;
const member = "Dana Free";

interface Watched {
  made?: HTMLAudioElement;
  /** Where the sound waited, and how much of it was there. */
  waits: { at: number; ahead: number }[];
  startedMs: number;
}

const executablePath = findBrowser();
if (!executablePath) throw new Error("No Chromium: run `npm run test:browser` first.");
await withProduct(async (product) => {
  process.env.E2E_ORIGIN = product.origin;
  process.env.E2E_SANDBOX_ORIGIN = product.sandboxOrigin;
  const { onDatabase } = await import("../../e2e/support/local-database.ts");
  const { makeOwnRecordings } = await import("../../e2e/support/own-recordings.ts");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const context = await browser.newContext();
    await logIn(context, product, member);
    const page = await context.newPage();
    await page.goto(product.origin);
    const rows = await onDatabase(
      `SELECT songs.id, songs.owner_id FROM package_songs
         JOIN packages ON packages.id = package_id JOIN songs ON songs.id = song_id
       WHERE user_id = (SELECT id FROM users WHERE display_name = ?)`,
      [member],
    );
    const offered = (rows as [string, string][]).map(([id, ownerId]) => ({ id, ownerId }));
    await makeOwnRecordings({ offered }, seconds, bytesPerSecond);
    await watch(page);
    await page.goto(product.origin);
    await page.getByRole("region", { name: "Player" }).waitFor({ state: "attached" });
    const session = await context.newCDPSession(page);
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 50,
      downloadThroughput: bytesPerSecond + moreBytesPerSecond,
      uploadThroughput: moreBytesPerSecond,
    });
    await page
      .getByRole("button", { name: /^PLAY SONG/ })
      .first()
      .click();
    await page.waitForFunction(
      (until) => ((window as unknown as Watched).made?.currentTime ?? 0) > until,
      heardSeconds,
      { timeout: 2 * heardSeconds * 1000, polling: 1000 },
    );
    const { waits, startedMs, aheadSeconds } = await page.evaluate(() => {
      const { waits, startedMs, made } = window as unknown as Watched;
      const end =
        made && made.buffered.length > 0 ? made.buffered.end(made.buffered.length - 1) : 0;
      return { waits, startedMs, aheadSeconds: end - (made?.currentTime ?? 0) };
    });
    // With sound there, the machine was too busy to play it.
    const hungry = waits.filter(({ ahead }) => ahead < 0.5);
    console.log(
      "| heard | first sound after | waits for sound | other waits | buffered at the end |",
    );
    console.log("|--:|--:|--:|--:|--:|");
    console.log(
      `| ${heardSeconds} s | ${Math.round(startedMs)} ms | ${hungry.length} | ${waits.length - hungry.length} | ${aheadSeconds.toFixed(1)} s |`,
    );
    if (waits.length > 0) console.log(`\nWaits: ${JSON.stringify(waits)}`);
    if (hungry.length > 0) process.exitCode = 1;
  } finally {
    await browser.close();
  }
});

/** Remembers the element that the player makes, and how often its sound waits once it has begun. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = window as unknown as Watched;
    const Original = window.Audio;
    watched.waits = [];
    watched.startedMs = 0;
    window.Audio = class extends Original {
      constructor() {
        super();
        const made = this as HTMLAudioElement;
        let chosenAt = 0;
        watched.made = made;
        made.addEventListener("loadstart", () => {
          chosenAt = performance.now();
        });
        made.addEventListener("playing", () => {
          if (!watched.startedMs) watched.startedMs = performance.now() - chosenAt;
        });
        made.addEventListener("waiting", () => {
          const { buffered, currentTime } = made;
          const end = buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
          if (watched.startedMs) watched.waits.push({ at: currentTime, ahead: end - currentTime });
        });
      }
    } as typeof Audio;
  });
}
