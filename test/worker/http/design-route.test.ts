import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createContext } from "~/http/context.server";
import { createRouteTable } from "~/http/route-table";
import { loader } from "~/routes/design/route";
import { request } from "../../support/request";

test("in development the design page exists, and needs no script", async () => {
  const response = await request("/design");
  const page = await response.text();
  expect([response.status, /<title>(.*?)<\/title>/.exec(page)?.[1]]).toEqual([
    200,
    "Design - Fivefold",
  ]);
  expect(page).not.toMatch(/<script/i);
  expect(page).not.toMatch(/<[a-z][^>]*\sstyle=/i);
});

test("in production there is no design page", async () => {
  const asked = new Request(new URL("/design", env.APP_ORIGIN));
  const created = await createContext(asked, {
    env,
    execution: createExecutionContext(),
    routes: createRouteTable([]),
    handle: {},
  });
  const context = { ...created, config: { ...created.config, development: false } };
  const answer = async () => loader({ request: asked, context, params: {} });
  await expect(answer()).rejects.toMatchObject({ status: 404 });
});
