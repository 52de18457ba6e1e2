import { describe, expect, test } from "vitest";
import {
  addSecurityHeaders,
  contentSecurityPolicy,
  permissionsPolicy,
} from "~/http/security-headers";

const plain = {
  nonce: "n0nce",
  scripts: false,
  accountsUrl: "https://accounts.spotify.com",
};
const still = {
  ...plain,
  scripts: true,
  imageOrigins: "https://i.scdn.co https://mosaic.scdn.co",
  paymentOrigins: "https://checkout.stripe.com https://billing.stripe.com",
};
const playing = {
  ...still,
  player: {
    sdkUrl: "https://sdk.scdn.co/spotify-player.js",
    apiUrl: "https://api.spotify.com",
  },
};

/** A policy's sources by directive. */
function directives(policy: string): Record<string, string[]> {
  return Object.fromEntries(
    policy.split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );
}

test("a visitor's page without scripts allows no scripts, and no requests or images from other sites", () => {
  expect(directives(contentSecurityPolicy(plain))).toEqual({
    "default-src": ["'none'"],
    "script-src": ["'none'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "manifest-src": ["'self'"],
    "connect-src": ["'self'"],
    "frame-src": ["'none'"],
    "form-action": ["'self'", "https://accounts.spotify.com"],
    "base-uri": ["'none'"],
    "object-src": ["'none'"],
    "frame-ancestors": ["'none'"],
  });
});

test("without Spotify forms lead to this site alone", () => {
  const { accountsUrl: _, ...own } = plain;
  expect(directives(contentSecurityPolicy(own))["form-action"]).toEqual(["'self'"]);
});

test("a page without scripts but with analytics allows only the analytics script", () => {
  const analytics = {
    scriptUrl: "https://static.count.example/beacon.js",
    reportOrigin: "https://report.count.example",
  };
  const policy = directives(contentSecurityPolicy({ ...plain, analytics }));
  expect(policy["script-src"]).toEqual(["'nonce-n0nce'", "https://static.count.example"]);
  expect(policy["connect-src"]).toEqual(["'self'", "https://report.count.example"]);
});

test("the page with the player allows sound for itself and the player's frame; others allow none", () => {
  const features = permissionsPolicy(playing.player).split(", ");
  expect(features).toContain('autoplay=(self "https://sdk.scdn.co")');
  expect(features).toContain('encrypted-media=(self "https://sdk.scdn.co")');
  expect(features).toContain("camera=()");
  expect(permissionsPolicy().split(", ")).toContain("autoplay=()");
  expect(
    permissionsPolicy()
      .split(", ")
      .filter((one) => !one.endsWith("=()")),
  ).toEqual([]);
});

test("a page without the player allows only its own origin and the covers", () => {
  expect(directives(contentSecurityPolicy(still))).toEqual({
    "default-src": ["'none'"],
    "script-src": ["'self'", "'nonce-n0nce'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:", "https://i.scdn.co", "https://mosaic.scdn.co"],
    "font-src": ["'self'"],
    "manifest-src": ["'self'"],
    "connect-src": ["'self'"],
    "frame-src": ["'none'"],
    "form-action": [
      "'self'",
      "https://accounts.spotify.com",
      "https://checkout.stripe.com",
      "https://billing.stripe.com",
    ],
    "base-uri": ["'none'"],
    "object-src": ["'none'"],
    "frame-ancestors": ["'none'"],
  });
});

test("the page with the player also allows the origins of its script, frame and API", () => {
  const policy = directives(contentSecurityPolicy(playing));
  expect(policy["script-src"]).toEqual(["'self'", "'nonce-n0nce'", "https://sdk.scdn.co"]);
  expect(policy["frame-src"]).toEqual(["https://sdk.scdn.co"]);
  expect(policy["connect-src"]).toEqual(["'self'", "https://api.spotify.com"]);
  const rest = ["script-src", "frame-src", "connect-src"];
  const others = Object.entries(directives(contentSecurityPolicy(still)));
  for (const [name, sources] of others.filter(([directive]) => !rest.includes(directive))) {
    expect(policy[name]).toEqual(sources);
  }
});

test("stand-ins are allowed by origin, whatever their paths", () => {
  const policy = directives(
    contentSecurityPolicy({
      ...still,
      accountsUrl: "http://127.0.0.1:8788/spotify/accounts",
      player: {
        sdkUrl: "http://127.0.0.1:8788/spotify/sdk/spotify-player.js",
        apiUrl: "http://127.0.0.1:8788/spotify/api",
      },
    }),
  );
  expect(policy["form-action"]).toContain("http://127.0.0.1:8788");
  expect(policy["frame-src"]).toEqual(["http://127.0.0.1:8788"]);
  expect(policy["connect-src"]).toContain("http://127.0.0.1:8788");
});

test("a page with analytics allows the origins of the script and of the reports", () => {
  const analytics = {
    scriptUrl: "https://static.count.example/beacon.js",
    reportOrigin: "https://report.count.example",
  };
  const policy = directives(contentSecurityPolicy({ ...playing, analytics }));
  expect(policy).toEqual({
    ...directives(contentSecurityPolicy(playing)),
    "script-src": [
      "'self'",
      "'nonce-n0nce'",
      "https://sdk.scdn.co",
      "https://static.count.example",
    ],
    "connect-src": ["'self'", "https://api.spotify.com", "https://report.count.example"],
  });
});

const local = { requestId: "r1", https: false };

describe("every response", () => {
  test("gets the security headers, each of them once", () => {
    const headers = addSecurityHeaders(new Response("text"), local).headers;
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("X-Frame-Options")).toBe("DENY");
    expect(headers.get("Referrer-Policy")).toBe("same-origin");
    expect(headers.get("Cache-Control")).toBe("private, no-store");
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(headers.get("Permissions-Policy")).toBe(permissionsPolicy());
    expect(headers.get("X-Request-Id")).toBe("r1");
  });

  test("keeps its own policy and caching rule", () => {
    const own = { "Content-Security-Policy": "default-src 'self'", "Cache-Control": "public" };
    const headers = addSecurityHeaders(new Response("text", { headers: own }), local).headers;
    expect(headers.get("Content-Security-Policy")).toBe("default-src 'self'");
    expect(headers.get("Cache-Control")).toBe("public");
  });

  test("has Strict-Transport-Security only over https", () => {
    const name = "Strict-Transport-Security";
    expect(
      addSecurityHeaders(new Response(null), { ...local, https: true }).headers.get(name),
    ).toMatch(/max-age=\d{8}/);
    expect(addSecurityHeaders(new Response(null), local).headers.has(name)).toBe(false);
  });

  test("keeps its status, its body and all its cookies", async () => {
    const headers = new Headers({ Location: "/" });
    headers.append("Set-Cookie", "a=1");
    headers.append("Set-Cookie", "b=2");
    const secured = addSecurityHeaders(new Response("text", { status: 404, headers }), local);
    expect(secured.status).toBe(404);
    expect(await secured.text()).toBe("text");
    expect(secured.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(secured.headers.get("Location")).toBe("/");
  });
});
