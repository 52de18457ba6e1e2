import { expect, test } from "vitest";
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

const analytics = {
  scriptUrl: "https://static.count.example/beacon.js",
  reportOrigin: "https://report.count.example",
};

/** A page's policy: its sources by directive. */
function policyOf(page: Parameters<typeof contentSecurityPolicy>[0]): Record<string, string[]> {
  return Object.fromEntries(
    contentSecurityPolicy(page)
      .split("; ")
      .map((directive) => {
        const [name = "", ...sources] = directive.split(" ");
        return [name, sources];
      }),
  );
}

const self = "'self'";
const none = ["'none'"];
const base = {
  ...{ "default-src": none, "style-src": [self], "font-src": [self], "manifest-src": [self] },
  ...{ "connect-src": [self], "frame-src": none, "base-uri": none, "object-src": none },
  "frame-ancestors": none,
};

test("a visitor's page without scripts allows no scripts, and no requests or images from other sites", () => {
  expect(policyOf(plain)).toEqual({
    ...base,
    "script-src": none,
    "img-src": [self, "data:"],
    "form-action": [self, "https://accounts.spotify.com"],
  });
});

test("without Spotify forms lead to this site alone", () => {
  const { accountsUrl: _, ...own } = plain;
  expect(policyOf(own)["form-action"]).toEqual([self]);
});

test("a page without scripts but with analytics allows only the analytics script", () => {
  expect(policyOf({ ...plain, analytics })).toMatchObject({
    "script-src": ["'nonce-n0nce'", "https://static.count.example"],
    "connect-src": [self, "https://report.count.example"],
  });
});

test("the page with the player allows sound for itself and the player's frame; others allow none", () => {
  const features = permissionsPolicy(playing.player).split(", ");
  expect(features).toContain('autoplay=(self "https://sdk.scdn.co")');
  expect(features).toContain('encrypted-media=(self "https://sdk.scdn.co")');
  expect(features).toContain("camera=()");
  const others = permissionsPolicy().split(", ");
  expect(others).toContain("autoplay=()");
  expect(others.filter((one) => !one.endsWith("=()"))).toEqual([]);
});

test("a page without the player allows only its own origin and the covers", () => {
  expect(policyOf(still)).toEqual({
    ...base,
    "script-src": [self, "'nonce-n0nce'"],
    "img-src": [self, "data:", "https://i.scdn.co", "https://mosaic.scdn.co"],
    "form-action": [
      ...[self, "https://accounts.spotify.com", "https://checkout.stripe.com"],
      "https://billing.stripe.com",
    ],
  });
});

test("the page with the player also allows the origins of its script, frame and API", () => {
  expect(policyOf(playing)).toEqual({
    ...policyOf(still),
    "script-src": [self, "'nonce-n0nce'", "https://sdk.scdn.co"],
    "frame-src": ["https://sdk.scdn.co"],
    "connect-src": [self, "https://api.spotify.com"],
  });
});

test("stand-ins are allowed by origin, whatever their paths", () => {
  const sandbox = "http://127.0.0.1:8788";
  const policy = policyOf({
    ...still,
    accountsUrl: `${sandbox}/spotify/accounts`,
    player: {
      sdkUrl: `${sandbox}/spotify/sdk/spotify-player.js`,
      apiUrl: `${sandbox}/spotify/api`,
    },
  });
  expect(policy).toMatchObject({ "frame-src": [sandbox], "connect-src": [self, sandbox] });
  expect(policy["form-action"]).toContain(sandbox);
});

test("a page with analytics allows the origins of the script and of the reports", () => {
  const policy = policyOf(playing);
  expect(policyOf({ ...playing, analytics })).toEqual({
    ...policy,
    "script-src": [...(policy["script-src"] ?? []), "https://static.count.example"],
    "connect-src": [...(policy["connect-src"] ?? []), "https://report.count.example"],
  });
});

const local = { requestId: "r1", https: false };

const secured = (response: Response, request = local) =>
  Object.fromEntries(addSecurityHeaders(response, request).headers);

test("every response gets the security headers, each of them once", () => {
  expect(secured(new Response("text"))).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cache-control": "private, no-store",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
    "permissions-policy": permissionsPolicy(),
    "x-request-id": "r1",
  });
});

test("every response keeps its own policy and caching rule", () => {
  const headers = { "content-security-policy": "default-src 'self'", "cache-control": "public" };
  expect(secured(new Response("text", { headers }))).toMatchObject(headers);
});

test("every response has Strict-Transport-Security only over https", () => {
  const name = "strict-transport-security";
  const safe = secured(new Response(null), { ...local, https: true });
  expect(safe[name]).toMatch(/max-age=\d{8}/);
  expect(secured(new Response(null))).not.toHaveProperty(name);
});

test("every response keeps its status, its body and all its cookies", async () => {
  const headers = new Headers({ Location: "/" });
  headers.append("Set-Cookie", "a=1");
  headers.append("Set-Cookie", "b=2");
  const kept = addSecurityHeaders(new Response("text", { status: 404, headers }), local);
  expect(kept.status).toBe(404);
  expect(await kept.text()).toBe("text");
  expect(kept.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(kept.headers.get("Location")).toBe("/");
});
