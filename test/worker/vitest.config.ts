import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { unstable_readConfig } from "wrangler";

// Database calls wait for the disk; in memory they do not.
if (existsSync("/dev/shm")) process.env.TMPDIR = "/dev/shm";

const root = fileURLToPath(new URL("../..", import.meta.url));
const configPath = `${root}wrangler.toml`;
/** The committed development values, which take precedence over a developer's .dev.vars. */
const { vars, ratelimits } = unstable_readConfig({ config: configPath }, { hideWarnings: true });

/** Begins with the files that take longest, so that none of them is left over for the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = (file: TestSpecification) =>
      /faults-|bad-input|concurrency|anonymity/.test(file.moduleId);
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}

export default defineConfig({
  root,
  plugins: [
    cloudflareTest(async ({ inject }) => {
      const sandbox = inject("sandboxOrigin");
      return {
        wrangler: { configPath },
        miniflare: {
          // Plays the part of a read replica (test/support/database/replicated-database.ts).
          d1Databases: { REPLICA: "replica" },
          // Nobody reads what the Worker queues, so no mail goes out in the middle of a slow test. What a
          // test puts into DELIVERING_QUEUE goes to the Worker's consumer.
          queueProducers: {
            OUTBOX_QUEUE: "unread",
            CODE_QUEUE: "unread",
            SPOT_CHECK_QUEUE: "unread",
            DELIVERING_QUEUE: "fivefold-outbox",
          },
          queueConsumers: { "fivefold-outbox": { maxBatchTimeout: 0 } },
          // All tests share one address. LIMIT_FEW is for the test of the limits.
          ratelimits: {
            ...Object.fromEntries(
              ratelimits.map(({ name, namespace_id }: { name: string; namespace_id: string }) => [
                name,
                { namespace_id, simple: { limit: 1_000_000, period: 60 as const } },
              ]),
            ),
            LIMIT_FEW: { namespace_id: "1", simple: { limit: 3, period: 60 as const } },
          },
          bindings: {
            ...vars,
            SPOTIFY_ACCOUNTS_URL: `${sandbox}/spotify/accounts`,
            SPOTIFY_API_URL: `${sandbox}/spotify/api`,
            SPOTIFY_SDK_URL: `${sandbox}/spotify/sdk/spotify-player.js`,
            SPOTIFY_OPEN_URL: `${sandbox}/spotify/open`,
            SPOTIFY_SHARE_URLS: `${sandbox}/spotify/link ${sandbox}/spotify/app-link`,
            SPOTIFY_IMAGE_ORIGINS: sandbox,
            STRIPE_API_URL: sandbox,
            RESEND_API_URL: `${sandbox}/resend`,
            // Other than the sandbox's, so that tests can see which pages name them.
            STRIPE_PAGE_ORIGINS: "https://pay.example https://manage.example",
            SANDBOX_ORIGIN: sandbox,
            MIGRATIONS: await readD1Migrations(`${root}migrations`),
          },
        },
      };
    }),
  ],
  resolve: { alias: { "~": `${root}app` } },
  test: {
    include: ["test/worker/**/*.test.ts"],
    globalSetup: ["test/worker/global-setup.ts"],
    setupFiles: ["test/support/properties.ts", "test/worker/setup.ts"],
    // One workerd for many files, which share the modules loaded.
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    restoreMocks: true,
    // For machines that have other work, too: what passes waits for none of it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The Worker logs every request.
    silent: "passed-only",
    deps: {
      optimizer: {
        ssr: {
          enabled: true,
          include: ["@remix-run/cloudflare", "@remix-run/react", "react", "react-dom"],
        },
      },
    },
  },
});
