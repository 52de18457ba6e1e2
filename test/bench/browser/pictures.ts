/**
 * `npm run bench -- pictures`: the bytes of covers and avatars on the screens of a member, on a phone at
 * two pixels a point. Exits with 1 if a carousel has more than its aim.
 */
import { budgets } from "../../support/budgets.ts";
import { printTable } from "../tables.ts";
import { openPhone, withBrowser } from "./visitors.ts";

await withBrowser(async ({ browser, origin, loginOf }) => {
  const rows: (string | number)[][] = [];
  for (const member of ["Dana Free", "Perry Premium"]) {
    for (const path of ["/", "/ratings-of-my-songs"]) {
      const context = await openPhone(browser, await loginOf(member), { deviceScaleFactor: 2 });
      const page = await context.newPage();
      const urls = new Set<string>();
      page.on("requestfinished", (request) => {
        if (request.url().includes("/spotify/images/")) urls.add(request.url());
      });
      await page.goto(origin + path, { waitUntil: "networkidle" });
      await page.mouse.wheel(0, 10_000);
      await page.waitForLoadState("networkidle");
      await context.close();
      const sizes = await Promise.all([...urls].map(weigh));
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      if (path === "/" && bytes > budgets.pictures) process.exitCode = 1;
      rows.push([`${member}, ${path}`, urls.size, bytes]);
    }
  }
  printTable(["", "pictures", "bytes"], rows);
});

async function weigh(url: string): Promise<number> {
  return (await (await fetch(url)).arrayBuffer()).byteLength;
}
