/** What the landing page shows of what goes on. */
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { createDatabase } from "~/db/client.server";
import { landingScreen } from "~/routes/_index/landing/load.server";
import { makeCommunity } from "../../support/database/community";
import { request } from "../../support/request";

const hour = 60 * 60 * 1000;
const songs = (count: number) => `${count} songs were rated here this week.`;
const wait = [
  "20 songs got their fifth rating within the last 30 days.",
  "30 hours is the time within which nine of ten of them had all five.",
];

/** The page as an isolate renders it that has none in memory. */
async function anew(): Promise<string> {
  return (await request("/", { bindings: { ...env } })).text();
}

/** The figures of the community, with their words. */
async function factsWith(row: Record<string, number> | null): Promise<string[]> {
  if (row) await makeCommunity(row);
  const page = await anew();
  const [, figures] = /<ul class="figures">(.*?)<\/ul>/.exec(page) ?? [];
  return [...(figures ?? "").matchAll(/<li[^>]*>(.*?)<\/li>/g)].map(([, item]) =>
    (item ?? "").replace(/<.*?>/g, ""),
  );
}

const waits = { half_within_ms: 9 * hour, most_within_ms: 30 * hour };

test.each([
  [
    "songs rated and how long they wait",
    { songs_rated_this_week: 20, promises_kept: 20, ...waits },
    [songs(20), ...wait],
  ],
  [
    "only what there is enough of",
    { songs_rated_this_week: 19, promises_kept: 20, ...waits },
    wait,
  ],
  [
    "no wait that few songs tell of",
    { songs_rated_this_week: 300, promises_kept: 19, ...waits },
    [songs(300)],
  ],
  ["nothing before there are any figures", null, []],
])("the landing page tells %s", async (_what, row, told) => {
  expect(await factsWith(row)).toEqual(told);
  expect((await anew()).includes('class="figures"')).toBe(told.length > 0);
});

test("without the database the landing page is shown all the same", async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  const batch = () => Promise.reject(new Error("D1 is away"));
  const db = Object.assign(createDatabase(env.DB), { batch });
  const context = {
    db,
    sessionId: null,
    config: { appOrigin: env.APP_ORIGIN, offers: { spotify: true, uploads: true } },
  };
  const screen = await landingScreen(context as never, new URLSearchParams());
  expect(screen).toMatchObject({ screen: "landing", figures: [], notice: null });
});

test("the example is marked as such, says whose view it is, and asks for no picture", async () => {
  const page = await (await request("/")).text();
  const figures = page.match(/<figure.*?<\/figure>/g) ?? [];
  expect(figures).toHaveLength(1);
  expect(figures[0]).toMatch(/<figcaption.*?An example.*?<\/figcaption>/);
  expect(figures[0]).toMatch(/Fivefold Premium<.*3 of 5 liked it/);
  expect(page).not.toMatch(/<img|background-image/);
});
