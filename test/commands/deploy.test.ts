/** `npm run deploy`, and what looks at the build that goes live, in a clone whose owner is going live. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readProduction } from "../../.ops/configuration";
import { type Clone, cloneProject, git } from "./clone";

let clone: Clone;
let secrets: string[];
let measured: { output: string; code: number | null };

beforeAll(async () => {
  clone = cloneProject();
  const file = join(clone.folder, "wrangler.toml");
  const toml = goingLive(readFileSync(file, "utf8"));
  writeFileSync(file, toml);
  secrets = readProduction(toml).secrets?.required ?? [];
  git(clone.folder, "init", "--quiet");
  git(clone.folder, "add", "--all");
  const somebody = ["-c", "user.name=Somebody", "-c", "user.email=somebody@fivefold.test"];
  git(clone.folder, ...somebody, "commit", "--quiet", "--message=Go live");
  // Builds as a deployment does, with wrangler itself. Starts the Worker once, not nine times.
  measured = await clone.run("npm run bench -- worker 1");
});
afterAll(() => clone.remove());

/** A wrangler.toml in which all is set that "Going live" in .ops/README.md tells to set. */
function goingLive(toml: string): string {
  const [development, production = ""] = toml.split(/^(?=\[env\.production\]$)/m);
  const values = {
    pattern: "fivefold.test",
    database_id: "0c1f6c5e-6c1f-4a55-9d8f-3f2f5e0d1a2b",
    APP_ORIGIN: "https://fivefold.test",
    MAIL_FROM: "ratings@fivefold.test",
    OPERATOR_NAME: "The operator",
    CONTACT_EMAIL: "support@fivefold.test",
  };
  const set = Object.entries(values).reduce(
    (text, [name, value]) => text.replace(RegExp(`\\b(${name} = )".*?"`), `$1"${value}"`),
    production,
  );
  return development + set;
}

interface Answer {
  stdout?: string;
  stderr?: string;
  code?: number;
}

/** Runs a command against an account in which all is well, apart from these answers of wrangler's. */
function deploy(command: string, otherwise: Record<string, Answer> = {}) {
  const answers = {
    "secret list": { stdout: JSON.stringify(secrets.map((name) => ({ name }))) },
    "d1 time-travel info": { stdout: '{ "bookmark": "00000085-0000024c" }' },
    "d1 migrations list": { stdout: "Migrations to be applied:\n│ 0003_mails.sql │\n" },
    ...otherwise,
  };
  return clone.run(command, {
    WRANGLER_ANSWERS: JSON.stringify(answers),
    npm_config_script_shell: join(import.meta.dirname, "stand-ins/shell"),
  });
}

const noWorker = { code: 1, stderr: 'Worker "fivefold" (env: production) not found.\n' };
const checked =
  /configuration: complete\ncommit: \w+, nothing beside it\nsecrets: set\n(.+: o(n|ff).*\n)+queues: there\nbuckets: there/;

describe.concurrent("npm run deploy", () => {
  test("goes through where all is well", async () => {
    const { output, code } = await deploy("npm run deploy");
    expect(code, output).toBe(0);
    expect(output).toMatch(checked);
    expect(output).toContain("migrations to apply: 0003_mails.sql\nmigrations: applied\n");
    expect(output).toMatch(
      /deploy: done\nhealth: 200 ok [\d.]+ at https:\/\/fivefold.test\/health\nzone: leaves/,
    );
  });

  test("with --check only checks", async () => {
    const { output, code } = await deploy("npm run deploy -- --check");
    expect(code, output).toBe(0);
    expect(output).toMatch(checked);
    expect(output).not.toContain("deploy: done");
  });

  test.each<[string, Record<string, Answer>, string]>([
    ["the Worker", { "secret list": noWorker }, "The first secret makes an empty one"],
    ["a secret", { "secret list": { stdout: "[]" } }, "wrangler secret put SESSION_SECRET"],
    [
      "a queue",
      { "queues info fivefold-spot-checks": { code: 1 } },
      "wrangler queues create fivefold-spot-checks",
    ],
    [
      "a bucket",
      { "r2 bucket info fivefold-recordings": { code: 1 } },
      "wrangler r2 bucket create fivefold-recordings",
    ],
  ])("and its check say what to do where %s is missing", async (_what, otherwise, says) => {
    const { output, code } = await deploy("npm run deploy", otherwise);
    expect(code).toBe(1);
    expect(output).toContain(says);
    expect(output).not.toContain("deploy: done");
  });

  test("says how to go back where a migration fails", async () => {
    const failing = { "d1 migrations apply": { code: 1, stderr: "✘ [ERROR] no such table" } };
    const { output, code } = await deploy("npm run deploy", failing);
    expect(code).toBe(1);
    expect(output).toContain("no such table");
    expect(output).toContain(
      "time-travel restore DB --env production --bookmark=00000085-0000024c",
    );
    expect(output).not.toContain("deploy: done");
  });
});

test("npm run bench measures the Worker as it would go live", () => {
  expect(measured.code, measured.output).toBe(0);
  expect(measured.output).toMatch(/^\| compressed \| \d+ KiB \| \d+ % \|$/m);
  expect(measured.output).toContain("median of 1 |");
});

test("npm run licences names what is in the build", async () => {
  const { output, code } = await clone.run("npm run licences");
  expect(code, output).toBe(0);
  expect(output).toMatch(/^\| react-dom \| [\d.]+ \| MIT \| Worker, browser \|$/m);
});
