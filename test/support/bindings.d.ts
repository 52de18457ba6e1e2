/// <reference types="@cloudflare/vitest-plugin/types" />

/** The `env` of tests in workerd: the Worker's bindings and those that the test config adds. */
declare namespace Cloudflare {
  interface Env {
    ASSETS: Fetcher;
    DB: D1Database;
    RECORDINGS: R2Bucket;
    REPLICA: D1Database;
    OUTBOX_QUEUE: Queue<{ outboxId: string }>;
    CODE_QUEUE: Queue<{ outboxId: string }>;
    SPOT_CHECK_QUEUE: Queue;
    DELIVERING_QUEUE: Queue<{ outboxId: string }>;
    APP_ORIGIN: string;
    SANDBOX_ORIGIN: string;
    STRIPE_SECRET_KEY: string;
    STRIPE_PAGE_ORIGINS: string;
    MIGRATIONS: import("@cloudflare/vitest-plugin").D1Migration[];
  }
  interface GlobalProps {
    mainModule: { default: ExportedHandler<Env> };
  }
}
