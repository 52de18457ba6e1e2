import { type BrowserContext, test as base, type Page } from "@playwright/test";
import { accountIdOf, musicianById, musicians, prolific } from "../../sandbox/catalogue.ts";
import { offeredTo } from "../../sandbox/seed-packages.ts";
import { type Complaints, TestComplaints } from "./complaints.ts";
import { order, type SandboxRequest, sandboxRequests } from "./control.ts";
import { onDatabase } from "./local-database.ts";
import { type Musician, type MusicianOptions, makeMusician } from "./musician.ts";

interface Fixtures {
  /** What pages and the server complain of in this test. */
  complaints: Complaints;
  /** Logs a musician in and opens the carousel, on `page` or another. */
  loginAs(musician: Musician | string, page?: Page): Promise<void>;
  /** Makes a musician of the test's own, logs them in on `page`, and opens the carousel. */
  musician(options?: MusicianOptions): Promise<Musician>;
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
async function logIn(musician: Musician | string, page: Page): Promise<void> {
  const id = typeof musician === "string" ? idOf(musician) : musician.id;
  if (typeof musician === "string") await beginAnew(id);
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
export async function consentAs(musician: Musician | string, page: Page): Promise<void> {
  await page.getByRole("button", { name: "Log in with Spotify Premium" }).click();
  await agreeAs(musician, page);
}

/** Agrees on Spotify's consent page, which the browser is at or is led to. */
export async function agreeAs(musician: Musician | string, page: Page): Promise<void> {
  const id = typeof musician === "string" ? idOf(musician) : musician.id;
  if (typeof musician === "string") await beginAnew(id);
  await page.locator(`input[name="musician"][value="${id}"]`).check();
  await page.getByRole("button", { name: "Agree" }).click();
}

/** The id of a musician of the sandbox's catalogue. */
export function idOf(displayName: string): string {
  const musician = musicians.find((candidate) => candidate.displayName === displayName);
  if (!musician) throw new Error(`no musician ${displayName}`);
  return musician.id;
}

/** Whose package, songs or credits of the seed a test needs, besides the demo users. */
const settled = new Set([
  ...offeredTo,
  prolific.id,
  "amadou-sarr-lo",
  "ayla-demirkan",
  "celestine-okonjo",
  "davor-mihalic",
  "delphine-mauriac-roux",
  "ilse-kornblatt",
  "imogen-fairweather",
  "kwame-ansah-reid",
  "marisol-quintanar",
  "petra-wolkenstein",
  "tobin-ashgrove",
]);
/** Who has begun anew, and in which try. */
const begunAnew = new Set<string>();

/**
 * Lets a test be tried again: except in the first try, the stand-ins forget what the musician has done,
 * and to the product it is somebody else; or at least, what was heard and not rated is forgotten. To be
 * called before anything is done as a musician. Demo users stay as they are.
 */
async function beginAnew(musician: string): Promise<void> {
  const { retry, repeatEachIndex } = test.info();
  const isFirst = retry === 0 && repeatEachIndex === 0;
  const begun = `${repeatEachIndex} ${retry} ${musician}`;
  if (isFirst || begunAnew.has(begun)) return;
  if (musicianById.get(musician)?.demo !== null) return;
  begunAnew.add(begun);
  await order("reset", { musician });
  if (!settled.has(musician)) await order("newAccount", { musician });
  else await onDatabase(forgetUnrated, [accountIdOf(musician)]);
}

const forgetUnrated = `DELETE FROM listens
  WHERE user_id = (SELECT id FROM users WHERE spotify_id = ?)
    AND NOT EXISTS (SELECT 1 FROM ratings WHERE listen_id = listens.id)`;

/** Orders something of the sandbox: an action of test/sandbox/control.ts with its fields. */
export async function control(
  action: string,
  fields: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  await beginAnew(String(fields.musician));
  return order(action, fields);
}

/** The calls of Spotify's Web API made for a musician, oldest first, such as "GET /v1/me". */
export async function apiCalls(displayName: string, route: string): Promise<SandboxRequest[]> {
  const requests = await sandboxRequests(idOf(displayName));
  return requests.filter(({ method, path }) => `${method} ${path}` === route);
}
