/** What the landing page shows of what goes on. */
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { createDatabase } from "~/db/client.server";
import { landingScreen } from "~/routes/_index/landing/load.server";
import { makeCommunity } from "../../support/database/community";
import { request } from "../../support/request";

const hour = 60 * 60 * 1000;
const songs = (count: number) => `${count} songs were rated here this week.`;
const wait =
  "Lately half of the songs had all five ratings within 9 hours, and nine of ten within 30 hours.";

/** The page as an isolate renders it that has none in memory. */
async function anew(): Promise<string> {
  return (await request("/", { bindings: { ...env } })).text();
}

/** The sentences about the community. */
async function factsWith(row: Record<string, number> | null): Promise<string[]> {
  if (row) await makeCommunity(row);
  const page = await anew();
  const [, facts] = /<div class="facts">(.*?)<\/div>/.exec(page) ?? [];
  return [...(facts ?? "").matchAll(/<p>(.*?)<\/p>/g)].map(([, text]) => text ?? "");
}

describe("the landing page says", () => {
  const waits = { half_within_ms: 9 * hour, most_within_ms: 30 * hour };

  test("how many songs were rated, and how long they usually wait", async () => {
    const row = { songs_rated_this_week: 20, promises_kept: 20, ...waits };
    expect(await factsWith(row)).toEqual([songs(20), wait]);
  });

  test("only what there is enough of", async () => {
    const row = { songs_rated_this_week: 19, promises_kept: 20, ...waits };
    expect(await factsWith(row)).toEqual([wait]);
  });

  test("nothing of a wait that few songs tell of", async () => {
    const row = { songs_rated_this_week: 300, promises_kept: 19, ...waits };
    expect(await factsWith(row)).toEqual([songs(300)]);
  });

  test("nothing, and leaves no gap, before there are any figures", async () => {
    expect(await factsWith(null)).toEqual([]);
    expect(await anew()).not.toContain('class="facts"');
  });
});

test("without the database the landing page is shown all the same", async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  const batch = () => Promise.reject(new Error("D1 is away"));
  const db = Object.assign(createDatabase(env.DB), { batch });
  const context = {
    db,
    sessionId: null,
    config: { appOrigin: env.APP_ORIGIN, open: { spotify: true } },
  };
  const screen = await landingScreen(context as never, new URLSearchParams());
  expect(screen).toMatchObject({ screen: "landing", facts: [], notice: null });
});

test("the examples are marked as such, and ask for no picture", async () => {
  const page = await (await request("/")).text();
  const figures = page.match(/<figure.*?<\/figure>/g) ?? [];
  expect(figures).toHaveLength(2);
  for (const figure of figures) expect(figure).toMatch(/<figcaption.*?An example.*?<\/figcaption>/);
  expect(page).not.toMatch(/<img|background-image/);
  // Whatever could be pressed is inert.
  expect(page.replace(/<div class="song" inert="">.*?<\/figure>/, "")).not.toContain("PLAY SONG");
});
