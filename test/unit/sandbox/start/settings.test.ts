import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { namesIn, readSettings } from "../../../sandbox/start/settings";

const none = new Set<string>();

describe("the settings of npm start", () => {
  test("are the documented ports and folder by default", () => {
    const settings = readSettings({}, none);
    expect(settings.appOrigin).toBe("http://127.0.0.1:8787");
    expect(settings.sandboxOrigin).toBe("http://127.0.0.1:8788");
    expect(settings.logFile).toBe(join(process.cwd(), ".wrangler/start.log"));
  });

  test("point the app to the port of the stand-ins", () => {
    const { vars } = readSettings({ PORT: "9001", SANDBOX_PORT: "9002" }, none);
    expect(vars.APP_ORIGIN).toBe("http://127.0.0.1:9001");
    const others = Object.entries(vars).filter(([name]) => name !== "APP_ORIGIN");
    expect(others.length).toBeGreaterThan(5);
    expect(others.filter(([, value]) => !value.startsWith("http://127.0.0.1:9002"))).toEqual([]);
  });

  test.each(["0", "65536", "http", "80.5", ""])("refuse %j as a port", (PORT) => {
    expect(() => readSettings({ PORT }, none)).toThrow("PORT is not a port");
  });

  test("point to the real services whose keys are in .dev.vars, and override nothing set there", () => {
    const own = new Set(["SPOTIFY_CLIENT_ID", "SPOTIFY_IMAGE_ORIGINS", "RESEND_API_KEY"]);
    const { vars, real } = readSettings({}, own);
    expect(real).toEqual({ spotify: true, resend: true });
    expect(vars.SPOTIFY_API_URL).toBe("https://api.spotify.com");
    expect(vars.SPOTIFY_CLIENT_ID_2).toBe("");
    expect(vars).not.toHaveProperty("SPOTIFY_IMAGE_ORIGINS");
    expect(vars.RESEND_API_URL).toBe("https://api.resend.com");
    expect(vars.RESEND_WEBHOOK_SECRET).toBe("");
    expect(vars.STRIPE_API_URL).toBe("http://127.0.0.1:8788");
  });
});

test("an empty SPOTIFY_CLIENT_ID leaves Spotify out, unless .dev.vars has its keys", () => {
  const { vars, spotify } = readSettings({ SPOTIFY_CLIENT_ID: "" }, none);
  expect(spotify).toBe(false);
  const keys = Object.entries(vars).filter(([name]) => name.startsWith("SPOTIFY_CLIENT"));
  expect(keys).toHaveLength(4);
  expect(keys.filter(([, value]) => value !== "")).toEqual([]);
  const real = readSettings({ SPOTIFY_CLIENT_ID: "" }, new Set(["SPOTIFY_CLIENT_ID"]));
  expect(real.spotify).toBe(true);
  expect(real.vars).not.toHaveProperty("SPOTIFY_CLIENT_ID");
});

test("names are read from a dotenv file as wrangler reads them", () => {
  const folder = mkdtempSync(join(tmpdir(), "fivefold-settings-"));
  const file = join(folder, ".dev.vars");
  expect(namesIn(file)).toEqual(none);
  writeFileSync(file, "A=1\n# B=2\n export C_1 = 3\nnot a line\n");
  expect(namesIn(file)).toEqual(new Set(["A", "C_1"]));
  rmSync(folder, { recursive: true });
});
