import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
// @ts-expect-error: the bundle, which may not have been built yet, has no types.
import bundle from "../../../build/index.js";
import { makeUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";

const worker: {
  fetch(request: Request, bindings: object, execution: ExecutionContext): Promise<Response>;
} = bundle;
const configured = {
  ANALYTICS_SCRIPT: "https://static.count.example/beacon.js",
  ANALYTICS_ATTRIBUTE: 'data-beacon={"token":"a=1"}',
  ANALYTICS_ORIGIN: "https://report.count.example",
};

/** A page of the built Worker as it is with the given variables. */
async function pageOf(
  path: string,
  vars: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const asked = new Request(new URL(path, env.APP_ORIGIN), { headers });
  const response = await worker.fetch(asked, { ...env, ...vars }, createExecutionContext());
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
const publicPaths = ["/", "/faq", "/imprint", "/ratings-of-my-songs", "/no-such-page"];

describe("where nothing is configured", () => {
  test.each(publicPaths)("%s counts nobody", async (path) => {
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

describe("where a script is configured", () => {
  test.each(publicPaths)("%s has its tag, and lets in just that", async (path) => {
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

  test("a page with scripts of its own has the tag after them, where it disturbs no hydration", async () => {
    const { cookie } = await makeSession(await makeUser(), { musician: "haru-tsukishiro" });
    const { page, tag } = await pageOf("/account", configured, { Cookie: cookie });
    const scripts = page.match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(1);
    expect(page.slice(page.indexOf(tag ?? "no tag"))).toContain("</script></body>");
  });

  test.each([{ header: "DNT" }, { header: "Sec-GPC" }])(
    "nobody is counted who sends $header",
    async ({ header }) => {
      for (const path of publicPaths) {
        const { page, policy, vary } = await pageOf(path, configured, { [header]: "1" });
        expect(page).not.toContain("static.count.example");
        expect(policy).not.toContain("count.example");
        expect(vary).toContain("DNT, Sec-GPC");
      }
    },
  );

  test("who sends DNT: 0 has not objected", async () => {
    expect((await pageOf("/", configured, { DNT: "0" })).tag).toBeDefined();
  });

  test("the privacy policy says who counts, and how to keep out of it", async () => {
    const { page } = await pageOf("/imprint", configured);
    expect(page).toContain("report.count.example");
    expect(page).toContain("Global Privacy Control");
    expect(page).not.toContain("no tracking");
  });
});
