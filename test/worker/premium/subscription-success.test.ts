import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { skipWaits } from "../../support/clock";
import { contents, whileWritesFail } from "../../support/database/contents";
import { makeUser, type TestUser } from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import {
  freeEmail,
  makeBuyer,
  press,
  recordOf,
  stripeApi,
  stripeState,
  subscribeByHand,
  toldByStripe,
} from "../../support/stripe/stripe";
import { tierIn } from "../../support/tier-badge";

beforeEach(skipWaits);

const contact = "support@fivefold.example";

function pathOf(sessionId: string): string {
  return `/subscription-success?session_id=${encodeURIComponent(sessionId)}`;
}

/** The page, without React's comments and escapes. */
async function pageAt(path: string, cookie?: string) {
  const response = await request(path, cookie ? { cookie } : {});
  const page = (await response.text()).replaceAll("<!-- -->", "").replaceAll("&#x27;", "'");
  return { status: response.status, page };
}

/** Makes the user's calls to a route of Stripe's fail. */
function failing(user: TestUser, route: string, fault: Record<string, unknown>) {
  return control("fail", { musician: user.id, route, ...fault });
}

describe("a paid checkout", () => {
  test("shows a thank-you page that already has the Premium badge", async () => {
    const email = freeEmail();
    const { user, cookie, customer, checkoutId } = await makeBuyer(await makeUser({ email }));
    expect(await recordOf(user)).toMatchObject({ status: "none" });
    const { status, page } = await pageAt(pathOf(checkoutId), cookie);
    expect(status).toBe(200);
    expect(page).toContain("<h1>Thank you for subscribing!</h1>");
    expect(page).toContain(`<bdi>${email}</bdi>`);
    expect(page).toContain("Fivefold Premium belongs to the account with which you started");
    expect(tierIn(page)).toBe("Premium");
    expect(page).not.toMatch(/<form[^>]+action="\/login"/);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test("shows a page without scripts that does not refresh itself", async () => {
    const { cookie, checkoutId } = await makeBuyer(await makeUser());
    const { page } = await pageAt(pathOf(checkoutId), cookie);
    expect(page).not.toMatch(/<script|modulepreload|http-equiv/i);
  });

  test("gives premium to the user who began it, even if they come back logged out", async () => {
    const email = freeEmail();
    const { user, checkoutId, customer } = await makeBuyer(await makeUser({ email }));
    const { status, page } = await pageAt(pathOf(checkoutId));
    expect([status, page.includes("Thank you for subscribing!")]).toEqual([200, true]);
    expect(page).not.toContain(email);
    expect(page).toMatch(/<form[^>]+action="\/login"/);
    expect(page).not.toContain('class="badge');
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test("gives premium to the user who began it, whatever address it was paid with", async () => {
    const user = await makeUser({ email: null });
    const email = freeEmail();
    const owner = await makeUser({ email });
    const { cookie, checkoutId, customer } = await makeBuyer(user, { email });
    const { page } = await pageAt(pathOf(checkoutId), cookie);
    expect([page.includes(email), tierIn(page) === "Premium"]).toEqual([true, true]);
    expect([await recordOf(user), await recordOf(owner)]).toEqual([
      await toldByStripe(customer),
      null,
    ]);
  });

  test("gives nothing to somebody else who opens the page, and does not show them the address", async () => {
    const email = freeEmail();
    const { checkoutId } = await makeBuyer(await makeUser({ email }));
    const other = await makeUser();
    const { cookie } = await makeSession(other);
    const { page } = await pageAt(pathOf(checkoutId), cookie);
    expect(page).toContain("Thank you for subscribing!");
    expect([tierIn(page) === "Premium", page.includes(email)]).toEqual([false, false]);
    expect(await recordOf(other)).toBeNull();
  });

  test("can be opened again, and in many tabs at once", async () => {
    const { user, cookie, customer, checkoutId } = await makeBuyer(await makeUser());
    const tabs = Array.from({ length: 5 }, () => pageAt(pathOf(checkoutId), cookie));
    for (const { page } of await Promise.all(tabs)) expect(page).toContain("Thank you");
    expect(tierIn((await pageAt(pathOf(checkoutId), cookie)).page)).toBe("Premium");
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test("gives no premium if the subscription has ended since", async () => {
    const { user, cookie, customer, checkoutId } = await makeBuyer(await makeUser());
    await control("stripeCancel", { customer, at: "now" });
    const { page } = await pageAt(pathOf(checkoutId), cookie);
    expect([page.includes("Thank you"), tierIn(page) === "Premium"]).toEqual([true, false]);
    expect(page).toContain("This subscription does not give you Fivefold Premium at the moment.");
    expect(await recordOf(user)).toMatchObject({ status: "canceled" });
  });
});

describe("a checkout begun without the app", () => {
  test("is matched by e-mail address, and the page says that the addresses must match", async () => {
    const email = freeEmail();
    const { user, cookie } = await makeMember({ ownEmail: email });
    const { customer } = await subscribeByHand(email, { clientReference: true });
    const [session] = (await stripeState({ customer })).sessions;
    const { page } = await pageAt(pathOf(session?.id ?? ""), cookie);
    expect(page).toContain(
      "The e-mail address of your Spotify Premium account must match the subscription e-mail.",
    );
    expect(page).toContain(`<a href="mailto:${contact}">${contact}</a>`);
    expect(tierIn(page)).toBe("Premium");
    expect(page).toContain(`<bdi>${email}</bdi>`);
    expect((await pageAt(pathOf(session?.id ?? ""))).page).not.toContain(email);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test("shows the thank-you page even if no user has its address", async () => {
    const email = freeEmail();
    const { customer } = await subscribeByHand(email, { clientReference: true });
    const before = await contents();
    const [session] = (await stripeState({ customer })).sessions;
    const { status, page } = await pageAt(pathOf(session?.id ?? ""));
    expect([status, page.includes("Thank you for subscribing!")]).toEqual([200, true]);
    expect(page).toContain("must match the subscription e-mail");
    expect(page).not.toContain(email);
    expect(await contents()).toEqual(before);
  });
});

test("an unpaid checkout is shown as being processed, with a link to check again", async () => {
  const { cookie } = await makeMember();
  const id = await press(cookie);
  const before = await contents();
  const { status, page } = await pageAt(pathOf(id), cookie);
  expect([status, page.includes("Processing your subscription...")]).toEqual([200, true]);
  expect(page).toContain(`href="${pathOf(id)}">Check again</a>`);
  expect(tierIn(page)).toBe("Free");
  expect(page).not.toMatch(/<script|http-equiv/i);
  expect(await contents()).toEqual(before);
});

describe("the page says what is wrong and links home", () => {
  function expectError({ page }: { page: string }, text: string) {
    expect(page).toContain(`role="alert">${text}</p>`);
    expect(page).toMatch(/<a class="button" href="\/">Go to Homepage<\/a>/);
    expect(page).not.toMatch(/<script|http-equiv/i);
  }

  test.each(["/subscription-success", "/subscription-success?session_id="])(
    "at %s",
    async (path) => {
      const answer = await pageAt(path);
      expect(answer.status).toBe(400);
      expectError(answer, `No session ID found. Please contact support at ${contact}`);
    },
  );

  test.each([
    "cs_test_unknown",
    "../customers/cus_1",
    "cs_1?expand[]=customer",
    "%2e%2e",
    "cs 1",
    "'\"<b>",
    "\u0000",
    "x".repeat(3000),
  ])("if there is no such checkout: %j", async (id) => {
    const answer = await pageAt(pathOf(id));
    expect(answer.status).toBe(404);
    expectError(answer, "Failed to fetch session details: There is no such checkout.");
  });

  test.each([
    { fault: { status: 500, times: 3 }, status: 503, text: "Stripe cannot be reached right now." },
    { fault: { status: 429 }, status: 503, text: "Stripe cannot be reached right now." },
    { fault: { status: 403 }, status: 502, text: "Stripe refused to answer." },
  ])("if Stripe fails to return the checkout ($fault)", async ({ fault, status, text }) => {
    const { user, cookie, checkoutId } = await makeBuyer(await makeUser());
    const before = await contents();
    await failing(user, "GET /v1/checkout/sessions/:id", fault);
    const answer = await pageAt(pathOf(checkoutId), cookie);
    expect(answer.status).toBe(status);
    expectError(answer, `Failed to fetch session details: ${text}`);
    expect(await contents()).toEqual(before);
    expect((await pageAt(pathOf(checkoutId), cookie)).page).toContain("Thank you");
  });

  const fallback = `Failed to process subscription. Please contact ${contact}`;

  test.each([{ status: 500, times: 3 }, { status: 400 }])(
    "if Stripe fails to return the subscription (%o)",
    async (fault) => {
      const { user, cookie, checkoutId, customer } = await makeBuyer(await makeUser());
      const before = await contents();
      await failing(user, "GET /v1/subscriptions", fault);
      const answer = await pageAt(pathOf(checkoutId), cookie);
      expect(answer.status).toBe(502);
      expectError(answer, fallback);
      expect(await contents()).toEqual(before);
      // After a reload it works.
      expect(tierIn((await pageAt(pathOf(checkoutId), cookie)).page)).toBe("Premium");
      expect(await recordOf(user)).toEqual(await toldByStripe(customer));
    },
  );

  test("if the subscription cannot be recorded", async () => {
    const { cookie, checkoutId } = await makeBuyer(await makeUser());
    await whileWritesFail("UPDATE", "subscriptions", async () => {
      const answer = await pageAt(pathOf(checkoutId), cookie);
      expect(answer.status).toBe(502);
      expectError(answer, fallback);
    });
    expect(tierIn((await pageAt(pathOf(checkoutId), cookie)).page)).toBe("Premium");
  });

  test("if the checkout has expired without an address", async () => {
    const { cookie } = await makeMember({ email: null });
    const id = await press(cookie);
    await stripeApi("POST", `/checkout/sessions/${id}/expire`, {});
    const answer = await pageAt(pathOf(id), cookie);
    expect(answer.status).toBe(404);
    const text = "No email found in session. Please contact support with your session ID:";
    expectError(answer, `${text} ${id}`);
  });

  test("if the checkout has expired with an address", async () => {
    const { id } = await stripeApi<{ id: string }>("POST", "/checkout/sessions", {
      mode: "subscription",
      customer_email: freeEmail(),
      "line_items[0][price]": "price_FivefoldPremiumMonthly",
      "line_items[0][quantity]": "1",
      success_url: env.APP_ORIGIN,
    });
    await stripeApi("POST", `/checkout/sessions/${id}/expire`, {});
    const answer = await pageAt(pathOf(id));
    expect(answer.status).toBe(502);
    expectError(answer, fallback);
  });
});
