/**
 * `npm run bench -- listening`: three minutes of an own recording, as it is delivered to Chromium over a line that
 * carries hardly more than the file needs. Exits with 1 if the sound ever waits.
 */
import type { Page } from "@playwright/test";
import { budgets } from "../../support/budgets.ts";
import { printTable } from "../tables.ts";
import { slowLine, withBrowser } from "./visitors.ts";

const heardSeconds = 180;
const seconds = heardSeconds + 10;
/** 256 kbit/s. */
const bytesPerSecond = 32_000;
const member = "Dana Free";

interface Watched {
  made?: HTMLAudioElement;
  /** How much of the sound was there when it waited. */
  waits: number[];
}

await withBrowser(async ({ browser, origin, sandboxOrigin, loginOf }) => {
  Object.assign(process.env, { E2E_ORIGIN: origin, E2E_SANDBOX_ORIGIN: sandboxOrigin });
  const { onDatabase } = await import("../../e2e/support/local-database.ts");
  const { makeOwnRecordings } = await import("../../e2e/support/own-recordings.ts");
  const context = await browser.newContext({ storageState: await loginOf(member) });
  const page = await context.newPage();
  await page.goto(origin);
  const rows = await onDatabase(
    `SELECT songs.id, songs.owner_id FROM package_songs
       JOIN packages ON packages.id = package_id JOIN songs ON songs.id = song_id
     WHERE user_id = (SELECT id FROM users WHERE display_name = ?)`,
    [member],
  );
  const offered = (rows as [string, string][]).map(([id, ownerId]) => ({ id, ownerId }));
  await makeOwnRecordings({ offered }, seconds, bytesPerSecond);
  await watch(page);
  await page.goto(origin);
  await page.getByRole("region", { name: "Player" }).waitFor({ state: "attached" });
  await slowLine(page, 50, bytesPerSecond * 8 + budgets.moreBits, budgets.moreBits);
  await page
    .getByRole("button", { name: /^PLAY SONG/ })
    .first()
    .click();
  await page.waitForFunction(
    (until) => ((window as unknown as Watched).made?.currentTime ?? 0) > until,
    heardSeconds,
    { timeout: 2 * heardSeconds * 1000, polling: 1000 },
  );
  const waits = await page.evaluate(() => (window as unknown as Watched).waits);
  // With sound there, the machine was too busy to play it.
  const hungry = waits.filter((ahead) => ahead < 0.5);
  const counts = [hungry.length, waits.length - hungry.length];
  printTable(["heard", "waits for sound", "other waits"], [[`${heardSeconds} s`, ...counts]]);
  if (hungry.length > 0) process.exitCode = 1;
});

/** Remembers the element that the player makes, and how often its sound waits once it has begun. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = window as unknown as Watched;
    watched.waits = [];
    window.Audio = class extends window.Audio {
      constructor() {
        super();
        const made = this as HTMLAudioElement;
        watched.made = made;
        made.addEventListener("waiting", () => {
          const { buffered, currentTime } = made;
          const end = buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
          if (currentTime > 0) watched.waits.push(end - currentTime);
        });
      }
    } as typeof Audio;
  });
}
