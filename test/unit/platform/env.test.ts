import { expect, test } from "vitest";
import { isLoopback, readConfig } from "~/platform/env";
import { production } from "../../support/production-environment.ts";

const development = {
  ENVIRONMENT: "development",
  APP_ORIGIN: "http://127.0.0.1:8787",
  SESSION_SECRET: "development-only-session-secret-of-some-length",
  TOKEN_ENCRYPTION_KEY: btoa("development-only-key-not-online!"),
  SPOTIFY_CLIENT_ID: "sandbox-client-a",
  SPOTIFY_CLIENT_SECRET: "sandbox-secret-a",
  SPOTIFY_ACCOUNTS_URL: "http://127.0.0.1:8788/spotify/accounts",
  SPOTIFY_API_URL: "http://127.0.0.1:8788/spotify/api",
  SPOTIFY_SDK_URL: "http://127.0.0.1:8788/spotify/sdk/spotify-player.js",
  SPOTIFY_OPEN_URL: "http://127.0.0.1:8788/spotify/open",
  SPOTIFY_SHARE_URLS: "http://127.0.0.1:8788/spotify/link",
  SPOTIFY_IMAGE_ORIGINS: "http://127.0.0.1:8788",
  STRIPE_SECRET_KEY: "sk_test_sandbox_development_only",
  STRIPE_WEBHOOK_SECRET: "whsec_sandbox_development_only",
  STRIPE_API_URL: "http://127.0.0.1:8789",
  STRIPE_PAGE_ORIGINS: "http://127.0.0.1:8790",
  RESEND_API_KEY: "re_sandbox_development_only",
  RESEND_WEBHOOK_SECRET: `whsec_${btoa("development-only-webhook-secret")}`,
  RESEND_API_URL: "http://127.0.0.1:8788/resend",
  MAIL_FROM: "ratings@fivefold.example",
  OPERATOR_NAME: "The operator",
  CONTACT_EMAIL: "support@fivefold.example",
};

const second = { SPOTIFY_CLIENT_ID_2: "second-id", SPOTIFY_CLIENT_SECRET_2: "second-secret" };

const configWith = (changes: object) => readConfig({ ...production, ...changes });
const refusalWith = (changes: object) => refusalOf({ ...production, ...changes });

/** The message with which an environment is refused; fails if it is accepted. */
function refusalOf(env: object): string {
  try {
    readConfig(env);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("the environment was accepted");
}

test("development uses the stand-ins", () => {
  expect(readConfig(development)).toMatchObject({
    development: true,
    appOrigin: "http://127.0.0.1:8787",
    spotifyAccountsUrl: "http://127.0.0.1:8788/spotify/accounts",
    spotifyApiUrl: "http://127.0.0.1:8788/spotify/api",
    stripe: {
      secretKey: "sk_test_sandbox_development_only",
      webhookSecret: "whsec_sandbox_development_only",
      apiUrl: "http://127.0.0.1:8789",
      priceLookupKey: "fivefold_premium_monthly",
    },
    stripePageOrigins: "http://127.0.0.1:8790",
    resend: {
      apiUrl: "http://127.0.0.1:8788/resend",
      apiKey: "re_sandbox_development_only",
      webhookSecret: development.RESEND_WEBHOOK_SECRET,
    },
  });
});

test("production uses the vendors' own services by default", () => {
  const config = readConfig(production);
  expect(config).toMatchObject({
    development: false,
    appOrigin: "https://fivefold.example",
    spotifyAccountsUrl: "https://accounts.spotify.com",
    spotifyApiUrl: "https://api.spotify.com",
    spotifySdkUrl: "https://sdk.scdn.co/spotify-player.js",
    stripe: {
      secretKey: "sk_live_keyOfTheOperator",
      webhookSecret: "whsec_secretOfTheOperator",
      apiUrl: "https://api.stripe.com",
    },
    stripePageOrigins: "https://checkout.stripe.com https://billing.stripe.com",
    mailSender: {
      name: "Fivefold",
      address: "ratings@fivefold.example",
      replyTo: "support@fivefold.example",
    },
    resend: {
      apiUrl: "https://api.resend.com",
      apiKey: "re_keyOfTheOperator",
      webhookSecret: null,
    },
    mailBcc: null,
    ratingMailWaitMs: 300_000,
  });
  expect(config.tokenKey).toHaveLength(32);
});

test("the secret of Resend's webhook may be missing or empty, and is base64 as Resend shows it", () => {
  const read = (secret: string) =>
    configWith({ RESEND_WEBHOOK_SECRET: secret }).resend.webhookSecret;
  expect(read("")).toBeNull();
  expect(read("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")).toBe(
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  );
});

test("the app's origin has no path and no trailing slash", () => {
  const { appOrigin } = configWith({ APP_ORIGIN: "https://fivefold.example/" });
  expect(appOrigin).toBe("https://fivefold.example");
});

test.each(["https://fivefold.example", "http://192.168.0.7:8787", "http://127.0.0.1.example"])(
  "development refuses an origin that others can reach: %s",
  (origin) => {
    expect(refusalOf({ ...development, APP_ORIGIN: origin })).toContain("APP_ORIGIN");
  },
);

test.each(["sk_live_keyOfTheOperator", "rk_live_keyOfTheOperator"])(
  "development refuses a key for real money: %s",
  (key) => {
    const refusal = refusalOf({ ...development, STRIPE_SECRET_KEY: key });
    expect(refusal).toContain("STRIPE_SECRET_KEY");
    expect(refusal).not.toContain(key);
  },
);

/** What production refuses: what is faulty, what is for development alone, and what leads elsewhere. */
const refused: Record<string, (string | undefined)[]> = {
  ENVIRONMENT: ["staging", undefined],
  APP_ORIGIN: ["http://fivefold.example", development.APP_ORIGIN, "fivefold dot example"],
  SESSION_SECRET: [development.SESSION_SECRET, "a-short-secret", undefined],
  TOKEN_ENCRYPTION_KEY: [
    development.TOKEN_ENCRYPTION_KEY,
    "no base64 at all!",
    btoa("sixteen bytes..."),
  ],
  SPOTIFY_CLIENT_ID: [""],
  SPOTIFY_CLIENT_SECRET: [undefined],
  SPOTIFY_ACCOUNTS_URL: [development.SPOTIFY_ACCOUNTS_URL],
  SPOTIFY_API_URL: [development.SPOTIFY_API_URL, "https://api.spotify.com.evil.example"],
  SPOTIFY_SDK_URL: [development.SPOTIFY_SDK_URL, "somewhere-else"],
  SPOTIFY_OPEN_URL: [development.SPOTIFY_OPEN_URL],
  SPOTIFY_SHARE_URLS: [development.SPOTIFY_SHARE_URLS],
  SPOTIFY_IMAGE_ORIGINS: [development.SPOTIFY_IMAGE_ORIGINS],
  STRIPE_SECRET_KEY: [development.STRIPE_SECRET_KEY, undefined, "pk_live_thePublishableKey"],
  STRIPE_WEBHOOK_SECRET: [
    development.STRIPE_WEBHOOK_SECRET,
    undefined,
    "",
    "sk_live_keyOfTheOperator",
  ],
  STRIPE_API_URL: [
    development.STRIPE_API_URL,
    "https://api.stripe.com.evil.example",
    "somewhere-else",
  ],
  STRIPE_PAGE_ORIGINS: [
    development.STRIPE_PAGE_ORIGINS,
    "https://checkout.stripe.com https://evil.example",
  ],
  STRIPE_PRICE_LOOKUP_KEY: [""],
  RESEND_API_KEY: [development.RESEND_API_KEY, undefined, "", "sk_live_keyOfTheOperator"],
  RESEND_WEBHOOK_SECRET: [
    development.RESEND_WEBHOOK_SECRET,
    "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "whsec_",
    "whsec_no base64!",
    "whsec_c2hvcnQ=",
  ],
  RESEND_API_URL: [
    development.RESEND_API_URL,
    "https://api.resend.com.evil.example",
    "somewhere-else",
  ],
  MAIL_FROM: [undefined, "Fivefold <ratings@fivefold.example>"],
  MAIL_BCC: ["no-address"],
  RATING_MAIL_WAIT_SECONDS: ["-1", "179", "3601", "61.5", "soon"],
  OPERATOR_NAME: [""],
  CONTACT_EMAIL: ["no-address"],
};

const rows = Object.entries(refused).flatMap(([name, values]) =>
  values.map((value) => ({ name, value })),
);
test.each(rows)(
  "an environment is refused for $name = $value, naming the variable but not its value",
  ({ name, value }) => {
    const refusal = refusalWith({ [name]: value });
    expect(refusal).toMatch(new RegExp(`\\b${name}:`));
    if (value) expect(refusal).not.toContain(value);
  },
);

test("an environment is refused for all faults at once, without the value of any variable", () => {
  const env = {
    ...production,
    SESSION_SECRET: "too-short",
    CONTACT_EMAIL: "nobody",
    OPERATOR_NAME: "",
  };
  const refusal = refusalOf(env);
  for (const name of ["SESSION_SECRET", "CONTACT_EMAIL", "OPERATOR_NAME"]) {
    expect(refusal).toContain(name);
  }
  const told = Object.values(env).filter((value) => value !== "" && refusal.includes(value));
  expect(told).toEqual([]);
});

const first = { id: production.SPOTIFY_CLIENT_ID, secret: production.SPOTIFY_CLIENT_SECRET };

test.each([
  ["one if one is set", {}, [first]],
  ["two if two are set", second, [first, { id: "second-id", secret: "second-secret" }]],
  [
    "one if the second is empty, as set by `npm start` for real keys",
    { SPOTIFY_CLIENT_ID_2: "", SPOTIFY_CLIENT_SECRET_2: "" },
    [first],
  ],
])("Spotify's clients are %s", (_name, set, clients) => {
  expect(configWith(set).spotifyClients).toEqual(clients);
});

test.each(["SPOTIFY_CLIENT_ID_2", "SPOTIFY_CLIENT_SECRET_2"] as const)(
  "Spotify's clients are never one and a half: %s alone is refused",
  (name) => {
    const refusal = refusalWith({ [name]: second[name] });
    expect(refusal).toContain("SPOTIFY_CLIENT_SECRET_2");
    expect(refusal).not.toContain(second[name]);
  },
);

test.each(["sk_test_", "sk_live_", "rk_test_", "rk_live_"])(
  "a secret or restricted key (%s…) is accepted in its environment",
  (beginning) => {
    const world = beginning.includes("live") ? production : development;
    const STRIPE_SECRET_KEY = `${beginning}keyOfTheOperator`;
    expect(readConfig({ ...world, STRIPE_SECRET_KEY }).stripe.secretKey).toBe(STRIPE_SECRET_KEY);
  },
);

test.each([
  ["owner@fivefold.example", "owner@fivefold.example"],
  ["", null],
])("mails are copied to MAIL_BCC = %s", (value, bcc) => {
  expect(configWith({ MAIL_BCC: value }).mailBcc).toBe(bcc);
});

test.each([
  ["180", 180_000],
  ["3600", 3_600_000],
])("mails about ratings wait for %s seconds", (value, ms) => {
  const config = configWith({ RATING_MAIL_WAIT_SECONDS: value });
  expect(config.ratingMailWaitMs).toBe(ms);
});

test("the price's lookup key can be set", () => {
  const config = configWith({ STRIPE_PRICE_LOOKUP_KEY: "premium_2027" });
  expect(config.stripe.priceLookupKey).toBe("premium_2027");
});

const script = { ANALYTICS_SCRIPT: "https://static.count.example/beacon.js" };

test.each([{}, { ANALYTICS_SCRIPT: "" }, { ANALYTICS_ATTRIBUTE: "data-domain=fivefold.example" }])(
  "analytics are off with %o",
  (vars) => {
    expect(configWith({ ...vars }).analytics).toBeNull();
  },
);

test("analytics report to the origin of their script by default, without attributes", () => {
  expect(configWith({ ...script }).analytics).toEqual({
    scriptUrl: script.ANALYTICS_SCRIPT,
    attributes: {},
    reportOrigin: "https://static.count.example",
  });
});

test("analytics report to the configured origin, with the configured attribute", () => {
  const set = {
    ANALYTICS_ATTRIBUTE: 'data-beacon={"token":"a=1"}',
    ANALYTICS_ORIGIN: "https://report.count.example/path",
  };
  expect(configWith({ ...script, ...set }).analytics).toMatchObject({
    attributes: { "data-beacon": '{"token":"a=1"}' },
    reportOrigin: "https://report.count.example",
  });
});

test.each([
  ["ANALYTICS_SCRIPT", "http://static.count.example/beacon.js"],
  ["ANALYTICS_SCRIPT", "beacon.js"],
  ["ANALYTICS_ORIGIN", "*"],
  ["ANALYTICS_ATTRIBUTE", "onload=alert(1)"],
  ["ANALYTICS_ATTRIBUTE", "data-token"],
])("analytics are refused with %s = %s", (name, value) => {
  expect(refusalWith({ ...script, [name]: value })).toContain(`${name}: `);
});

test.each([
  ["http://127.0.0.1:8787/", true],
  ["http://localhost:8787/", true],
  ["http://[::1]:8787/", true],
  ["http://192.168.0.7:8787/", false],
  ["https://fivefold.example/", false],
  ["http://127.0.0.1.example/", false],
  ["http://localhost.example/", false],
])("%s is on this machine: %j", (url, loopback) => {
  expect(isLoopback(new URL(url))).toBe(loopback);
});

test("without Spotify's keys the product is open by e-mail alone, and pictures come from nowhere else", () => {
  const none = { SPOTIFY_CLIENT_ID: undefined, SPOTIFY_CLIENT_SECRET: "" };
  const config = configWith({ ...none });
  expect(config).toMatchObject({
    offers: { spotify: false },
    spotifyClients: [],
    imageOrigins: "",
  });
  expect(readConfig(production).offers).toEqual({
    ...{ spotify: true, uploads: true, generated: false },
    premium: "sold",
  });
});

test("without Stripe's keys there is no premium; with one of them alone nothing starts", () => {
  const without = { ...production, STRIPE_SECRET_KEY: "", STRIPE_WEBHOOK_SECRET: "" };
  expect(readConfig(without).offers.premium).toBe("none");
  expect(readConfig({ ...production, STRIPE_TAX: "on" }).offers.premium).toBe("with VAT");
  for (const one of ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"]) {
    expect(() => readConfig({ ...production, [one]: "" })).toThrow(`${one}: Stripe needs both`);
  }
});

test("generated songs are refused, unless they are to be labelled", () => {
  expect(configWith({}).offers.generated).toBe(false);
  expect(configWith({ GENERATED: "labelled" }).offers.generated).toBe(true);
  expect(() => configWith({ GENERATED: "hidden" })).toThrow("GENERATED");
});
