import { expect, test } from "vitest";
import { musicians } from "../../../sandbox/catalogue";
import { createScreenFilter, welcome } from "../../../sandbox/start/screen";
import { readSettings } from "../../../sandbox/start/settings";

const none = new Set<string>();

test("the welcome says which page to open, as whom to log in, where the log is, and how to stop", () => {
  const text = welcome(readSettings({}, none), musicians);
  const demoUsers = musicians.filter(({ demo }) => demo);
  for (const part of [
    ...[
      "http://127.0.0.1:8787",
      "http://127.0.0.1:8788/mail",
      ".wrangler/start.log",
      "Ctrl-C",
      "limits are lifted",
    ],
    ...["demo-mail@musicians.example", ...demoUsers.map(({ displayName }) => displayName)],
  ]) {
    expect(text).toContain(part);
  }
  expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test.each([
  [
    "the real Spotify",
    readSettings({}, new Set(["SPOTIFY_CLIENT_ID"])),
    "your own Spotify account",
  ],
  ["no Spotify", readSettings({ SPOTIFY_CLIENT_ID: "" }, none), "By e-mail  demo-mail@"],
])("the welcome names no demo users of Spotify where the app uses %s", (_, settings, said) => {
  const text = welcome(settings, musicians);
  expect(text).toContain(said);
  expect(text).not.toContain("Dana Free");
});

function shown(...lines: string[]): string[] {
  return lines.map(createScreenFilter()).filter((line) => line !== null);
}

test("of wrangler's output, the screen shows no routine messages, and no browser that leaves", () => {
  const left =
    "✘ [ERROR] Error inside ProxyWorker (the affected request failed): POST http://127.0.0.1:8787/recordings (failed after 1 attempt): Network connection lost.";
  const chatter = [
    'env.ENVIRONMENT ("development")    Environment Variable    local',
    "▲ [WARNING] Scheduled Workers are not automatically triggered during local development.",
    '{"event":"request","route":"/","method":"GET","status":200,"ms":3}',
    "[custom build] Running: node test/sandbox/build-dev.ts",
    "⎔ Local server updated and ready",
    left,
  ];
  expect(shown(...chatter)).toEqual([]);
  expect(shown(left.replace("Network connection lost", "Out of memory"))).toHaveLength(1);
});

test("the screen shows the errors of a build and when it works again, and the app's with details", () => {
  const event = '{"event":"request_failed","route":"/","error":"Error: boom"}';
  expect(
    shown(
      '[custom build] ✘ [ERROR] Unexpected ";"',
      "[custom build] ",
      "✘ [ERROR] k [Error]: Process exited with non-zero status (1)",
      "✘ [ERROR] Running custom build `node test/sandbox/build-dev.ts` failed. There are likely more logs",
      "⎔ Local server updated and ready",
      "⎔ Local server updated and ready",
      "✘ [ERROR] Uncaught Error: boom",
      "",
      "    at index.js:258",
      "⎔ Reloading",
      event,
    ),
  ).toEqual([
    ' ✘ [ERROR] Unexpected ";"',
    "The build failed. Requests wait until it is fixed.",
    "The build works again.",
    "✘ [ERROR] Uncaught Error: boom",
    "    at index.js:258",
    event,
  ]);
});
