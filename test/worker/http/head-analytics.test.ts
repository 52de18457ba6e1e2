import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
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

describe("without a configured script", () => {
  test.each(publicPaths)("%s counts no visitors", async (path) => {
    const { page, scripts, connects, vary } = await pageOf(path, {});
    expect(page).not.toMatch(/<script(?! type="application\/ld\+json")/);
    expect(scripts).toEqual(["'none'"]);
    expect(connects).toEqual(["'self'"]);
    expect(vary).toBeNull();
  });

  test("the privacy policy promises that there is no tracking", async () => {
    expect((await pageOf("/imprint", {})).page).toContain("no tracking");
  });
});

describe("with a configured script", () => {
  test.each(countedPaths)("%s has its tag, and its policy allows nothing else", async (path) => {
    const { tag, scripts, connects, vary } = await pageOf(path, configured);
    const [source = ""] = scripts;
    expect(tag).toContain(' src="https://static.count.example/beacon.js"');
    expect(tag).toContain(` nonce="${source.slice("'nonce-".length, -1)}"`);
    expect(tag).toContain(' data-beacon="{&quot;token&quot;:&quot;a=1&quot;}"');
    expect(tag).toMatch(/ async=/);
    expect(scripts).toEqual([expect.stringMatching(nonce), "https://static.count.example"]);
    expect(connects).toEqual(["'self'", "https://report.count.example"]);
    expect(vary).toContain("DNT, Sec-GPC");
  });

  test.each(uncountedPaths)(
    "%s has no tag, and its policy does not allow the script",
    async (path) => {
      const { page, policy, vary } = await pageOf(path, configured);
      expect(page).not.toContain("count.example");
      expect(policy).not.toContain("count.example");
      expect(vary).toBeNull();
    },
  );

  test("no page of a logged-in user has the tag, because the script could act as the user", async () => {
    const { cookie } = await makeMember({ musician: "haru-tsukishiro" });
    for (const path of [...publicPaths, "/subscribe", "/?menu=addownsong"]) {
      const { page, policy } = await pageOf(path, configured, { Cookie: cookie });
      // The imprint names the service, but does not load the script.
      expect([path, page.includes("static.count.example")]).toEqual([path, false]);
      expect([path, policy.includes("count.example")]).toEqual([path, false]);
    }
  });

  test.each([{ header: "DNT" }, { header: "Sec-GPC" }])(
    "visitors whose browsers send $header are not counted",
    async ({ header }) => {
      for (const path of publicPaths) {
        const { page, policy, vary } = await pageOf(path, configured, { [header]: "1" });
        expect(page).not.toContain("static.count.example");
        expect(policy).not.toContain("count.example");
        expect([path, vary]).toEqual([path, countedPaths.includes(path) ? "DNT, Sec-GPC" : null]);
      }
    },
  );

  test("DNT: 0 is no objection", async () => {
    expect((await pageOf("/", configured, { DNT: "0" })).tag).toBeDefined();
  });

  test("the privacy policy says who counts visitors, and how to opt out", async () => {
    const { page } = await pageOf("/imprint", configured);
    expect(page).toContain("report.count.example");
    expect(page).toContain("Global Privacy Control");
    expect(page).not.toContain("no tracking");
  });
});
