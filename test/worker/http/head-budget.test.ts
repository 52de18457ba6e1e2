/** Of what an informational page may weigh, its HTML. test/support/check-bundle.ts checks the styles. */
import { expect, test } from "vitest";
import { budgets } from "../../support/budgets";
import { makeUser } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";
import { makeBuyer } from "../../support/stripe/stripe";

/** The bytes of a page's gzipped HTML. Fails if the page has scripts or inline styles. */
async function weightOf(path: string, cookie?: string): Promise<number> {
  const page = await (await request(path, cookie ? { cookie } : {})).text();
  expect(page).not.toMatch(/<script(?! type="application\/ld\+json")|modulepreload/);
  expect(page).not.toMatch(/<style|rel="stylesheet" href="(?!\/build\/_assets\/)/);
  const zipped = new Blob([page]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(zipped).arrayBuffer()).byteLength;
}

const forVisitors = ["/", "/?ended", "/faq", "/imprint", "/ratings-of-my-songs", "/account"];

test.each([...forVisitors, "/no/such/page", "/unsubscribe?token=x", "/subscription-success"])(
  "%s for a visitor keeps the budget of HTML",
  async (path) => {
    expect(await weightOf(path)).toBeLessThan(budgets.html);
  },
);

test.each(["/faq", "/imprint", "/subscribe", "/?menu=addownsong&q=Haru"])(
  "%s with a login keeps the budget of HTML",
  async (path) => {
    const { cookie } = await makeMember({ musician: "haru-tsukishiro" });
    expect(await weightOf(path, cookie)).toBeLessThan(budgets.html);
  },
);

test("the thanks for a subscription keep the budget of HTML", async () => {
  const { cookie, checkoutId } = await makeBuyer(await makeUser());
  const path = `/subscription-success?session_id=${checkoutId}`;
  expect(await weightOf(path, cookie)).toBeLessThan(budgets.html);
});
