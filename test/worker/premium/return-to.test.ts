/** Where the checkout and the portal lead back to. */
import { beforeEach, describe, expect, test } from "vitest";
import { skipWaits } from "../../support/clock";
import { rowsOf } from "../../support/database/contents";
import { makeUser } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { deliver, eventOf, makeBuyer, pay, recordOf } from "../../support/stripe/stripe";

beforeEach(skipWaits);

const panel = "/ratings-of-my-songs?song=s1&unlocked#song-s1";

/** Presses Subscribe on a page. @returns the checkout's id. */
async function pressFrom(cookie: string, next: string): Promise<string> {
  const response = await request("/checkout-session", { cookie, form: { next } });
  const id = /\/(cs_\w+)$/.exec(response.headers.get("Location") ?? "")?.[1];
  if (!id) throw new Error(`no checkout: ${response.status}`);
  return id;
}

/** Opens the page after a checkout. */
async function comeBack(checkoutId: string, cookie?: string) {
  const path = `/subscription-success?session_id=${checkoutId}`;
  const response = await request(path, cookie ? { cookie } : {});
  return {
    status: response.status,
    location: response.headers.get("Location"),
    page: await response.text(),
  };
}

async function giveUp(cookie?: string): Promise<string | null> {
  const response = await request("/subscription-cancel", cookie ? { cookie } : {});
  expect(response.headers.get("X-Remix-Replace")).toBe("true");
  return response.headers.get("Location");
}

describe("a paid checkout", () => {
  test("leads back to the panel from which it began, which is open by then", async () => {
    const { user, cookie } = await makeMember();
    const id = await pressFrom(cookie, panel);
    await pay(id);
    expect(await comeBack(id, cookie)).toMatchObject({ status: 303, location: panel });
    expect(await recordOf(user)).toMatchObject({ status: "active", tier: "premium" });
    // A reload leads there as well.
    expect(await comeBack(id, cookie)).toMatchObject({ status: 303, location: panel });
  });

  test("that was begun elsewhere and continued from a panel leads back to the panel", async () => {
    const { cookie } = await makeMember();
    const id = await pressFrom(cookie, "/account");
    expect(await pressFrom(cookie, panel)).toBe(id);
    await pay(id);
    expect(await comeBack(id, cookie)).toMatchObject({ location: panel });
  });

  test("that was begun at a panel and continued from nowhere says thanks", async () => {
    const { cookie } = await makeMember();
    await pressFrom(cookie, panel);
    const id = await pressFrom(cookie, "/");
    await pay(id);
    const { status, page } = await comeBack(id, cookie);
    expect(status).toBe(200);
    expect(page).toContain("Thank you for subscribing!");
    expect(page).toMatch(/<a class="button" href="\/">Take me to the Carousel<\/a>/);
  });

  test("from a page where nothing is locked says thanks, and its button leads back there", async () => {
    const { cookie } = await makeMember();
    const id = await pressFrom(cookie, "/account");
    await pay(id);
    const { status, page } = await comeBack(id, cookie);
    expect([status, page.includes("Thank you for subscribing!")]).toEqual([200, true]);
    expect(page).toMatch(/<a class="button" href="\/account">Take me back<\/a>/);
  });

  test("leads nobody but its buyer there", async () => {
    const { cookie } = await makeMember();
    const id = await pressFrom(cookie, panel);
    await pay(id);
    const other = await makeMember();
    for (const visitor of [other.cookie, undefined]) {
      const { status, page } = await comeBack(id, visitor);
      expect([status, page.includes("ratings-of-my-songs?")]).toEqual([200, false]);
    }
  });

  test("that is not paid, or whose subscription has ended, unlocks nothing", async () => {
    const { user, cookie } = await makeMember();
    const id = await pressFrom(cookie, panel);
    expect((await comeBack(id, cookie)).page).toContain("Processing your subscription...");
    const { session } = await pay(id);
    await control("stripeCancel", { customer: session.customer, at: "now" });
    const { status, page } = await comeBack(id, cookie);
    expect([status, page.includes("does not give you Fivefold Premium")]).toEqual([200, true]);
    expect(await recordOf(user)).toMatchObject({ status: "canceled" });
  });

  test.each([
    "https://elsewhere.example/?unlocked",
    "//elsewhere.example/?unlocked",
    "/\\elsewhere.example/?unlocked",
    "/logout?unlocked",
    "/subscription-success?unlocked",
    "/nowhere?unlocked",
    "javascript:alert(1)//?unlocked",
    `/ratings-of-my-songs?unlocked&x=${"x".repeat(300)}`,
  ])("leads to no other page or site: %s", async (next) => {
    const { user, cookie } = await makeMember();
    const id = await pressFrom(cookie, next);
    const kept = await rowsOf("SELECT return_to FROM subscriptions WHERE user_id = ?", user.id);
    expect(kept).toEqual([{ return_to: null }]);
    await pay(id);
    expect(await comeBack(id, cookie)).toMatchObject({ status: 200, location: null });
  });
});

describe("a checkout that was given up", () => {
  test("leads back to where it began, where nothing is unlocked", async () => {
    const { cookie } = await makeMember();
    await pressFrom(cookie, panel);
    expect(await giveUp(cookie)).toBe("/ratings-of-my-songs?song=s1&uncharged=#song-s1");
    await pressFrom(cookie, "/account");
    expect(await giveUp(cookie)).toBe("/account?uncharged=");
    const page = await (await request("/account?uncharged=", { cookie })).text();
    expect(page).toContain("You left the checkout. Nothing was charged.");
  });

  test("leads to the front page where nothing is known", async () => {
    expect(await giveUp()).toBe("/");
    expect(await giveUp((await makeMember()).cookie)).toBe("/");
  });
});

test("the page of the offer passes on where it was opened from", async () => {
  const { cookie } = await makeMember();
  const page = await request(`/subscribe?next=${encodeURIComponent(panel)}`, { cookie });
  const value = panel.replace("&", "&amp;");
  expect(await page.text()).toContain(`<input type="hidden" name="next" value="${value}"/>`);
});

describe("coming back from the portal", () => {
  async function subscriber() {
    const buyer = await makeBuyer(await makeUser());
    await deliver(await eventOf(buyer.customer, "invoice.paid"));
    return buyer;
  }

  test("shows what was changed there, on the page from which it was opened", async () => {
    const { user, cookie, customer } = await subscriber();
    const opened = await request("/portal-session", { cookie, form: { next: "/account" } });
    const portal = await (await fetch(opened.headers.get("Location") ?? "")).text();
    const [, back = ""] = /href="http:\/\/[^/]+(\/portal-session[^"]*)"/.exec(portal) ?? [];
    await control("stripeCancel", { customer, at: "period_end" });
    expect(await recordOf(user)).toMatchObject({ cancel_at: null });
    const response = await request(back, { cookie });
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/account"]);
    expect(await recordOf(user)).toMatchObject({ cancel_at: expect.any(Number) });
  });

  test("leads back although Stripe does not answer", async () => {
    const { user, cookie } = await subscriber();
    const route = "GET /v1/subscriptions";
    await control("fail", { musician: user.id, route, status: 500, times: 3 });
    const response = await request("/portal-session?next=/account", { cookie });
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/account"]);
  });

  test("asks Stripe nothing for somebody who has never paid, or is not logged in", async () => {
    const { cookie } = await makeMember();
    for (const options of [{ cookie }, {}]) {
      const response = await request("/portal-session?next=//elsewhere.example", options);
      expect([response.status, response.headers.get("Location")]).toEqual([302, "/"]);
    }
  });
});
