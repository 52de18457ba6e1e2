import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";

const configured = {
  ANALYTICS_SCRIPT: "https://static.count.example/beacon.js",
  ANALYTICS_ATTRIBUTE: 'data-beacon={"token":"a=1"}',
  ANALYTICS_ORIGIN: "https://report.count.example",
};

/** A page of the built Worker when configured with these variables. */
async function pageOf(
  path: string,
  vars: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const response = await request(path, { headers, bindings: { ...env, ...vars } });
  const page = await response.text();
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  const sources = (name: string) =>
    policy
      .split("; ")
      .find((directive) => directive.startsWith(`${name} `))
      ?.split(" ") ?? [];
  return {
    page,
    tag: /<script[^>]+count\.example[^>]*>/.exec(page)?.[0],
    policy,
    scripts: sources("script-src").slice(1),
    connects: sources("connect-src").slice(1),
    vary: response.headers.get("Vary"),
  };
}

const nonce = /^'nonce-[0-9a-f]{32}'$/;
/** The pages that are the same for every visitor, and need no input. */
const countedPaths = ["/", "/faq", "/imprint", "/?ended"];
const uncountedPaths = [
  "/ratings-of-my-songs",
  "/account",
  "/no-such-page",
  "/unsubscribe?token=secret",
  "/confirm-email?token=secret",
  "/subscription-success?session_id=cs_test_none",
  "/auth/spotify/callback?code=secret&state=x",
];
const publicPaths = [...countedPaths, ...uncountedPaths];

test.each(publicPaths)("without a configured script %s counts no visitors", async (path) => {
  const { page, ...told } = await pageOf(path, {});
  expect(page).not.toMatch(/<script(?! type="application\/ld\+json")/);
  expect(told).toMatchObject({ scripts: ["'none'"], connects: ["'self'"], vary: null });
});

test.each(countedPaths)(
  "a configured script has its tag on %s, whose policy allows nothing else",
  async (path) => {
    const { tag, scripts, connects, vary } = await pageOf(path, configured);
    const [source = ""] = scripts;
    expect(tag).toContain(' src="https://static.count.example/beacon.js"');
    expect(tag).toContain(` nonce="${source.slice("'nonce-".length, -1)}"`);
    expect(tag).toContain(' data-beacon="{&quot;token&quot;:&quot;a=1&quot;}"');
    expect(tag).toMatch(/ async=/);
    expect(scripts).toEqual([expect.stringMatching(nonce), "https://static.count.example"]);
    expect(connects).toEqual(["'self'", "https://report.count.example"]);
    expect(vary).toContain("DNT, Sec-GPC");
  },
);

test.each(uncountedPaths)(
  "a configured script has no tag on %s, nor is it in its policy",
  async (path) => {
    const { page, policy, vary } = await pageOf(path, configured);
    expect([page.includes("count.example"), policy.includes("count.example"), vary]).toEqual([
      false,
      false,
      null,
    ]);
  },
);

test.each([
  ["a member, as whom the script could act", {}],
  ["who sends DNT", { DNT: "1" }],
  ["who sends Sec-GPC", { "Sec-GPC": "1" }],
])("no page has the script for %s", async (_whom, objection) => {
  const isMember = Object.keys(objection).length === 0;
  const { cookie } = await makeMember({ musician: "haru-tsukishiro" });
  const headers = isMember ? { Cookie: cookie } : objection;
  for (const path of [...publicPaths, ...(isMember ? ["/subscribe", "/?menu=addownsong"] : [])]) {
    const { page, policy, vary } = await pageOf(path, configured, headers);
    // The imprint names the service, but does not load the script.
    expect([path, page.includes("static.count.example")]).toEqual([path, false]);
    expect([path, policy.includes("count.example")]).toEqual([path, false]);
    if (isMember) continue;
    expect([path, vary]).toEqual([path, countedPaths.includes(path) ? "DNT, Sec-GPC" : null]);
  }
});

test("DNT: 0 is no objection", async () => {
  expect((await pageOf("/", configured, { DNT: "0" })).tag).toBeDefined();
});

test("the privacy policy says who counts visitors and how to opt out, or that nobody does", async () => {
  expect((await pageOf("/imprint", {})).page).toContain("no tracking");
  const { page } = await pageOf("/imprint", configured);
  expect(page).toContain("report.count.example");
  expect(page).toContain("Global Privacy Control");
  expect(page).not.toContain("no tracking");
});
