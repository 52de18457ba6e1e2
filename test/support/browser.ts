/** Finds a Chromium for the tests. Run as a script, it installs one if there is none. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { readArguments } from "../../.ops/command-line.ts";

/** The headless shell, which takes half the processor time of a full Chromium. */
const shell = "chromium-headless-shell";
const names = [shell, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const macApps = [
  "Chromium.app/Contents/MacOS/Chromium",
  "Google Chrome.app/Contents/MacOS/Google Chrome",
];

const installLimit = 10 * 60 * 1000;

/** The one in CHROMIUM_PATH, the machine's or Playwright's. Throws if the first does not start. */
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

/** Some systems have a script in place of the browser that only says where to get it. */
function starts(path: string): boolean {
  return existsSync(path) && spawnSync(path, ["--version"], { timeout: 20_000 }).status === 0;
}

/** Installs a Chromium if necessary, and the headless shell if apt has it. Null if that fails. */
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

if (import.meta.main) {
  readArguments({ usage: "npm run test:browser" });
  const browser = ensureBrowser();
  if (!browser) {
    console.error(
      "The browser tests need Chromium, and it could not be installed. Install Chromium or Chrome,\n" +
        "or set CHROMIUM_PATH to one that is already installed.",
    );
    process.exit(1);
  }
  console.log(`Chromium is at ${browser}`);
}
