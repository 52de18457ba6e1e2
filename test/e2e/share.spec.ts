import { expect } from "@playwright/test";
import { AWKWARD_TITLES } from "../sandbox/catalogue-words.ts";
import { expectAccessible } from "./support/accessible.ts";
import { expectDisplayRules } from "./support/display-rules.ts";
import { test } from "./support/fixtures.ts";
import { expectLaidOut } from "./support/laid-out.ts";
import { writeRows } from "./support/local-database.ts";
import { makeMusician, special } from "./support/musician.ts";
import { expectForcedColours, expectStructure } from "./support/operable.ts";

test("a result is published, copied, opened by somebody else, and taken back, and its song withdrawn", async ({
  page,
  context,
  musician,
  anotherBrowser,
  complaints,
}) => {
  complaints.expect(/status of 404/);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await musician({ tier: "premium", own: [{ scores: [3, 4, 2, 3, 1, 4, 1], submissions: 2 }] });
  await page.goto("/ratings-of-my-songs");
  await page.getByRole("link", { name: "What the ratings say" }).click();
  await page.getByRole("button", { name: "Publish the result" }).click();
  await expect(page.getByRole("heading", { name: "Share" })).toBeFocused();
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByText("Copied.")).toBeVisible();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  await expect(page.getByLabel("Its address")).toHaveValue(address);
  await expect(page.getByRole("button", { name: "Share" })).toHaveCount(0);
  await expectAccessible(page);

  const other = await anotherBrowser();
  await other.goto(address);
  await expect(other.getByRole("heading", { name: "3 of 5 liked it." })).toBeVisible();
  await expect(other.getByRole("link", { name: /^Listen on Spotify/ })).toBeVisible();
  await expect(other.getByRole("link", { name: "Get your own song rated" })).toBeVisible();
  await expectStructure(other);
  await expectDisplayRules(other);
  await expectLaidOut(other);
  await expectForcedColours(other);
  await expectAccessible(other);
  expect(await other.context().cookies()).toEqual([]);

  await page.getByRole("button", { name: "Take it back" }).click();
  await expect(page.getByRole("button", { name: "Publish the result" })).toBeVisible();
  await other.reload();
  await expect(other.getByRole("heading", { name: "Nothing is shared here" })).toBeVisible();

  await page.getByText("Take it out of the rotation").click();
  await page.getByRole("button", { name: "Yes, take it out" }).click();
  await expect(page.getByRole("heading", { name: "What you can do" })).toBeFocused();
  await expect(page.getByText("Withdrawn", { exact: true })).toBeVisible();
  await expectLaidOut(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Bring it back" }).click();
  await expect(page.getByText("Take it out of the rotation")).toBeVisible();
});

test("where the browser can share, the address is one press away, and closing its sheet is no error", async ({
  page,
  musician,
}) => {
  await page.addInitScript(() => {
    const asked: ShareData[] = [];
    const share = async (data: ShareData) => {
      asked.push(data);
      throw new DOMException("closed", asked.length === 1 ? "AbortError" : "NotAllowedError");
    };
    Object.assign(window, { asked });
    Object.defineProperty(navigator, "share", { value: share });
  });
  const { own } = await musician({ own: [{ title: "Night Bus", scores: [4, 1, 2, 3, 4] }] });
  await page.goto(`/ratings-of-my-songs/${own[0]?.id}`);
  await page.getByRole("button", { name: "Publish the result" }).click();
  const share = page.getByRole("button", { name: "Share" });
  await share.click();
  const title = expect.stringMatching(/^Five musicians have rated “Night Bus” by Robin/);
  const url = await page.getByLabel("Its address").inputValue();
  const asked = () => page.evaluate(() => (window as unknown as { asked: unknown[] }).asked);
  await expect.poll(asked).toEqual([{ title, url }]);
  const refused = page.getByText("Your browser did not allow that.");
  await expect(refused).toHaveCount(0);
  await share.click();
  await expect(refused).toBeVisible();
});

test("a shared page is laid out well whatever the song's title, on a phone and without a script", async ({
  anotherBrowser,
}) => {
  const snapshot = JSON.stringify({
    received: 10,
    uploads: [
      { number: 1, counts: [2, 1, 1, 1] },
      { number: 2, counts: [0, 1, 2, 2] },
    ],
  });
  const scores = [1, 1, 2, 3, 4, 2, 3, 3, 4, 4];
  const songs = [{ track: special.withoutCover }, ...AWKWARD_TITLES.map((title) => ({ title }))];
  const own = songs.slice(0, 3).map((song) => ({ ...song, scores, submissions: 2 }));
  const fewShown = { received: 5, uploads: [{ number: 1, counts: [0, 0, 1, 1] }] };
  const owner = await makeMusician({ own: [...own, ...own.slice(1)] });
  const shares = owner.own.map(({ id }, place) => ({
    song_id: id,
    token: `token-${id}`,
    snapshot: place < own.length ? snapshot : JSON.stringify(fewShown),
    published_at: 1790000000000,
  }));
  await writeRows({ shares });
  const page = await anotherBrowser();
  await page.setViewportSize({ width: 390, height: 844 });
  const said = /^(6 of 10 liked it|All five are in. Two are shown here)\.$/;
  for (const { token } of shares) {
    await page.goto(`/r/${token}`);
    await expect(page.getByRole("heading", { name: said })).toBeVisible();
    await expectLaidOut(page);
  }
});
