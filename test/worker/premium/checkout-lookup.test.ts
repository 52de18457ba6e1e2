import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import * as lookup from "~/routes/checkout-session_.lookup";
import { contents } from "../../support/database/contents";
import { makeUser } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { measure } from "../../support/measure";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { billed, paidCheckout, stubBilling } from "../../support/stripe/billing-stub";
import { freeEmail, makeBuyer, press, recordOf, toldByStripe } from "../../support/stripe/stripe";

async function lookUp(json: Record<string, unknown>, cookie?: string): Promise<[number, unknown]> {
  const options = cookie ? { json, cookie } : { json };
  const response = await request("/checkout-session/lookup", options);
  return [response.status, await response.json()];
}

describe("looking up a checkout", () => {
  test("writes the record, and tells the buyer so with the address", async () => {
    const email = freeEmail();
    const { user, cookie, customer, checkoutId } = await makeBuyer(await makeUser({ email }));
    expect(await lookUp({ sessionId: checkoutId }, cookie)).toEqual([
      200,
      { customer_email: email, written: true },
    ]);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test("writes the record for anybody, but tells the address only to the logged-in buyer", async () => {
    const email = freeEmail();
    const { user, customer, checkoutId } = await makeBuyer(await makeUser({ email }));
    const { cookie: other } = await makeMember();
    for (const cookie of [undefined, "__Host-session=forged.abc", other]) {
      expect(await lookUp({ sessionId: checkoutId }, cookie)).toEqual([
        200,
        { customer_email: null, written: true },
      ]);
    }
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
    await env.DB.prepare("DELETE FROM sessions").run();
    expect(await lookUp({ sessionId: checkoutId }, other)).toEqual([
      200,
      { customer_email: null, written: true },
    ]);
  });

  test("writes nothing and says so while it is not paid", async () => {
    const { cookie } = await makeMember();
    const sessionId = await press(cookie);
    const before = await contents();
    expect(await lookUp({ sessionId })).toEqual([200, { customer_email: null, written: false }]);
    expect(await contents()).toEqual(before);
  });

  test("writes nothing and says so if it belongs to no user", async () => {
    const billing = stubBilling({
      checkout: async () => paidCheckout(),
      subscriptions: async () => [billed()],
      customer: async (id) => ({ id, userId: null, email: null }),
    });
    const path = "/checkout-session/lookup";
    const { answer } = await measure(lookup.action, { path, form: { sessionId: "cs_1" }, billing });
    expect(await (answer as Response).json()).toEqual({
      customer_email: null,
      written: false,
    });
  });

  test("is an error with the id if the checkout has no address", async () => {
    const billing = stubBilling({ checkout: async () => paidCheckout({ email: null }) });
    const path = "/checkout-session/lookup";
    const { answer } = await measure(lookup.action, { path, form: { sessionId: "cs_1" }, billing });
    const response = answer as Response;
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: "No email found in session. Please contact support with your session ID: cs_1" },
    ]);
  });

  test.each([{}, { sessionId: "" }, { sessionId: null }, { sessionId: { id: "cs_1" } }])(
    "is an error without an id (%j)",
    async (json) => {
      expect(await lookUp(json)).toEqual([
        400,
        { error: "No session ID found. Please contact support at support@fivefold.example" },
      ]);
    },
  );

  test("is an error if there is no such checkout", async () => {
    expect(await lookUp({ sessionId: "cs_test_unknown" })).toEqual([
      404,
      { error: "Failed to fetch session details: There is no such checkout." },
    ]);
  });

  test.each([
    { route: "GET /v1/checkout/sessions/:id", status: 403, expected: 502, says: "session details" },
    { route: "GET /v1/checkout/sessions/:id", status: 429, expected: 503, says: "session details" },
    { route: "GET /v1/subscriptions", status: 429, expected: 502, says: "process subscription" },
  ])("responds with $expected if $route fails with $status", async (row) => {
    const { user, checkoutId } = await makeBuyer(await makeUser());
    const { route, status } = row;
    await control("fail", { musician: user.id, route, status });
    const [answered, answer] = await lookUp({ sessionId: checkoutId });
    expect(answered).toBe(row.expected);
    expect(answer).toEqual({ error: expect.stringContaining(row.says) });
    expect((await lookUp({ sessionId: checkoutId }))[0]).toBe(200);
  });

  test("by a plain form redirects to the success page", async () => {
    const response = await request("/checkout-session/lookup", { form: { sessionId: "cs_1&a=b" } });
    expect([response.status, response.headers.get("Location")]).toEqual([
      303,
      "/subscription-success?session_id=cs_1%26a%3Db",
    ]);
    expect(new URL(response.headers.get("Location") ?? "", env.APP_ORIGIN).origin).toBe(
      env.APP_ORIGIN,
    );
  });
});
