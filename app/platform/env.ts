import * as z from "zod";
import type { Analytics } from "./analytics";
import { fromBase64 } from "./base64.ts";

export interface SpotifyClientKeys {
  id: string;
  secret: string;
}

/** The vendors' own services. Anything else is a stand-in, which only development may use. */
const vendors = {
  SPOTIFY_ACCOUNTS_URL: "https://accounts.spotify.com",
  SPOTIFY_API_URL: "https://api.spotify.com",
  SPOTIFY_SDK_URL: "https://sdk.scdn.co/spotify-player.js",
  SPOTIFY_OPEN_URL: "https://open.spotify.com",
  SPOTIFY_SHARE_URLS: "https://spotify.link https://spotify.app.link",
  SPOTIFY_IMAGE_ORIGINS:
    "https://i.scdn.co https://mosaic.scdn.co https://image-cdn-ak.spotifycdn.com https://image-cdn-fa.spotifycdn.com",
  STRIPE_API_URL: "https://api.stripe.com",
  STRIPE_PAGE_ORIGINS: "https://checkout.stripe.com https://billing.stripe.com",
  RESEND_API_URL: "https://api.resend.com",
} as const;

/** Prefix of the secrets in wrangler.toml. */
const developmentSecret = "development-only";
/** The value in wrangler.toml until the owner sets another. */
const placeholder = "set@me.example";
/** Part of every key for the stand-ins. */
const developmentKey = "development_only";
const loopbackHosts = new Set(["127.0.0.1", "[::1]", "localhost"]);

function webhookKey(secret: string): Uint8Array | null {
  return secret.startsWith("whsec_") ? fromBase64(secret.slice("whsec_".length)) : null;
}

/** An empty value counts as missing. */
const optional = (schema: z.ZodType<string>) =>
  z
    .union([z.literal(""), schema])
    .optional()
    .transform((value) => value || null);

const wholeFrom = (least: number) => z.coerce.number().int().min(least);

const httpsUrl = z.url({ protocol: /^https$/, error: "must be an https URL" });

const schema = z
  .object({
    ENVIRONMENT: z.enum(["development", "production"]),
    // The checks below compute with these two, so an invalid one ends the checks.
    APP_ORIGIN: z.url({ abort: true }),
    SESSION_SECRET: z.string().min(32),
    TOKEN_ENCRYPTION_KEY: z
      .base64({ abort: true })
      .refine((key) => fromBase64(key)?.length === 32, {
        error: "must be 32 bytes in base64",
      }),
    // Without a client, members come in by e-mail alone.
    SPOTIFY_CLIENT_ID: optional(z.string()),
    SPOTIFY_CLIENT_SECRET: optional(z.string()),
    // `npm start` removes the stand-ins' second client by empty values.
    SPOTIFY_CLIENT_ID_2: optional(z.string()),
    SPOTIFY_CLIENT_SECRET_2: optional(z.string()),
    SPOTIFY_ACCOUNTS_URL: z.url().default(vendors.SPOTIFY_ACCOUNTS_URL),
    SPOTIFY_API_URL: z.url().default(vendors.SPOTIFY_API_URL),
    SPOTIFY_SDK_URL: z.url().default(vendors.SPOTIFY_SDK_URL),
    SPOTIFY_OPEN_URL: z.url().default(vendors.SPOTIFY_OPEN_URL),
    SPOTIFY_SHARE_URLS: z.string().default(vendors.SPOTIFY_SHARE_URLS),
    SPOTIFY_IMAGE_ORIGINS: z.string().default(vendors.SPOTIFY_IMAGE_ORIGINS),
    // Without Stripe's keys there is no premium.
    STRIPE_SECRET_KEY: optional(
      z.string().regex(/^[rs]k_(test|live)_/, "must be a secret or restricted key"),
    ),
    STRIPE_WEBHOOK_SECRET: optional(z.string().startsWith("whsec_")),
    /** "on" has Stripe work out the VAT that the price includes. */
    STRIPE_TAX: z.enum(["on", "off"]).default("off"),
    STRIPE_API_URL: z.url().default(vendors.STRIPE_API_URL),
    STRIPE_PAGE_ORIGINS: z.string().default(vendors.STRIPE_PAGE_ORIGINS),
    STRIPE_PRICE_LOOKUP_KEY: z.string().min(1).default("fivefold_premium_monthly"),
    RESEND_API_KEY: z.string().startsWith("re_"),
    RESEND_API_URL: z.url().default(vendors.RESEND_API_URL),
    RESEND_WEBHOOK_SECRET: optional(
      z.string().refine((secret) => (webhookKey(secret)?.length ?? 0) >= 16, {
        error: "must be the signing secret as Resend shows it",
      }),
    ),
    MAIL_FROM: z.email(),
    MAIL_BCC: optional(z.email()),
    RATING_MAIL_WAIT_SECONDS: wholeFrom(0).max(3600).default(300),
    /** Without members; they add to it. Fits a mail plan of a hundred a day. */
    LOGIN_CODES_PER_DAY: wholeFrom(10).max(1_000_000).default(60),
    /** Rule 45, places. Where all sit in one network, more. */
    RATINGS_FROM_ONE_PLACE: wholeFrom(1).default(2),
    ACCOUNTS_FROM_ONE_PLACE: wholeFrom(1).default(3),
    /** Rule 46, small circles. 0 seals nothing. */
    SEALED_BELOW: wholeFrom(0).default(12),
    OPERATOR_NAME: z.string().min(1),
    CONTACT_EMAIL: z.email(),
    /** From when the terms hold, and what a member must know who knew the ones before. */
    TERMS_FROM: z.iso.date().default("2026-11-01"),
    TERMS_CHANGES: optional(z.string()),
    OPERATORS: z.string().default(""),
    /** "off" takes no more own recordings, and leaves what is there. */
    UPLOADS: z.enum(["on", "off"]).default("on"),
    /** Rule 48, made: whether songs are taken that a machine has generated. */
    GENERATED: z.enum(["refused", "labelled"]).default("refused"),
    // Without the script's address there is no analytics. The origin is for reports, if it is not the
    // script's.
    ANALYTICS_SCRIPT: optional(httpsUrl),
    ANALYTICS_ATTRIBUTE: optional(z.string().regex(/^data-[a-z-]+=./, "must be data-name=value")),
    ANALYTICS_ORIGIN: optional(httpsUrl),
  })
  .superRefine((vars, context) => {
    function refuse(path: string, message: string) {
      context.addIssue({ code: "custom", path: [path], message });
    }
    if (!vars.SPOTIFY_CLIENT_ID !== !vars.SPOTIFY_CLIENT_SECRET) {
      const missing = vars.SPOTIFY_CLIENT_ID ? "SPOTIFY_CLIENT_SECRET" : "SPOTIFY_CLIENT_ID";
      refuse(missing, "a client needs both its id and its secret");
    }
    if (vars.SPOTIFY_CLIENT_ID_2 && !vars.SPOTIFY_CLIENT_ID) {
      refuse("SPOTIFY_CLIENT_ID_2", "is a second client without a first");
    }
    if (!vars.SPOTIFY_CLIENT_ID_2 !== !vars.SPOTIFY_CLIENT_SECRET_2) {
      refuse("SPOTIFY_CLIENT_SECRET_2", "a second client needs both its id and its secret");
    }
    if (!vars.STRIPE_SECRET_KEY !== !vars.STRIPE_WEBHOOK_SECRET) {
      const missing = vars.STRIPE_SECRET_KEY ? "STRIPE_WEBHOOK_SECRET" : "STRIPE_SECRET_KEY";
      refuse(missing, "Stripe needs both its keys, or none for no premium");
    }
    const origin = new URL(vars.APP_ORIGIN);
    if (vars.ENVIRONMENT === "development") {
      if (!loopbackHosts.has(origin.hostname)) refuse("APP_ORIGIN", "development is for loopback");
      if (/^[rs]k_live_/.test(vars.STRIPE_SECRET_KEY ?? "")) {
        refuse("STRIPE_SECRET_KEY", "is a live key, and development takes no real money");
      }
      return;
    }
    if (origin.protocol !== "https:") refuse("APP_ORIGIN", "must be https");
    // As in app/db/settled.ts, which this room may not import.
    if (vars.RATING_MAIL_WAIT_SECONDS < 180) {
      refuse(
        "RATING_MAIL_WAIT_SECONDS",
        "is less than the time in which a rating may still change",
      );
    }
    for (const name of ["MAIL_FROM", "CONTACT_EMAIL"] as const) {
      if (vars[name] === placeholder) refuse(name, "is still the placeholder");
    }
    if (vars.SESSION_SECRET.startsWith(developmentSecret)) {
      refuse("SESSION_SECRET", "is the development default");
    }
    if (atob(vars.TOKEN_ENCRYPTION_KEY).startsWith(developmentSecret)) {
      refuse("TOKEN_ENCRYPTION_KEY", "is the development default");
    }
    const mailKey = webhookKey(vars.RESEND_WEBHOOK_SECRET ?? "");
    if (mailKey && new TextDecoder().decode(mailKey).startsWith(developmentSecret)) {
      refuse("RESEND_WEBHOOK_SECRET", "is the development default");
    }
    if (/^[rs]k_test_/.test(vars.STRIPE_SECRET_KEY ?? "")) {
      refuse("STRIPE_SECRET_KEY", "is a test key, and production takes real money");
    }
    for (const name of ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "RESEND_API_KEY"] as const) {
      if (vars[name]?.includes(developmentKey)) refuse(name, "is the development default");
    }
    for (const name of Object.keys(vendors) as (keyof typeof vendors)[]) {
      if (vars[name] !== vendors[name]) {
        refuse(name, "must be the vendor's own outside development");
      }
    }
  })
  .transform((vars) => {
    const spotifyClients: SpotifyClientKeys[] = [
      { id: vars.SPOTIFY_CLIENT_ID, secret: vars.SPOTIFY_CLIENT_SECRET },
      { id: vars.SPOTIFY_CLIENT_ID_2, secret: vars.SPOTIFY_CLIENT_SECRET_2 },
    ].flatMap(({ id, secret }) => (id && secret ? { id, secret } : []));
    const scriptUrl = vars.ANALYTICS_SCRIPT;
    const analytics: Analytics | null = scriptUrl
      ? {
          scriptUrl,
          attributes: readAttribute(vars.ANALYTICS_ATTRIBUTE ?? ""),
          reportOrigin: new URL(vars.ANALYTICS_ORIGIN ?? scriptUrl).origin,
        }
      : null;
    const spotify = spotifyClients.length > 0;
    const taxed = vars.STRIPE_TAX === "on";
    const premium: PremiumSale = vars.STRIPE_SECRET_KEY ? (taxed ? "with VAT" : "sold") : "none";
    return {
      /** What there is beside the way in by e-mail. */
      offers: {
        spotify,
        premium,
        uploads: vars.UPLOADS === "on",
        generated: vars.GENERATED === "labelled",
      },
      development: vars.ENVIRONMENT === "development",
      appOrigin: new URL(vars.APP_ORIGIN).origin,
      sessionSecret: vars.SESSION_SECRET,
      tokenKey: fromBase64(vars.TOKEN_ENCRYPTION_KEY) ?? new Uint8Array(),
      spotifyClients,
      spotifyAccountsUrl: vars.SPOTIFY_ACCOUNTS_URL,
      spotifyApiUrl: vars.SPOTIFY_API_URL,
      spotifySdkUrl: vars.SPOTIFY_SDK_URL,
      spotifyOpenUrl: vars.SPOTIFY_OPEN_URL,
      spotifyShareUrls: vars.SPOTIFY_SHARE_URLS.split(" "),
      imageOrigins: spotify ? vars.SPOTIFY_IMAGE_ORIGINS : "",
      stripe: {
        // Without keys Stripe refuses, so that nothing goes on without it where somebody has a subscription.
        secretKey: vars.STRIPE_SECRET_KEY ?? "none",
        webhookSecret: vars.STRIPE_WEBHOOK_SECRET ?? "none",
        taxed,
        apiUrl: vars.STRIPE_API_URL,
        priceLookupKey: vars.STRIPE_PRICE_LOOKUP_KEY,
      },
      stripePageOrigins: vars.STRIPE_PAGE_ORIGINS,
      mailSender: { name: "Fivefold", address: vars.MAIL_FROM, replyTo: vars.CONTACT_EMAIL },
      resend: {
        apiUrl: vars.RESEND_API_URL,
        apiKey: vars.RESEND_API_KEY,
        webhookSecret: vars.RESEND_WEBHOOK_SECRET,
      },
      mailBcc: vars.MAIL_BCC,
      ratingMailWaitMs: vars.RATING_MAIL_WAIT_SECONDS * 1000,
      loginCodesPerDay: vars.LOGIN_CODES_PER_DAY,
      ratingsFromOnePlace: vars.RATINGS_FROM_ONE_PLACE,
      accountsFromOnePlace: vars.ACCOUNTS_FROM_ONE_PLACE,
      sealedBelow: vars.SEALED_BELOW,
      operator: vars.OPERATOR_NAME,
      contactEmail: vars.CONTACT_EMAIL,
      terms: { from: Date.parse(vars.TERMS_FROM), changes: vars.TERMS_CHANGES },
      operators: vars.OPERATORS.split(/[\s,]+/).filter(Boolean),
      analytics,
    };
  });

export type PremiumSale = "none" | "sold" | "with VAT";

/** The checked configuration. URLs and origins have no trailing slash. */
export type Config = z.infer<typeof schema>;
export type Offers = Config["offers"];
export type StripeConfig = Config["stripe"];
export type ResendConfig = Config["resend"];
export type MailSender = Config["mailSender"];

export interface RateLimiters {
  /** Logins, which have no session yet and share an address. */
  LIMIT_LOGIN?: RateLimit;
  /** Actions that send mail, cost money, or read a lot. */
  LIMIT_STRICT?: RateLimit;
  /** Actions that a person does by hand. */
  LIMIT_NORMAL?: RateLimit;
  /** Actions of other programs, which send those of many people from one address. */
  LIMIT_WIDE?: RateLimit;
}

export interface Bindings extends RateLimiters {
  ASSETS: Fetcher;
  DB: D1Database;
  RECORDINGS: R2Bucket;
  OUTBOX_QUEUE: Queue<{ outboxId: string }>;
  CODE_QUEUE: Queue<{ outboxId: string }>;
  SPOT_CHECK_QUEUE: Queue;
  VERSION?: { timestamp?: string };
  METRICS?: AnalyticsEngineDataset;
}

/** The environment is one object for as long as its isolate lives. */
const checkedConfigs = new WeakMap<object, Config>();

/** Throws an error that names every invalid variable, but never its value. */
export function readConfig(env: object): Config {
  const checked = checkedConfigs.get(env);
  if (checked) return checked;
  const config = checkConfig(env);
  checkedConfigs.set(env, config);
  return config;
}

function checkConfig(env: object): Config {
  const parsed = schema.safeParse(env);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The environment is not valid. ${faults.join("; ")}`);
  }
  return parsed.data;
}

function readAttribute(text: string): Analytics["attributes"] {
  const [, name, value = ""] = /^data-([^=]+)=(.*)$/s.exec(text) ?? [];
  return name ? { [`data-${name}`]: value } : {};
}

export function isLoopback(url: URL): boolean {
  return loopbackHosts.has(url.hostname);
}
