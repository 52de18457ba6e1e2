/** Members who cannot hear songs from Spotify see nothing that leads nowhere, and their browser asks Spotify nothing. */
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { playerRuns } from "./support/carousel.ts";
import { sandboxRequests, watchSpotify } from "./support/control.ts";
import { test } from "./support/fixtures.ts";
import { forgetSpotify } from "./support/logins.ts";
import type { Musician } from "./support/musician.ts";

const connect = (page: Page) => page.getByRole("button", { name: "Connect Spotify" });

function screensOf({ own, offered }: Musician): { path: string; connects: number; says: string }[] {
  return [
    { path: "/", connects: 1, says: "Connect Spotify to play songs from Spotify." },
    { path: "/?menu=addownsong", connects: 1, says: "Connect Spotify to submit a song" },
    { path: "/ratings-of-my-songs", connects: 0, says: "Entitled for 5 Ratings" },
    { path: `/ratings-of-my-songs/${own[0]?.id}`, connects: 0, says: "What you can do" },
    { path: "/rated", connects: 0, says: "Great Song" },
    { path: `/songs/${offered[0]?.id}/playlist`, connects: 1, says: "into your playlists" },
    { path: "/account", connects: -1, says: "Where you are logged in" },
    { path: "/subscribe", connects: 0, says: "Fivefold Premium" },
    { path: "/faq", connects: 0, says: "What is Fivefold?" },
    { path: "/imprint", connects: 0, says: "Privacy" },
  ];
}

/** Own recordings, which other tests bring into the rotation, play for everybody. */
function playsOfSpotify(page: Page) {
  const song = page.locator(".song").filter({ has: page.locator('img[src*="/spotify/"]') });
  return song.getByRole("button", { name: /^PLAY SONG/ });
}

const runs = [
  { how: "on a phone", javaScriptEnabled: true },
  { how: "without JavaScript", javaScriptEnabled: false },
];

for (const { how, javaScriptEnabled } of runs) {
  test.describe(how, () => {
    test.use({ javaScriptEnabled, viewport: { width: 390, height: 844 } });

    test(`${how}: a member by e-mail finds nothing on any screen that needs Spotify`, async ({
      page,
      musician,
    }) => {
      const member = await musician({ own: [{ scores: [1, 2, 3] }], rated: [3], credits: 6 });
      // The carousel would ask for its player once more.
      await page.goto("/faq");
      await forgetSpotify(member);
      const { length: before } = await sandboxRequests(member.id);
      const asked = watchSpotify(page);
      for (const { path, connects, says } of screensOf(member)) {
        await page.goto(path);
        await expect(page.getByText(says).first(), path).toBeVisible();
        if (connects >= 0) await expect(connect(page), path).toHaveCount(connects);
        await expect(playsOfSpotify(page), path).toHaveCount(0);
        for (const name of [/^Add to my favorites/, "SEARCH"]) {
          await expect(page.getByRole("button", { name }), path).toHaveCount(0);
        }
        await expect(page.getByRole("link", { name: /^Put it into a playlist/ })).toHaveCount(0);
        if (javaScriptEnabled) await expectAccessible(page);
      }
      expect(asked).toEqual([]);
      expect(await sandboxRequests(member.id)).toHaveLength(before);
    });
  });
}

test("from screen to screen no player comes, and the login goes on", async ({ page, musician }) => {
  const member = await musician({ rated: [3] });
  // It finds them where there are any.
  await expect(playsOfSpotify(page)).not.toHaveCount(0);
  await page.goto("/faq");
  await forgetSpotify(member);
  const asked = watchSpotify(page);
  await page.goto("/rated");
  for (const name of ["Carousel", "Ratings of my songs", "Songs I rated", "Carousel"]) {
    await page.getByRole("link", { name, exact: true }).first().click();
    await expect(page.locator("[aria-current=page]").first()).toHaveText(name);
  }
  await expect(connect(page)).toBeVisible();
  await expect(page.locator(".player")).toHaveCount(0);
  expect(asked).toEqual([]);
});

test("a page that still has a player loses it with the connection to Spotify", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/409/);
  const member = await musician({ rated: [3] });
  await playerRuns(page);
  await forgetSpotify(member);
  await page
    .getByRole("button", { name: /^PLAY SONG/ })
    .first()
    .click();
  await expect(page.getByText("Connect Spotify first.").first()).toBeVisible();
  await page.reload();
  await expect(connect(page)).toBeVisible();
  await expect(page.locator(".player")).toHaveCount(0);
});

test("somebody without Spotify Premium is told so, and is sold nothing", async ({
  page,
  musician,
}) => {
  const asked = watchSpotify(page);
  await musician({ product: "free", offered: [] });
  await expect(page.getByText("only with Spotify Premium")).toBeVisible();
  await expect(page.getByRole("button", { name: "Ask Spotify again" })).toBeVisible();
  await expect(playsOfSpotify(page)).toHaveCount(0);
  expect(asked.filter((url) => !url.includes("/accounts"))).toEqual([]);
  await expectAccessible(page);
});
