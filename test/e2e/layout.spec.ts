/**
 * Every screen at every width, with content that is awkward: titles of a line and of five, from
 * right to left, emoji, a word that does not break, no cover, fifty songs, long names.
 */
import { readFileSync } from "node:fs";
import { chromium, expect, type Page } from "@playwright/test";
import { unsubscribeToken } from "../../app/mailing/unsubscribe.server.ts";
import { AWKWARD_TITLES } from "../sandbox/catalogue-words.ts";
import { pages } from "../support/pages.ts";
import { expectAccessible } from "./support/accessible.ts";
import { openAccount } from "./support/account.ts";
import { heardTo, play, playerRuns, rate, songAt, submit, unlocked } from "./support/carousel.ts";
import { expectDisplayRules } from "./support/display-rules.ts";
import { test } from "./support/fixtures.ts";
import { expectLaidOut } from "./support/laid-out.ts";
import { mailTo, readMail } from "./support/mailbox.ts";
import {
  type Musician,
  type MusicianOptions,
  makeMusician,
  special,
  unique,
} from "./support/musician.ts";
import {
  expectFocusWalk,
  expectForcedColours,
  expectStill,
  expectStructure,
} from "./support/operable.ts";
import { emptyPool } from "./support/pool.ts";

const arabic = "مريم بنت عبد الرحمن الأندلسية القرطبية وفرقة الحمراء الموسيقية";
const unbroken = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft";
const emoji = "🎻 Chiara Violinista 🎻🎻🎻";

const orchestra =
  "Maximiliane-Konstanze von und zu Hohenschwangau-Wolkenstein-Trostburg and her Orchestra of Retired Lighthouse Keepers";

/** Somebody with a long name and songs of awkward titles. */
function makeOrchestra(): Promise<Musician> {
  const own = AWKWARD_TITLES.map((title) => ({ title }));
  return makeMusician({ name: `${orchestra} ${unique()}`, own });
}

/** All that holds on every screen. */
async function expectSound(page: Page): Promise<void> {
  await expectStructure(page);
  await expectLaidOut(page);
  await expectFocusWalk(page);
  await expectForcedColours(page);
  await expectStill(page);
}

/** What the app signs its links with in development. */
function developmentSecret(): string {
  const file = readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8");
  return /^SESSION_SECRET = "(.+)"/m.exec(file)?.[1] ?? "";
}

async function openAll(page: Page): Promise<void> {
  await page.locator("main details").evaluateAll((all: HTMLDetailsElement[]) => {
    for (const details of all) details.open = true;
  });
}

const publicPages: { address: string; status?: RegExp }[] = [
  { address: "/" },
  { address: "/?ended" },
  { address: "/faq" },
  { address: "/imprint" },
  { address: "/numbers" },
  { address: "/try" },
  { address: "/ratings-of-my-songs" },
  { address: "/rated" },
  { address: "/account" },
  { address: "/subscription-success", status: /status of 400/ },
  { address: "/no/such/page", status: /status of 404/ },
];
for (const { address, status } of publicPages) {
  test(`layout: ${address} for visitors`, async ({ page, complaints }) => {
    if (status) complaints.expect(status);
    await page.goto(address);
    await openAll(page);
    await expectSound(page);
    await expectAccessible(page);
  });
}

test("layout: every page on a small phone whose reader has text at 200 %", async ({
  baseURL,
  complaints,
  contextOptions,
  launchOptions,
  loginAs,
}) => {
  complaints.expect(/status of 40[034]/);
  const args = [...(launchOptions.args ?? []), "--blink-settings=defaultFontSize=32"];
  const browser = await chromium.launch({ ...launchOptions, args });
  try {
    const viewport = { width: 320, height: 700 };
    const origin = baseURL ?? "";
    const context = await browser.newContext({ ...contextOptions, baseURL: origin, viewport });
    complaints.watch(context);
    const page = await context.newPage();
    const expectFit = async (path: string) => {
      await page.goto(path);
      await openAll(page);
      const [wide, rem] = await page.evaluate(() => {
        const root = document.documentElement;
        return [root.scrollWidth, getComputedStyle(root).fontSize];
      });
      expect(rem).toBe("32px");
      expect.soft(wide, path).toBe(320);
    };
    for (const path of pages) await expectFit(path);
    const own = [{ title: unbroken, scores: [1, 2, 3, 3, 4] }];
    await loginAs(await makeMusician({ own, credits: 6 }), page);
    for (const path of [...pages, "/?menu=addownsong"]) await expectFit(path);
  } finally {
    await browser.close();
  }
});

test("layout: the menu, opened on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto("/faq");
  await page.getByRole("button", { name: "Menu" }).press("Enter");
  const menu = page.getByRole("navigation", { name: "Main" });
  await page.keyboard.press("Tab");
  await expect(menu.getByRole("link").first()).toBeFocused();
  for (const link of await menu.getByRole("link").all()) {
    await expect(link).toBeInViewport({ ratio: 1 });
  }
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
});

test("layout: account and add-song, reached from the menu on a phone", async ({
  page,
  musician,
}) => {
  await musician();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/faq");
  for (const [label, heading] of [
    ["Submit a song", "Not yet"],
    ["Your account", "Your account"],
  ] as const) {
    await page.getByRole("button", { name: "Menu" }).click();
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: label, exact: true })
      .click();
    await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.getByRole("link", { name: "Submit a song" })).toBeHidden();
});

/** Somebody with a name from right to left, who is offered such songs, and one without a cover. */
async function awkwardListener(): Promise<MusicianOptions> {
  const { own } = await makeOrchestra();
  const offered = [own[0], own[2], own[4], own[6]].flatMap((song) => song ?? []);
  return { name: arabic, offered: [...offered, special.withoutCover] };
}

test("layout: carousel at rest, and with a song that fails", async ({ page, musician }) => {
  const listener = await musician(await awkwardListener());
  await playerRuns(page);
  await openAll(page);
  await expectSound(page);
  await expectDisplayRules(page);
  await expectAccessible(page);

  await listener.order("sdk", { fail: "playback" });
  await play(page, await songAt(page));
  // PLAY SONG does the same as "Try again".
  await expect(page.getByRole("button", { name: "Reconnect" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await expectLaidOut(page);
  await expectAccessible(page);
});

test("layout: carousel with a song playing, to rate, rated, and a way out of one", async ({
  page,
  musician,
}) => {
  await musician(await awkwardListener());
  const song = await songAt(page);
  await play(page, song);
  await heardTo(page, 1);
  await page.getByRole("timer").waitFor();
  await expectLaidOut(page);
  await unlocked(page);
  await openAll(page);
  await expectLaidOut(page);
  await expectFocusWalk(page);
  await expectForcedColours(page);
  await expectDisplayRules(page);
  await expectAccessible(page);

  await rate(page, song, "Great Song");
  await expect(page.getByRole("status").filter({ hasText: "successfully rated" })).toBeVisible();
  await openAll(page);
  await expectLaidOut(page);
  await expectDisplayRules(page);

  await page
    .getByRole("button", { name: /^PLAY SONG/ })
    .first()
    .click();
  await page.getByRole("link", { name: "I can't rate this" }).click();
  await expect(page.getByRole("heading", { name: "I can't rate this" })).toBeVisible();
  await page.reload();
  await expectSound(page);
  await expectDisplayRules(page);
  await expectAccessible(page);
});

test("layout: no more songs", async ({ page, loginAs }) => {
  const listener = await makeMusician({ credits: 6, offered: [] });
  await emptyPool(listener);
  await loginAs(listener);
  await expect(page.getByRole("heading", { name: "You have heard everything." })).toBeVisible();
  await expect(page.getByRole("link", { name: "Upload Your Song" })).toBeVisible();
  await expectSound(page);
  await expectAccessible(page);
});

test("layout: ratings of many songs, and of one of them", async ({ page, musician }) => {
  const titles = [...AWKWARD_TITLES, ...AWKWARD_TITLES, ...AWKWARD_TITLES, ...AWKWARD_TITLES];
  const own = titles.map((title, place) => ({ title, scores: [1, 2, 3, 4, 1 + (place % 4)] }));
  await musician({ name: orchestra, own: [...own, { track: special.withoutCover }] });
  await page.goto("/ratings-of-my-songs");
  await expect(page.getByRole("group")).toHaveCount(20);
  await expectStructure(page);
  await openAll(page);
  await expectLaidOut(page);
  await expectForcedColours(page);
  await expectStill(page);
  await expectDisplayRules(page);
  const shown = page.getByRole("group").first();
  const first = (await shown.getAttribute("id")) ?? "";
  await page.getByRole("link", { name: "Show more" }).click();
  await expect(shown).not.toHaveId(first);
  await page.getByRole("link", { name: "Show more" }).click();
  // The last page.
  await expect(page.getByRole("link", { name: "Show more" })).toHaveCount(0);
  await expect(page.getByRole("group")).toHaveCount(titles.length + 1 - 40);
  await page.goBack();
  await expect(page.getByRole("group")).toHaveCount(20);
  await expectLaidOut(page);
  await openAll(page);
  await expectAccessible(page);
  const about = page.getByRole("link", { name: /about "/ });
  await about.first().click();
  await expect(page.getByText("Submitted on ")).toBeVisible();
  await page.reload();
  await expectSound(page);
  await expectDisplayRules(page);
  await page.goto("/?menu=addownsong");
  await expect(page.getByRole("heading", { name: "Not yet" })).toBeVisible();
  await expectSound(page);
  await expectAccessible(page);
});

test("layout: songs rated, and none", async ({ page, musician, loginAs }) => {
  const { own } = await makeOrchestra();
  const offered = [...own.map(({ track }) => track), special.longTitle, special.withoutCover];
  await musician({ name: arabic, offered, rated: offered.map((_, place) => 1 + (place % 4)) });
  await page.goto("/rated");
  const buttons = page.getByRole("button", { name: "Add to my favorites" });
  await expect(buttons).toHaveCount(offered.length);
  await expectSound(page);
  await expectDisplayRules(page);
  await expectAccessible(page);
  await loginAs(await makeMusician({ name: unbroken, tier: "premium" }));
  await page.goto("/rated");
  await expect(page.getByText("No songs yet.")).toBeVisible();
  await expectSound(page);
  await expectAccessible(page);
});

test("layout: the dialog of the offer", async ({ page, musician }) => {
  await musician({ name: unbroken });
  const dialog = page.getByRole("dialog", { name: "Fivefold Premium" });
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event("openSubscription")));
    await expect(dialog).toBeVisible({ timeout: 500 });
  }).toPass();
  await expectLaidOut(page);
  await expectForcedColours(page);
});

test("layout: adding a song, and its confirmation", async ({ page, musician }) => {
  const title = `Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten${unique()}`;
  const owner = await musician({ name: arabic, credits: 6, own: [{}], songs: [title] });
  await page.goto("/?menu=addownsong");
  await expectAccessible(page);
  const { displayName } = await makeOrchestra();
  await page.goto(`/?menu=addownsong&q=${encodeURIComponent(displayName)}`);
  await expect(page.getByRole("listitem").filter({ hasText: displayName })).not.toHaveCount(0);
  await expectSound(page);
  await expectDisplayRules(page);
  await expectAccessible(page);
  await page.goto(`/?menu=addownsong&q=${"zyzzx".repeat(40)}`);
  await expectSound(page);
  await expectAccessible(page);
  const [{ albumId = "", artistIds: [artistId] = [] } = {}] = owner.songs;
  for (const place of [`album=${albumId}`, `artist=${artistId}`]) {
    await page.goto(`/?menu=addownsong&${place}`);
    await expectAccessible(page);
  }

  // The carousel, to which it goes by itself, stays away.
  await page.route(
    ({ searchParams }) => searchParams.has("_data") && !searchParams.has("menu"),
    () => undefined,
  );
  await submit(page, title);
  await expect(page.getByRole("heading", { name: "Success! Your song:" })).toBeVisible();
  // As a document of its own, in which the focus begins at the top.
  await page.reload();
  await expect(page.getByRole("heading", { name: "Success! Your song:" })).toBeVisible();
  await expectSound(page);
  await expectDisplayRules(page);
  await expectAccessible(page);
  // Of one that was submitted while there was nothing to rate.
  await page.goto(`/?menu=songaddedtopool&submission=submission-${owner.own[0]?.id}`);
  await expect(page.getByRole("heading", { name: "Song Added Successfully!" })).toBeVisible();
  await expect(page.getByText("Please come back later for more songs to rate.")).toBeVisible();
  await expectAccessible(page);
});

test("layout: a mail's way out", async ({ page }) => {
  const { address } = await makeMusician();
  const token = await unsubscribeToken(developmentSecret(), { topic: "rating", address });
  await page.goto(`/unsubscribe?token=${token}`);
  await expect(page.getByRole("heading", { name: "Unsubscribe" })).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(page.getByRole("heading", { name: "You are unsubscribed" })).toBeVisible();
  await page.reload();
  await expectSound(page);
  await expectAccessible(page);
});

test("layout: account, and an address to confirm", async ({ page, musician, complaints }) => {
  complaints.expect(/status of 403/);
  const { id } = await musician({ name: unbroken });
  const address = `${"a-very-long-mailbox-name".repeat(2)}-${id}@${"mail".repeat(15)}.example`;
  await openAccount(page, "Your address");
  await page.getByLabel("Another address").fill(address);
  await page.getByRole("button", { name: "Send me a confirmation link" }).click();
  await expect(page.getByText(`We have sent a link to ${address}.`)).toBeVisible();
  await page.reload();
  await expectSound(page);

  await readMail(page, await mailTo(address, "confirm-email"));
  await page.getByRole("link", { name: "Confirm my address" }).click();
  await expect(page.getByText(`would like to get e-mails at ${address}`)).toBeVisible();
  await page.reload();
  await expectSound(page);
  await page.getByRole("button", { name: "Yes, confirm my address" }).click();
  await expect(page.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();
  await page.reload();
  await expectSound(page);
  await expectAccessible(page);
  await page.goto("/account");
  await expectSound(page);
  await page.goto("/confirm-email?token=none");
  await expectSound(page);
  await page.goto("/account");
  await page.locator(".settings details").evaluateAll((all) => {
    for (const part of all as HTMLDetailsElement[]) part.open = true;
  });
  await expectSound(page);
});

test("layout: premium, before and after", async ({ page, musician }) => {
  await musician({ name: emoji });
  await page.goto("/subscribe");
  await expectSound(page);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Thank you for subscribing!" })).toBeVisible();
  await page.reload();
  await expectSound(page);
  await expectAccessible(page);
  await page.goto("/subscribe");
  await expect(page.getByRole("button", { name: "Manage Subscription" })).toBeVisible();
  await expectSound(page);
});
