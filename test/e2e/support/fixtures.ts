import { type BrowserContext, test as base, type Page } from "@playwright/test";
import { heardTo, play, type Song, songAt } from "./carousel.ts";
import { type Complaints, TestComplaints } from "./complaints.ts";
import { longSongs, type Musician, type MusicianOptions, makeMusician } from "./musician.ts";

interface Playing {
  songs?: number;
  heard?: number;
  /** On the listener's own app, which is open. */
  onApp?: boolean;
}

interface Fixtures {
  /** What pages and the server complain of in this test. */
  complaints: Complaints;
  /** Logs a musician in and opens the carousel, on `page` or another. */
  loginAs(musician: Musician, page?: Page): Promise<void>;
  /** Makes a musician of the test's own, logs them in on `page`, and opens the carousel. */
  musician(options?: MusicianOptions): Promise<Musician>;
  /** Plays the first of a musician's long songs, and waits until so many seconds of it were heard. */
  playing(how?: Playing): Promise<{ listener: Musician; song: Song }>;
  /** The carousel in another tab of the same browser. */
  anotherTab(): Promise<Page>;
  /** A page in a browser of its own, with the options of the test. */
  anotherBrowser(): Promise<Page>;
}

export const test = base.extend<Fixtures>({
  complaints: [
    async ({ context }, use) => {
      const complaints = new TestComplaints();
      complaints.watch(context);
      await use(complaints);
      await complaints.settle({ hasFailed: test.info().errors.length > 0 });
    },
    { auto: true },
  ],

  loginAs: async ({ page }, use) => {
    await use(async (musician, other = page) => {
      await logIn(musician, other);
      await other.goto("/");
    });
  },

  musician: async ({ loginAs }, use) => {
    await use(async (options) => {
      const musician = await makeMusician(options);
      await loginAs(musician);
      return musician;
    });
  },

  playing: async ({ page, musician }, use) => {
    await use(async ({ songs = 1, heard = 1, onApp = false } = {}) => {
      const listener = await musician({ offered: longSongs(songs) });
      if (onApp) await listener.order("openApp");
      const song = await songAt(page);
      await play(page, song);
      await heardTo(page, heard);
      return { listener, song };
    });
  },

  anotherTab: async ({ context }, use) => {
    await use(async () => {
      const tab = await context.newPage();
      await tab.goto("/");
      return tab;
    });
  },

  anotherBrowser: async ({ browser, contextOptions, complaints }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext(contextOptions);
      opened.push(context);
      complaints.watch(context);
      return context.newPage();
    });
    for (const context of opened) await context.close();
  },
});

/**
 * Goes through the login's redirects without opening its pages, which most tests are not about;
 * those that are use `consentAs`.
 */
async function logIn({ id }: Musician, page: Page): Promise<void> {
  const { request } = page.context();
  const origin = process.env.E2E_ORIGIN ?? "";
  const options = { maxRedirects: 0, headers: { Origin: origin } };
  const login = await request.post(`${origin}/login`, options);
  const consent = new URL(login.headers().location ?? "");
  const fields = Object.fromEntries(consent.searchParams);
  const form = { ...fields, musician: id, decision: "agree" };
  const agreed = await request.post(consent.origin + consent.pathname, { form, maxRedirects: 0 });
  const answer = await request.get(agreed.headers().location ?? "", { maxRedirects: 0 });
  if (answer.headers().location !== "/") throw new Error(`no login: ${answer.status()}`);
}

/** From a page with the login button through the consent page, whatever comes after it. */
export async function consentAs(musician: Musician, page: Page): Promise<void> {
  await page.getByRole("button", { name: "Log in with Spotify Premium" }).click();
  await agreeAs(musician, page);
}

/** Agrees on Spotify's consent page, which the browser is at or is led to. */
export async function agreeAs({ id }: Pick<Musician, "id">, page: Page): Promise<void> {
  await page.locator(`input[name="musician"][value="${id}"]`).check();
  await page.getByRole("button", { name: "Agree" }).click();
}
