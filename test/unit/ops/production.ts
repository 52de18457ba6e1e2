import type { ProductionConfig } from "../../../.ops/configuration";

/** The secrets that wrangler.toml requires. */
export const required = ["SESSION_SECRET", "TOKEN_ENCRYPTION_KEY", "RESEND_API_KEY"];

/** A complete configuration. */
export const complete: ProductionConfig = {
  vars: {
    ENVIRONMENT: "production",
    APP_ORIGIN: "https://fivefold.test",
    MAIL_FROM: "ratings@fivefold.test",
    CONTACT_EMAIL: "support@fivefold.test",
    OPERATOR_NAME: "The operator",
  },
  routes: [{ pattern: "fivefold.test" }],
  d1_databases: [{ binding: "DB", database_id: "0c1f6c5e-6c1f-4a55-9d8f-3f2f5e0d1a2b" }],
  queues: {
    producers: [{ queue: "mails" }, { queue: "checks" }],
    consumers: [{ queue: "mails", dead_letter_queue: "dead" }, { queue: "checks" }],
  },
  secrets: { required },
};
