import { expect } from "@playwright/test";
import { test } from "./support/fixtures.ts";

const pages = [
  { name: "the landing page", address: "/" },
  { name: "the FAQ", address: "/faq" },
  { name: "the imprint", address: "/imprint" },
  { name: "the login prompt", address: "/ratings-of-my-songs" },
];

for (const { name, address } of pages) {
  test(`${name} loads no JavaScript`, async ({ page }) => {
    const scripts: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "script") scripts.push(request.url());
    });
    await page.goto(address, { waitUntil: "networkidle" });
    expect(scripts).toEqual([]);
    // Structured data is no program.
    await expect(page.locator("script:not([type='application/ld+json'])")).toHaveCount(0);
    await expect(page.locator("link[rel='modulepreload']")).toHaveCount(0);
  });
}
