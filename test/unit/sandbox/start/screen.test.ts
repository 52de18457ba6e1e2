import { describe, expect, test } from "vitest";
import { musicians } from "../../../sandbox/catalogue";
import { createScreenFilter, welcome } from "../../../sandbox/start/screen";
import { readSettings } from "../../../sandbox/start/settings";

const settings = readSettings({}, new Set());

describe("the welcome", () => {
  test("says which page to open, as whom to log in, where the log is, and how to stop", () => {
    const text = welcome(settings, musicians);
    const lines = text.split("\n").filter((line) => line !== "");
    for (const part of [settings.appOrigin, settings.sandboxOrigin, ".wrangler/start.log"]) {
      expect(text).toContain(part);
    }
    const demoUsers = musicians.filter(({ demo }) => demo);
    for (const { displayName, demo } of demoUsers) {
      expect(lines.some((line) => line.includes(displayName) && line.endsWith(`${demo}`))).toBe(
        true,
      );
    }
    expect(text).toContain("Ctrl-C");
    expect(text).toContain(`demo-mail@musicians.example, at ${settings.appOrigin}/login/email`);
    expect(text).toContain(`${settings.sandboxOrigin}/mail`);
    expect(text).toContain("rate six and upload yours");
    expect(lines.length).toBe(demoUsers.length + 7);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test("names no demo users if the app uses the real Spotify", () => {
    const real = readSettings({}, new Set(["SPOTIFY_CLIENT_ID"]));
    const text = welcome(real, musicians);
    expect(text).toContain("your own Spotify account");
    expect(text).toContain("any address");
    expect(text).not.toContain("Dana Free");
    expect(text).not.toContain("demo-mail");
  });

  test("names nobody who comes in by Spotify where that is closed", () => {
    const text = welcome(readSettings({ SPOTIFY_CLIENT_ID: "" }, new Set()), musicians);
    expect(text).toContain("By e-mail  demo-mail@musicians.example");
    expect(text).not.toContain("Log in as");
    expect(text).not.toContain("Dana Free");
  });
});

describe("of wrangler's output, the screen shows", () => {
  function shown(...lines: string[]): (string | null)[] {
    return lines.map(createScreenFilter());
  }

  test("no routine messages", () => {
    const chatter = [
      "Your Worker has access to the following bindings:",
      'env.ENVIRONMENT ("development")    Environment Variable    local',
      "",
      "[wrangler:warn] Unable to fetch the `Request.cf` object! Falling back to a default placeholder...",
      "▲ [WARNING] Scheduled Workers are not automatically triggered during local development.",
      "  To manually trigger a scheduled event, run:",
      "[wrangler:info] GET / 200 OK (12ms)",
      '{"event":"request","route":"/","method":"GET","status":200,"ms":3}',
      "[custom build] Running: node test/sandbox/build-dev.ts",
      "⎔ Reloading local server...",
      "⎔ Local server updated and ready",
    ];
    expect(shown(...chatter).filter((line) => line !== null)).toEqual([]);
  });

  test("no browser that leaves while it sends something", () => {
    const filter = createScreenFilter();
    const line =
      "✘ [ERROR] Error inside ProxyWorker (the affected request failed; the dev server continues): POST http://127.0.0.1:8787/recordings (failed after 1 attempt): Network connection lost.";
    expect(filter(line)).toBeNull();
    expect(filter(line.replace("Network connection lost", "Out of memory"))).not.toBeNull();
  });

  test("errors of a build, and when it works again", () => {
    expect(
      shown(
        "[custom build] Running: node test/sandbox/build-dev.ts",
        '[custom build] ✘ [ERROR] Unexpected ";"',
        "[custom build] ",
        "[custom build]     app/root.tsx:30:10:",
        "✘ [ERROR] k [Error]: Process exited with non-zero status (1)",
        "      at async runCommand (wrangler-dist/cli.js:191731:26)",
        "✘ [ERROR] Running custom build `node test/sandbox/build-dev.ts` failed. There are likely more logs",
        "⎔ Local server updated and ready",
        "⎔ Local server updated and ready",
      ).filter((line) => line !== null),
    ).toEqual([
      ' ✘ [ERROR] Unexpected ";"',
      "     app/root.tsx:30:10:",
      "The build failed. Requests wait until it is fixed.",
      "The build works again.",
    ]);
  });

  test("errors with their details", () => {
    const event = '{"event":"request_failed","route":"/","error":"Error: boom"}';
    const lines = [
      "✘ [ERROR] Uncaught Error: boom",
      "",
      "    at index.js:258",
      "⎔ Reloading",
      event,
    ];
    expect(shown(...lines)).toEqual([lines[0], null, lines[2], null, event]);
  });
});
