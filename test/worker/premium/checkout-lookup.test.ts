import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import * as lookup from "~/routes/checkout-session_.lookup";
import { makeUser } from "../../support/database/factories";
import { untouched } from "../../support/database/rows";
import { makeMember } from "../../support/login";
import { measure } from "../../support/measure";
import { buyer } from "../../support/people/subscriber";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { billed, paidCheckout, stubBilling } from "../../support/stripe/billing-stub";
import { freeEmail, press } from "../../support/stripe/stripe";

async function lookUp(json: Record<string, unknown>, cookie?: string): Promise<[number, unknown]> {
  const options = cookie ? { json, cookie } : { json };
  const response = await request("/checkout-session/lookup", options);
  return [response.status, await response.json()];
}

/** Looks up a checkout with another Stripe behind it. */
async function lookUpAt(answers: Parameters<typeof stubBilling>[0]): Promise<[number, unknown]> {
  const billing = stubBilling(answers);
  const path = "/checkout-session/lookup";
  const { answer } = await measure(lookup.action, { path, form: { sessionId: "cs_1" }, billing });
  const response = answer as Response;
  return [response.status, await response.json()];
}

test("looking up a checkout writes the record, and tells the buyer so with the address", async () => {
  const email = freeEmail();
  const { belongsTo, user, cookie, checkoutId } = await buyer(await makeUser({ email }));
  const answer = { customer_email: email, written: true };
  expect(await lookUp({ sessionId: checkoutId }, cookie)).toEqual([200, answer]);
  await belongsTo(user);
});

test("looking up a checkout writes the record for anybody, but tells the address only to the logged-in buyer", async () => {
  const { belongsTo, user, checkoutId: sessionId } = await buyer();
  const { cookie: other } = await makeMember();
  const written = [200, { customer_email: null, written: true }];
  for (const cookie of [undefined, "__Host-session=forged.abc", other]) {
    expect(await lookUp({ sessionId }, cookie)).toEqual(written);
  }
  await belongsTo(user);
  await env.DB.prepare("DELETE FROM sessions").run();
  expect(await lookUp({ sessionId }, other)).toEqual(written);
});

const unwritten = [200, { customer_email: null, written: false }];

test("looking up a checkout writes nothing and says so while it is not paid", async () => {
  const sessionId = await press((await makeMember()).cookie);
  await untouched(async () => expect(await lookUp({ sessionId })).toEqual(unwritten));
});

test("looking up a checkout writes nothing and says so if it belongs to no user", async () => {
  const nobodys = lookUpAt({
    checkout: async () => paidCheckout(),
    subscriptions: async () => [billed()],
    customer: async (id) => ({ id, userId: null, email: null }),
  });
  expect(await nobodys).toEqual(unwritten);
});

test("looking up a checkout is an error with the id if it has no address", async () => {
  const error = "No email found in session. Please contact support with your session ID: cs_1";
  const checkout = async () => paidCheckout({ email: null });
  expect(await lookUpAt({ checkout })).toEqual([404, { error }]);
});

const missing = "No session ID found. Please contact support at support@fivefold.example";
const unknown = "Failed to fetch session details: There is no such checkout.";
test.each([
  [{}, 400, missing],
  [{ sessionId: "" }, 400, missing],
  [{ sessionId: null }, 400, missing],
  [{ sessionId: { id: "cs_1" } }, 400, missing],
  [{ sessionId: "cs_test_unknown" }, 404, unknown],
])("looking up %j is an error", async (json, status, error) => {
  expect(await lookUp(json)).toEqual([status, { error }]);
});

test.each([
  { route: "GET /v1/checkout/sessions/:id", status: 403, answered: 502, says: "session details" },
  { route: "GET /v1/checkout/sessions/:id", status: 429, answered: 503, says: "session details" },
  { route: "GET /v1/subscriptions", status: 429, answered: 502, says: "process subscription" },
])("looking up a checkout is answered $answered if $route fails with $status", async (row) => {
  const { user, checkoutId: sessionId } = await buyer();
  const { route, status, answered, says } = row;
  await control("fail", { musician: user.id, route, status });
  const error = expect.stringContaining(says);
  expect(await lookUp({ sessionId })).toEqual([answered, { error }]);
  expect((await lookUp({ sessionId }))[0]).toBe(200);
});

test("looking up a checkout by a plain form leads to the success page", async () => {
  const response = await request("/checkout-session/lookup", { form: { sessionId: "cs_1&a=b" } });
  expect([response.status, response.headers.get("Location")]).toEqual([
    ...[303, "/subscription-success?session_id=cs_1%26a%3Db"],
  ]);
});
