/** `npm start`, and what the READMEs say can be run beside it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePorts } from "../support/free-ports";
import { type Clone, cloneProject, type Running } from "./clone";

let clone: Clone;
let ports: { PORT: string; SANDBOX_PORT: string };
let origin: string;
let start: Running;
let welcome: string;

beforeAll(async () => {
  clone = cloneProject();
  const [port, sandboxPort] = await freePorts(2);
  ports = { PORT: `${port}`, SANDBOX_PORT: `${sandboxPort}` };
  origin = `http://127.0.0.1:${port}`;
  start = clone.start("npm start", ports);
  welcome = await start.prints("Ctrl-C stops everything.");
});

// In reverse order, and the second one whatever becomes of the first.
afterAll(() => clone.remove());
afterAll(async () => {
  // A signal that reaches npm alone.
  start.signal("SIGTERM", "itself");
  await start.ended;
  await expect(fetch(`${origin}/health`)).rejects.toThrow("fetch failed");
});

describe.concurrent("while npm start runs", () => {
  test("its product can be used as it says", async () => {
    expect(welcome).toContain(`Fivefold   ${origin}\n`);
    expect(welcome).toContain("Dana Free");
    const health = await fetch(`${origin}/health`);
    expect(await health.json()).toMatchObject({ ok: true });
  });

  test("a build for production and its checks neither disturb it nor are disturbed", async () => {
    const own = join(clone.folder, ".wrangler/app/public/build");
    const [script = ""] = readdirSync(own).filter((name) => name.startsWith("entry.client"));
    const statuses = new Set<number>();
    let built = false;
    const building = clone.run("npm run test:build").finally(() => {
      built = true;
    });
    while (!built) {
      for (const path of ["/faq", "/favicon.svg", `/build/${script}`]) {
        statuses.add((await fetch(origin + path)).status);
      }
    }
    const { output, code } = await building;
    expect(code, output).toBe(0);
    expect([...statuses]).toEqual([200]);
  });

  test("a second one in the same folder says that it runs, and one at its ports what to do", async () => {
    const again = await clone.run("npm start");
    expect(again.output).toContain(`Fivefold is already running at ${origin}, as process `);
    const elsewhere = await clone.run("npm start", { ...ports, STATE_DIR: ".wrangler/other" });
    expect(elsewhere.output).toContain(`Port ${ports.PORT} is in use by `);
    expect([again.code, elsewhere.code]).toEqual([1, 1]);
  });

  test("another can run beside it without Spotify", async () => {
    const [port, sandboxPort] = await freePorts(2);
    const environment = {
      SPOTIFY_CLIENT_ID: "",
      PORT: `${port}`,
      SANDBOX_PORT: `${sandboxPort}`,
      STATE_DIR: ".wrangler/by-email",
    };
    const byEmail = clone.start("npm start", environment);
    const text = await byEmail.prints("Ctrl-C stops everything.");
    expect(text).toContain("demo-mail@musicians.example");
    expect(text).not.toContain("Dana Free");
    const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    expect(page).toContain("Log in with your e-mail");
    expect(page).not.toContain("Spotify");
    byEmail.signal("SIGTERM", "itself");
    await byEmail.ended;
  });

  test("a failure can be asked for at the stand-ins", async () => {
    const readme = readFileSync("test/sandbox/README.md", "utf8");
    const [command = ""] = /^ {4}curl .*\n.*$/m.exec(readme) ?? [];
    const { output, code } = await clone.run(command.replace("8788", ports.SANDBOX_PORT));
    expect(code, output).toBe(0);
    expect(output).toContain('{"ok":true}');
  });

  test("npm run check:invariants looks at its database", async () => {
    const { output, code } = await clone.run("npm run check:invariants");
    expect(code, output).toBe(0);
    expect(output).toMatch(/All \d+ invariants hold\./);
  });

  test("npm run lighthouse looks at one of its pages", async () => {
    const { output, code } = await clone.run(`npm run lighthouse -- ${origin}/faq`);
    expect(output).toContain("best-practices");
    expect(code, output).toBeLessThanOrEqual(1);
  });
});
