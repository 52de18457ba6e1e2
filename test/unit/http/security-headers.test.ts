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
  member: {
    imageOrigins: "https://i.scdn.co https://mosaic.scdn.co",
    paymentOrigins: "https://checkout.stripe.com https://billing.stripe.com",
  },
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

test("a visitor's page without scripts runs none, asks nobody else and shows no picture of others", () => {
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

test("a page without scripts that is counted runs the one that counts, and no other", () => {
  const analytics = {
    scriptUrl: "https://static.count.example/beacon.js",
    reportOrigin: "https://report.count.example",
  };
  const policy = directives(contentSecurityPolicy({ ...plain, analytics }));
  expect(policy["script-src"]).toEqual(["'nonce-n0nce'", "https://static.count.example"]);
  expect(policy["connect-src"]).toEqual(["'self'", "https://report.count.example"]);
});

test("sound is for the page that plays, for itself and the player's frame", () => {
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

test("a page that plays nothing lets nothing in but its own and the covers", () => {
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

test("the page that plays lets in the player's script, frame and API besides, by origin", () => {
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

test("stand-ins are let in by their origin, whatever their path", () => {
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

test("a page that is counted lets in the script and the reports, each by its origin", () => {
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

describe("every answer", () => {
  test("gets the headers of safety, and none of them twice", () => {
    const headers = addSecurityHeaders(new Response("text"), local).headers;
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("X-Frame-Options")).toBe("DENY");
    expect(headers.get("Referrer-Policy")).toBe("same-origin");
    expect(headers.get("Cache-Control")).toBe("private, no-store");
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(headers.get("Permissions-Policy")).toBe(permissionsPolicy());
    expect(headers.get("X-Request-Id")).toBe("r1");
  });

  test("keeps a policy and a caching rule of its own", () => {
    const own = { "Content-Security-Policy": "default-src 'self'", "Cache-Control": "public" };
    const headers = addSecurityHeaders(new Response("text", { headers: own }), local).headers;
    expect(headers.get("Content-Security-Policy")).toBe("default-src 'self'");
    expect(headers.get("Cache-Control")).toBe("public");
  });

  test("demands https for later visits over https alone", () => {
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
