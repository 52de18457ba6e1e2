/** The Stripe stand-in carries out repeated calls with the same key once. */
import Stripe from "stripe";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type StripeRig, startStripeRig } from "./rig.ts";

let rig: StripeRig;
let stripe: Stripe;
beforeAll(async () => {
  rig = await startStripeRig();
  stripe = rig.stripe;
});
afterAll(() => rig.close());

/** How many customers have an e-mail address. */
async function customersOf(email: string): Promise<number> {
  return (await stripe.customers.list({ email })).data.length;
}

it("gives a repeated call the same response and creates nothing", async () => {
  const email = "replay@musicians.example";
  const first = await stripe.customers.create({ email }, { idempotencyKey: "replay" });
  const again = await stripe.customers.create({ email }, { idempotencyKey: "replay" });
  expect(again).toEqual(first);
  expect(again.lastResponse.headers).toMatchObject({
    "idempotent-replayed": "true",
    "original-request": first.lastResponse.requestId,
    "idempotency-key": "replay",
  });
  expect(await customersOf(email)).toBe(1);
  await stripe.customers.create({ email }, { idempotencyKey: "another" });
  expect(await customersOf(email)).toBe(2);
});

it("refuses a key that was used with other parameters or at another path", async () => {
  const email = "key@musicians.example";
  const { id } = await stripe.customers.create({ email }, { idempotencyKey: "once" });
  const others = [
    stripe.customers.create({ email, name: "Other" }, { idempotencyKey: "once" }),
    stripe.customers.update(id, { name: "Other" }, { idempotencyKey: "once" }),
  ];
  for (const other of others) {
    await expect(other).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    await expect(other).rejects.toMatchObject({ statusCode: 400, rawType: "idempotency_error" });
  }
  await expect(others[0]).rejects.toThrow("with the same parameters they were first used with");
  await expect(others[1]).rejects.toThrow("'/v1/customers'");
  expect((await stripe.customers.list({ email })).data).toMatchObject([{ name: null }]);
});

it("carries out a call that was turned away before", async () => {
  const email = "limited@musicians.example";
  await rig.control("fail", { route: "POST /v1/customers", status: 429 });
  const create = () => stripe.customers.create({ email }, { idempotencyKey: "limited" });
  await expect(create()).rejects.toMatchObject({ statusCode: 429 });
  expect(await customersOf(email)).toBe(0);
  await create();
  expect(await customersOf(email)).toBe(1);
});

it("gives a fault of its own again for a day, and carries out a call with another key", async () => {
  const email = "outage@musicians.example";
  await rig.control("fail", { route: "POST /v1/customers", status: 500 });
  const create = (idempotencyKey: string) => stripe.customers.create({ email }, { idempotencyKey });
  for (const _ of [1, 2]) {
    await expect(create("outage")).rejects.toMatchObject({
      statusCode: 500,
      rawType: "api_error",
    });
  }
  expect(await customersOf(email)).toBe(0);
  await create("another after the outage");
  expect(await customersOf(email)).toBe(1);
});

it("creates one customer even if the first call's response is lost", async () => {
  const email = "lost@musicians.example";
  await rig.control("stripeLoseAnswer", { route: "POST /v1/customers" });
  // The SDK retries by itself when the connection is cut, with a key of its own.
  const customer = await stripe.customers.create({ email });
  expect(customer.lastResponse.headers["idempotent-replayed"]).toBe("true");
  expect(await customersOf(email)).toBe(1);
});
