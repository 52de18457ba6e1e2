/**
 * Finds a Chromium for the tests. Run as a script it makes sure that there is one, without asking:
 * by Playwright's own download, or by apt where this runs as root on Debian.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

/** Chromium without windows takes half the processor time of one with them. */
const shell = "chromium-headless-shell";
const names = [shell, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const macApps = [
  "Chromium.app/Contents/MacOS/Chromium",
  "Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Longer than any download should take, in milliseconds. */
const installLimit = 10 * 60 * 1000;

/**
 * The path of a Chromium that starts, or null: what CHROMIUM_PATH names, else the machine's own,
 * else Playwright's.
 * @throws Error where CHROMIUM_PATH names one that does not start.
 */
export function findBrowser(): string | null {
  const wanted = process.env.CHROMIUM_PATH;
  if (wanted) {
    if (starts(wanted)) return wanted;
    throw new Error(`CHROMIUM_PATH names no browser that starts: ${wanted}`);
  }
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/snap/bin"];
  const candidates = [
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    ...macApps.map((app) => join("/Applications", app)),
    chromium.executablePath(),
  ];
  return candidates.find(starts) ?? null;
}

/** Some systems put a script in the browser's place that only tells where to get it. */
function starts(path: string): boolean {
  return existsSync(path) && spawnSync(path, ["--version"], { timeout: 20_000 }).status === 0;
}

/**
 * The path of a Chromium, installed if need be; null where that did not work either. Where apt can
 * install the one without windows, it does so even beside another.
 */
function ensureBrowser(): string | null {
  if (process.env.CHROMIUM_PATH) return findBrowser();
  const attempts: [string, ...string[]][] = [["npx", "playwright", "install", "chromium"]];
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    if (!findBrowser()?.endsWith(shell)) {
      install("apt-get", "update");
      install("apt-get", "install", "--yes", shell);
    }
    attempts.push(["npx", "playwright", "install-deps", "chromium"]);
  }
  for (const attempt of attempts) if (!findBrowser()) install(...attempt);
  return findBrowser();
}

function install(...words: [string, ...string[]]): void {
  const [command, ...args] = words;
  console.log(`For the browser tests: ${words.join(" ")}`);
  spawnSync(command, args, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: installLimit,
  });
}

if (process.argv[1] === import.meta.filename) {
  const browser = ensureBrowser();
  if (!browser) {
    console.error(
      "The browser tests need Chromium, and it could not be installed. Install Chromium or Chrome,\n" +
        "or set CHROMIUM_PATH to one that is there already.",
    );
    process.exit(1);
  }
  console.log(`Chromium is at ${browser}`);
}
