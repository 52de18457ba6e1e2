import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { skipWaits } from "../../support/clock";
import { makeUser } from "../../support/database/factories";
import { untouched } from "../../support/database/rows";
import { hides, shows } from "../../support/expectations";
import { makeMember } from "../../support/login";
import { buyer, byHand } from "../../support/people/subscriber";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { freeEmail, press, recordOf, stripeApi, stripeState } from "../../support/stripe/stripe";
import { tierIn } from "../../support/tier-badge";

beforeEach(skipWaits);

const contact = "support@fivefold.example";
const thanks = "Thank you for subscribing!";
const fallback = `Failed to process subscription. Please contact ${contact}`;

function pathOf(sessionId: string): string {
  return `/subscription-success?session_id=${encodeURIComponent(sessionId)}`;
}

async function readPage(path: string, cookie?: string) {
  const response = await request(path, cookie ? { cookie } : {});
  const page = (await response.text()).replaceAll("<!-- -->", "").replaceAll("&#x27;", "'");
  hides(page, /<script|modulepreload|http-equiv/i);
  return { status: response.status, page };
}

/** The page about a checkout, without React's comments and escapes: it runs no script and does not refresh itself. */
async function pageOf(sessionId: string, cookie?: string): Promise<string> {
  const { status, page } = await readPage(pathOf(sessionId), cookie);
  expect(status).toBe(200);
  return page;
}

/** The page says what is wrong, and links home. */
async function expectError(path: string, status: number, text: string, cookie?: string) {
  const answer = await readPage(path, cookie);
  expect(answer.status).toBe(status);
  shows(answer.page, `role="alert">${text}</p>`, /<a class="button" href="\/">Go to Homepage<\/a>/);
}

test("a paid checkout shows a thank-you page that already has the Premium badge, however often it is opened", async () => {
  const email = freeEmail();
  const { is, belongsTo, user, cookie, checkoutId } = await buyer(await makeUser({ email }));
  await is("none");
  const page = await pageOf(checkoutId, cookie);
  shows(
    page,
    `<h1>${thanks}</h1>`,
    `<bdi>${email}</bdi>`,
    "Fivefold Premium belongs to the account with which you started",
  );
  expect(tierIn(page)).toBe("Premium");
  hides(page, /<form[^>]+action="\/login"/);
  await belongsTo(user);
  expect(tierIn(await pageOf(checkoutId, cookie))).toBe("Premium");
});

test("a paid checkout can be opened in many tabs at once", async () => {
  const { belongsTo, user, cookie, checkoutId } = await buyer();
  const tabs = await Promise.all([1, 2, 3, 4, 5].map(() => pageOf(checkoutId, cookie)));
  for (const page of tabs) shows(page, thanks);
  await belongsTo(user);
});

test("a paid checkout gives premium to the user who began it, even if they come back logged out", async () => {
  const email = freeEmail();
  const { belongsTo, user, checkoutId } = await buyer(await makeUser({ email }));
  const page = await pageOf(checkoutId);
  shows(page, thanks, /<form[^>]+action="\/login"/);
  hides(page, email, 'class="badge');
  await belongsTo(user);
});

test("a paid checkout gives premium to the user who began it, whatever address it was paid with", async () => {
  const email = freeEmail();
  const owner = await makeUser({ email });
  const bought = await buyer(await makeUser({ email: null }), { email });
  const page = await pageOf(bought.checkoutId, bought.cookie);
  expect([page.includes(email), tierIn(page)]).toEqual([true, "Premium"]);
  expect([await bought.record(), await recordOf(owner)]).toEqual([await bought.told(), null]);
});

test("a paid checkout gives nothing to somebody else who opens the page, and does not show them the address", async () => {
  const email = freeEmail();
  const { checkoutId } = await buyer(await makeUser({ email }));
  const { user, cookie } = await makeMember();
  const page = await pageOf(checkoutId, cookie);
  shows(page, thanks);
  expect([tierIn(page), page.includes(email)]).toEqual(["Free", false]);
  expect(await recordOf(user)).toBeNull();
});

test("a paid checkout gives no premium if the subscription has ended since", async () => {
  const { is, cookie, checkoutId, cancels } = await buyer();
  await cancels();
  const page = await pageOf(checkoutId, cookie);
  expect([page.includes(thanks), tierIn(page)]).toEqual([true, "Free"]);
  shows(page, "This subscription does not give you Fivefold Premium at the moment.");
  await is("canceled");
});

/** A checkout begun without the app, and what was paid with it. */
async function begunByHand(email: string) {
  const { customer, belongsTo } = await byHand(email, { clientReference: true });
  const [session] = (await stripeState({ customer })).sessions;
  return { id: session?.id ?? "", belongsTo };
}

test("a checkout begun without the app is matched by e-mail address, and the page says that the addresses must match", async () => {
  const email = freeEmail();
  const { user, cookie } = await makeMember({ ownEmail: email });
  const { belongsTo, id } = await begunByHand(email);
  const page = await pageOf(id, cookie);
  shows(
    page,
    "The e-mail address of your Spotify Premium account must match the subscription e-mail.",
    `<a href="mailto:${contact}">${contact}</a>`,
  );
  expect(tierIn(page)).toBe("Premium");
  shows(page, `<bdi>${email}</bdi>`);
  hides(await pageOf(id), email);
  await belongsTo(user);
});

test("a checkout begun without the app shows the thank-you page even if no user has its address", async () => {
  const email = freeEmail();
  const { id } = await begunByHand(email);
  const page = await untouched(() => pageOf(id));
  shows(page, thanks, "must match the subscription e-mail");
  hides(page, email);
});

test("an unpaid checkout is shown as being processed, with a link to check again", async () => {
  const { cookie } = await makeMember();
  const id = await press(cookie);
  const page = await untouched(() => pageOf(id, cookie));
  shows(page, "Processing your subscription...", `href="${pathOf(id)}">Check again</a>`);
  expect(tierIn(page)).toBe("Free");
});

test.each(["/subscription-success", "/subscription-success?session_id="])(
  "the page says that a checkout is missing at %s",
  (path) => expectError(path, 400, `No session ID found. Please contact support at ${contact}`),
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
])("the page says that there is no such checkout: %j", (id) =>
  expectError(pathOf(id), 404, "Failed to fetch session details: There is no such checkout."),
);

const checkout = "GET /v1/checkout/sessions/:id";
const details = "Failed to fetch session details:";
test.each([
  {
    route: checkout,
    fails: 429,
    status: 503,
    text: `${details} Stripe cannot be reached right now.`,
  },
  { route: checkout, fails: 403, status: 502, text: `${details} Stripe refused to answer.` },
  { route: "GET /v1/subscriptions", fails: 400, status: 502, text: fallback },
])(
  "the page says what Stripe refuses at $route ($fails), and works once it answers",
  async (row) => {
    const { belongsTo, user, cookie, checkoutId } = await buyer();
    await control("fail", { musician: user.id, route: row.route, status: row.fails });
    await untouched(() => expectError(pathOf(checkoutId), row.status, row.text, cookie));
    expect(tierIn(await pageOf(checkoutId, cookie))).toBe("Premium");
    await belongsTo(user);
  },
);

test("the page says that a checkout which has expired has no address", async () => {
  const { cookie } = await makeMember({ email: null });
  const id = await press(cookie);
  await stripeApi("POST", `/checkout/sessions/${id}/expire`, {});
  const text = "No email found in session. Please contact support with your session ID:";
  await expectError(pathOf(id), 404, `${text} ${id}`, cookie);
});

test("the page says whom to ask about a checkout that has expired with an address", async () => {
  const { id } = await stripeApi<{ id: string }>("POST", "/checkout/sessions", {
    mode: "subscription",
    customer_email: freeEmail(),
    "line_items[0][price]": "price_FivefoldPremiumMonthly",
    "line_items[0][quantity]": "1",
    success_url: env.APP_ORIGIN,
  });
  await stripeApi("POST", `/checkout/sessions/${id}/expire`, {});
  await expectError(pathOf(id), 502, fallback);
});
