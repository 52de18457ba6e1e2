/** Where the checkout and the portal lead back to. */
import { beforeEach, expect, test } from "vitest";
import { skipWaits } from "../../support/clock";
import { shows, stored } from "../../support/expectations";
import { makeMember } from "../../support/login";
import { subscriber } from "../../support/people/subscriber";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { pay, recordOf } from "../../support/stripe/stripe";

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

/** Somebody who has pressed Subscribe on these pages, one after the other. */
async function pressed(...pages: string[]) {
  const member = await makeMember();
  const ids: string[] = [];
  for (const next of pages) ids.push(await pressFrom(member.cookie, next));
  expect(new Set(ids).size).toBe(1);
  const [id = ""] = ids;
  return { ...member, id, back: () => comeBack(id, member.cookie) };
}

test("a paid checkout leads back to the panel from which it began, which is open by then", async () => {
  const { user, id, back } = await pressed(panel);
  await pay(id);
  expect(await back()).toMatchObject({ status: 303, location: panel });
  expect(await recordOf(user)).toMatchObject({ status: "active", tier: "premium" });
  // A reload leads there as well.
  expect(await back()).toMatchObject({ status: 303, location: panel });
});

test("a paid checkout that was begun elsewhere and continued from a panel leads back to the panel", async () => {
  const { id, back } = await pressed("/account", panel);
  await pay(id);
  expect(await back()).toMatchObject({ location: panel });
});

test.each([
  { pages: [panel, "/"], button: '<a class="button" href="/">Take me to the Carousel</a>' },
  { pages: ["/account"], button: '<a class="button" href="/account">Take me back</a>' },
])("a paid checkout from $pages says thanks, and its button leads back", async (row) => {
  const { id, back } = await pressed(...row.pages);
  await pay(id);
  const { status, page } = await back();
  expect([status, page.includes("Thank you for subscribing!")]).toEqual([200, true]);
  shows(page, row.button);
});

test("a paid checkout leads nobody but its buyer there", async () => {
  const { id } = await pressed(panel);
  await pay(id);
  for (const visitor of [(await makeMember()).cookie, undefined]) {
    const { status, page } = await comeBack(id, visitor);
    expect([status, page.includes("ratings-of-my-songs?")]).toEqual([200, false]);
  }
});

test("a checkout that is not paid, or whose subscription has ended, unlocks nothing", async () => {
  const { user, id, back } = await pressed(panel);
  shows((await back()).page, "Processing your subscription...");
  const { session } = await pay(id);
  await control("stripeCancel", { customer: session.customer, at: "now" });
  const { status, page } = await back();
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
])("a paid checkout leads to no other page or site: %s", async (next) => {
  const { id, back } = await pressed(next);
  await stored("subscriptions", { returnTo: null });
  await pay(id);
  expect(await back()).toMatchObject({ status: 200, location: null });
});

test("a checkout that was given up leads back to where it began, where nothing is unlocked", async () => {
  const { cookie } = await pressed(panel);
  expect(await giveUp(cookie)).toBe("/ratings-of-my-songs?song=s1&uncharged=#song-s1");
  await pressFrom(cookie, "/account");
  expect(await giveUp(cookie)).toBe("/account?uncharged=");
  const page = await (await request("/account?uncharged=", { cookie })).text();
  shows(page, "You left the checkout. Nothing was charged.");
});

test("a checkout that was given up leads to the front page where nothing is known", async () => {
  expect(await giveUp()).toBe("/");
  expect(await giveUp((await makeMember()).cookie)).toBe("/");
});

test("the page of the offer passes on where it was opened from", async () => {
  const { cookie } = await makeMember();
  const page = await request(`/subscribe?next=${encodeURIComponent(panel)}`, { cookie });
  const value = panel.replace("&", "&amp;");
  shows(await page.text(), `<input type="hidden" name="next" value="${value}"/>`);
});

/** Comes back from the portal. */
async function fromPortal(path: string, cookie?: string) {
  const { status, headers } = await request(path, cookie ? { cookie } : {});
  return [status, headers.get("Location")];
}

test("coming back from the portal shows what was changed there, on the page from which it was opened", async () => {
  const { cookie, record, cancels } = await subscriber();
  const opened = await request("/portal-session", { cookie, form: { next: "/account" } });
  const portal = await (await fetch(opened.headers.get("Location") ?? "")).text();
  const [, back = ""] = /href="http:\/\/[^/]+(\/portal-session[^"]*)"/.exec(portal) ?? [];
  await cancels("period_end");
  expect(await record()).toMatchObject({ cancel_at: null });
  expect(await fromPortal(back, cookie)).toEqual([302, "/account"]);
  expect(await record()).toMatchObject({ cancel_at: expect.any(Number) });
});

test("coming back from the portal leads back although Stripe does not answer", async () => {
  const { user, cookie } = await subscriber();
  const route = "GET /v1/subscriptions";
  await control("fail", { musician: user.id, route, status: 500, times: 3 });
  expect(await fromPortal("/portal-session?next=/account", cookie)).toEqual([302, "/account"]);
});

test("coming back from the portal asks Stripe nothing for somebody who has never paid, or is not logged in", async () => {
  for (const cookie of [(await makeMember()).cookie, undefined]) {
    const path = "/portal-session?next=//elsewhere.example";
    expect(await fromPortal(path, cookie)).toEqual([302, "/"]);
  }
});
