import { expect, test } from "vitest";
import { check, deploy, type Outcome } from "../../../.ops/deployment";
import { complete, required } from "./production";

const config = { ...complete, queues: { producers: [{ queue: "mails" }] } };

const healthy = { ok: true, version: "1.2.3" };
const secretList = JSON.stringify(required.map((name) => ({ name })));

/** What commands print, by the beginning of the command. */
const answers: [beginning: string, stdout: string][] = [
  ["git status", ""],
  ["git rev-parse", "abc1234\n"],
  ["wrangler secret list", secretList],
  ["wrangler queues info mails", "Queue Name: mails"],
  ["wrangler deploy --dry-run", "built"],
  ["node test/support/check-bundle.ts", "small"],
  ["wrangler d1 time-travel info", '{\n  "bookmark": "00000085-0000024c"\n}'],
  ["wrangler d1 migrations list", "│ 0003_mails.sql │\n│ 0004_accounts.sql │"],
  ["wrangler d1 migrations apply", "applied"],
  ["wrangler deploy --env", "deployed"],
];
const all = [
  "git status --porcelain",
  "git rev-parse --short HEAD",
  "wrangler secret list --env production",
  "wrangler queues info mails --env production",
  "wrangler deploy --dry-run --env production",
  "node test/support/check-bundle.ts",
  "wrangler d1 time-travel info DB --env production --json",
  "wrangler d1 migrations list DB --remote --env production",
  "wrangler d1 migrations apply DB --remote --env production",
  "wrangler deploy --env production",
];
const checksAlone = all.slice(0, 4);

interface Told {
  /** Outcomes of commands that differ from the usual ones. */
  otherwise?: Record<string, Partial<Outcome>>;
  /** The responses of /health in order, the last one repeated. A text is thrown as an error. */
  health?: (Response | string)[];
  /** The imprint, as it comes through Cloudflare. */
  page?: Response | string;
  config?: typeof config;
  only?: "checks";
}

/** Runs a deployment in these conditions. @returns everything that it did. */
async function run({
  otherwise = {},
  health = [Response.json(healthy)],
  page = new Response("<!doctype html>"),
  ...told
}: Told = {}) {
  const commands: string[] = [];
  const lines: string[] = [];
  const asked: string[] = [];
  let waited = 0;
  const ok = await (told.only ? check : deploy)(
    { config: told.config ?? config, version: "1.2.3" },
    {
      run: async (command, args) => {
        const text = [command, ...args].join(" ");
        commands.push(text);
        const other = Object.entries(otherwise).find(([beginning]) => text.startsWith(beginning));
        const [, stdout] = answers.find(([beginning]) => text.startsWith(beginning)) ?? [];
        if (stdout === undefined) throw new Error(`nobody expects ${text}`);
        return { code: 0, stdout, stderr: "", ...other?.[1] };
      },
      fetch: async (url) => {
        const isPage = url.endsWith("/imprint");
        const answer = isPage ? page : health[Math.min(asked.push(url), health.length) - 1];
        if (!(answer instanceof Response)) throw new TypeError(answer);
        return answer.clone();
      },
      wait: async (milliseconds) => {
        waited += milliseconds;
      },
      print: (line) => lines.push(line),
    },
  );
  return { ok, commands, output: lines.join("\n"), asked, waited };
}

test("a deployment checks, notes the way back, migrates, deploys and checks the live app", async () => {
  const { ok, commands, output, asked } = await run();
  expect(ok).toBe(true);
  expect(commands).toEqual(all);
  expect(asked).toEqual(["https://fivefold.test/health"]);
  expect(output).toBe(
    [
      "configuration: complete",
      "commit: abc1234, nothing beside it",
      "secrets: set",
      "Spotify: off, without SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET",
      "news of mails that come back: off, without RESEND_WEBHOOK_SECRET",
      "queues: there",
      "buckets: there",
      "build: fit to go live",
      "database before: bookmark 00000085-0000024c",
      "migrations to apply: 0003_mails.sql, 0004_accounts.sql",
      "migrations: applied",
      "deploy: done",
      "health: 200 ok 1.2.3 at https://fivefold.test/health",
      "zone: leaves pages as they are",
    ].join("\n"),
  );
});

test("a check changes nothing, and does not request /health", async () => {
  const { ok, commands, asked } = await run({ only: "checks" });
  expect({ ok, commands, asked }).toEqual({ ok: true, commands: checksAlone, asked: [] });
});

test("a deployment with a faulty configuration ends before any command", async () => {
  const vars = { ...config.vars, OPERATOR_NAME: "set me" };
  for (const only of ["checks", undefined] as const) {
    const told = { config: { ...config, vars }, ...(only && { only }) };
    const { ok, commands, output } = await run(told);
    expect({ ok, commands }).toEqual({ ok: false, commands: [] });
    expect(output).toBe("OPERATOR_NAME is still the placeholder.");
  }
});

test.each<[string, Partial<Outcome>, string]>([
  ["git status", { stdout: " M app/root.tsx\n" }, "Commit or put away first:\n M app/root.tsx"],
  ["git status", { code: 128 }, "no git checkout"],
  ["git rev-parse", { code: 128 }, "no git checkout"],
  ["wrangler secret list", { stdout: "[]" }, "SESSION_SECRET is not set"],
  [
    "wrangler secret list",
    { code: 1, stderr: 'Worker "fivefold" (env: production) not found.' },
    "wrangler secret put SESSION_SECRET --env production",
  ],
  ["wrangler secret list", { code: 1, stderr: "not logged in" }, "not logged in"],
  ["wrangler queues info", { code: 1 }, "npx wrangler queues create mails"],
  ["wrangler deploy --dry-run", { code: 1, stderr: "a fault in root.tsx" }, "a fault in root.tsx"],
  ["node test", { code: 1, stderr: "test/x is in the bundle" }, "test/x is in the bundle"],
  ["wrangler d1 time-travel", { code: 1, stderr: "denied" }, "denied"],
  ["wrangler d1 time-travel", { stdout: "{}" }, "no bookmark"],
  ["wrangler d1 migrations list", { code: 1, stderr: "denied" }, "denied"],
  [
    "wrangler d1 migrations apply",
    { code: 1, stdout: "applying", stderr: "▲ a long warning\n✘ no such table" },
    "applying\n✘ no such table",
  ],
  ["wrangler deploy --env", { code: 1, stderr: "too large" }, "too large"],
])("a deployment ends at %s with %o and says: %s", async (command, outcome, says) => {
  const { ok, commands, output, asked } = await run({ otherwise: { [command]: outcome } });
  expect(ok).toBe(false);
  expect(output).toContain(says);
  expect(asked).toEqual([]);
  const last = all.findIndex((text) => text.startsWith(command));
  // The commit is read together with the tree.
  const ended = command === "git status" ? last + 1 : last;
  expect(commands).toEqual(all.slice(0, ended + 1));
});

test.each([
  ["wrangler d1 migrations apply", false],
  ["wrangler deploy --env", true],
])(
  "a failure of %s prints the way back for the database (and the Worker: %j)",
  async (command, rollback) => {
    const { output } = await run({ otherwise: { [command]: { code: 1 } } });
    expect(output.includes("npx wrangler rollback --env production")).toBe(rollback);
    expect(output).toContain(
      "time-travel restore DB --env production --bookmark=00000085-0000024c",
    );
  },
);

test("without pending migrations none is applied", async () => {
  const none = { stdout: "✅ No migrations to apply!" };
  const { ok, commands } = await run({ otherwise: { "wrangler d1 migrations list": none } });
  expect(ok).toBe(true);
  expect(commands).toEqual(all.filter((command) => !command.includes("migrations apply")));
});

test("a Worker that is not healthy immediately gets time", async () => {
  const health = [
    "getaddrinfo ENOTFOUND",
    new Response("<!doctype html>", { status: 404 }),
    Response.json({ ...healthy, version: "1.2.2" }),
    Response.json({ ...healthy, ok: false }, { status: 503 }),
    Response.json(healthy),
  ];
  const { ok, asked, waited } = await run({ health });
  expect({ ok, asked: asked.length, waited }).toEqual({ ok: true, asked: 5, waited: 12_000 });
});

test.each([
  ["the previous version", Response.json({ ok: true, version: "1.2.2" })],
  ["a fault", Response.json({ ...healthy, ok: false }, { status: 503 })],
  ["ok: false with status 200", Response.json({ ...healthy, ok: false })],
  ["ok: true with status 500", Response.json(healthy, { status: 500 })],
  ["nothing", "getaddrinfo ENOTFOUND"],
  ["no JSON", new Response("hello")],
  ["null", new Response("null")],
])(
  "a Worker that keeps returning %s fails the deployment after a minute, which prints the way back",
  async (_what, health) => {
    const { ok, output, waited } = await run({ health: [health] });
    expect(ok).toBe(false);
    expect(waited).toBe(57_000);
    expect(output).toContain("https://fivefold.test/health answers");
    expect(output).toContain("npx wrangler rollback --env production");
  },
);

const obfuscated =
  '<a href="/cdn-cgi/l/email-protection" class="__cf_email__">[email&#160;protected]</a>';
const loaded =
  '<script src="/cdn-cgi/scripts/7d0fa10a/cloudflare-static/rocket-loader.min.js"></script>';

test.each([
  ["hides addresses", new Response(obfuscated), "/cdn-cgi/l/email-protection"],
  ["loads scripts itself", new Response(loaded), "rocket-loader.min.js"],
  ["turns programs away", new Response("", { status: 403 }), "answers 403"],
])("a zone that %s fails the deployment, which is live", async (_what, page, says) => {
  const { ok, output } = await run({ page });
  expect(ok).toBe(false);
  expect(output).toContain("health: 200 ok");
  expect(output).toContain(says);
  expect(output).not.toContain("rollback");
});

test("a challenge in the place of /health is named", async () => {
  const challenge = new Response("Just a moment", {
    status: 403,
    headers: { "cf-mitigated": "challenge" },
  });
  expect((await run({ health: [challenge] })).output).toContain("Bot Fight Mode");
});
