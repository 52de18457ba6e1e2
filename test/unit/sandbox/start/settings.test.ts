import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { namesIn, readSettings } from "../../../sandbox/start/settings";

const none = new Set<string>();

test("npm start points the app to the stand-ins, at the ports of its environment", () => {
  const { vars } = readSettings({ PORT: "9001", SANDBOX_PORT: "9002" }, none);
  const { APP_ORIGIN, ...others } = vars;
  expect(APP_ORIGIN).toBe("http://127.0.0.1:9001");
  expect(
    Object.values(others).filter((value) => !value.startsWith("http://127.0.0.1:9002")),
  ).toEqual([]);
});

test.each(["0", "65536", "http", "80.5", ""])("%j is refused as a port", (PORT) => {
  expect(() => readSettings({ PORT }, none)).toThrow("PORT is not a port");
});

test("the real services are used whose keys are in .dev.vars, and nothing set there is overridden", () => {
  const own = new Set(["SPOTIFY_CLIENT_ID", "SPOTIFY_IMAGE_ORIGINS", "RESEND_API_KEY"]);
  const { vars, real } = readSettings({}, own);
  expect(real).toEqual({ spotify: true, resend: true });
  expect(vars).toMatchObject({
    ...{ SPOTIFY_API_URL: "https://api.spotify.com", SPOTIFY_CLIENT_ID_2: "" },
    ...{ RESEND_API_URL: "https://api.resend.com", RESEND_WEBHOOK_SECRET: "" },
    STRIPE_API_URL: "http://127.0.0.1:8788",
  });
  expect(vars).not.toHaveProperty("SPOTIFY_IMAGE_ORIGINS");
});

test("an empty STRIPE_SECRET_KEY leaves premium out, and STRIPE_TAX is passed on", () => {
  const { vars } = readSettings({ STRIPE_SECRET_KEY: "", STRIPE_TAX: "on" }, none);
  expect(vars).toMatchObject({
    STRIPE_SECRET_KEY: "",
    STRIPE_WEBHOOK_SECRET: "",
    STRIPE_TAX: "on",
  });
});

test("an empty SPOTIFY_CLIENT_ID leaves Spotify out, unless .dev.vars has its keys", () => {
  const { vars, spotify } = readSettings({ SPOTIFY_CLIENT_ID: "" }, none);
  expect(spotify).toBe(false);
  const keys = Object.entries(vars).filter(([name]) => name.startsWith("SPOTIFY_CLIENT"));
  expect(keys.map(([, value]) => value)).toEqual(["", "", "", ""]);
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
