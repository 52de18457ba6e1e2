import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { makePackage, makeSong, makeUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { request } from "../../support/request";

const origin = env.APP_ORIGIN;
/** The pages for everybody, as the sitemap must list them. */
const pages = ["/", "/faq", "/imprint", "/ratings-of-my-songs"].map((path) => ({ path }));

function plain(text: string): string {
  return text
    .replaceAll("<!-- -->", "")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

async function headOf(path: string, cookie?: string) {
  const page = plain(await (await request(path, cookie ? { cookie } : {})).text());
  const tags = [...page.matchAll(/<(?:meta|link) (?:name|property|rel)="([^"]+)"([^>]*)>/g)];
  const told = tags.map(([, name = "", rest = ""]): [string, string] => {
    return [name, /(?:content|href)="([^"]*)"/.exec(rest)?.[1] ?? ""];
  });
  const title = /<title>(.*?)<\/title>/.exec(page)?.[1] ?? "";
  return { page, title, told, named: Object.fromEntries(told) };
}

/** A session of somebody who has a song to rate. */
async function loggedIn(): Promise<string> {
  const viewer = await makeUser();
  await makePackage(viewer, [await makeSong(await makeUser())]);
  return (await makeSession(viewer, { musician: "haru-tsukishiro" })).cookie;
}

describe("a page for everybody", () => {
  test.each(pages)(
    "$path has a title, a description, a canonical address and a preview",
    async ({ path }) => {
      const { title, named, told } = await headOf(`${path}?utm_source=elsewhere`);
      expect(named).toMatchObject({
        canonical: `${origin}${path}`,
        "og:url": `${origin}${path}`,
        "og:title": title,
        "og:description": named.description,
        "og:type": "website",
        "og:site_name": "Fivefold",
        "og:image": `${origin}/social.png`,
        "og:image:width": "1200",
        "og:image:height": "630",
        "twitter:card": "summary_large_image",
      });
      expect(title).toMatch(/Fivefold/);
      expect(named.description?.length).toBeGreaterThan(50);
      expect(named.description?.length).toBeLessThanOrEqual(160);
      expect(named).not.toHaveProperty("robots");
      const names = told
        .map(([name]) => name)
        .filter((name) => /^(og|twitter|desc|canon)/.test(name));
      expect(new Set(names).size).toBe(names.length);
    },
  );

  test("has a unique title and description", async () => {
    const heads = await Promise.all(pages.map(({ path }) => headOf(path)));
    expect(new Set(heads.map(({ title }) => title)).size).toBe(pages.length);
    expect(new Set(heads.map(({ named }) => named.description)).size).toBe(pages.length);
  });

  test("links to icons and the manifest, and has a theme colour for light and dark", async () => {
    const { page, told } = await headOf("/faq");
    const icons = told.filter(([name]) => /icon|manifest/.test(name));
    expect(icons).toEqual([
      ["icon", "/favicon.ico"],
      ["icon", "/favicon.svg"],
      ["apple-touch-icon", "/apple-touch-icon.png"],
      ["manifest", "/site.webmanifest"],
    ]);
    const schemes = page.match(/<meta name="theme-color"[^>]+prefers-color-scheme: (light|dark)/g);
    expect(schemes).toHaveLength(2);
  });
});

describe("a page for one person", () => {
  test.each([
    { path: "/", own: true },
    { path: "/?menu=addownsong", own: true },
    { path: "/ratings-of-my-songs", own: true },
    { path: "/account", own: true },
    { path: "/account", own: false },
    { path: "/subscribe", own: true },
    { path: "/subscription-success", own: false },
    { path: "/unsubscribe?token=none", own: false },
    { path: "/confirm-email?token=none", own: false },
    { path: "/auth/spotify/callback", own: false },
    { path: "/no-such-page", own: false },
  ])("$path (logged in: $own) is excluded from search engines", async ({ path, own }) => {
    const { title, named, told } = await headOf(path, own ? await loggedIn() : undefined);
    expect(named.robots).toBe("noindex");
    expect(told.filter(([name]) => /^(canonical|og:|twitter:)/.test(name))).toEqual([]);
    expect(title).toMatch(/^.+ - Fivefold$/);
  });

  test.each([
    { path: "/no-such-page", title: "Nothing here - Fivefold" },
    { path: "/unsubscribe?token=none", title: "This link does not work - Fivefold" },
    { path: "/auth/spotify/callback", title: "This login has expired - Fivefold" },
  ])("$path says in its title what went wrong", async ({ path, title }) => {
    expect((await headOf(path)).title).toBe(title);
  });
});

interface Question {
  "@type": string;
  name: string;
  acceptedAnswer: { "@type": string; text: string };
}

/** The one block of structured data on a page. */
async function faqData(path: string) {
  const html = await (await request(path)).text();
  const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  expect(blocks).toHaveLength(1);
  const data = JSON.parse(blocks[0]?.[1] ?? "");
  return { html, data, questions: data.mainEntity as Question[] };
}

describe("structured data", () => {
  test.each(["/", "/faq"])("on %s is a FAQPage as schema.org defines it", async (path) => {
    const { data, questions } = await faqData(path);
    expect(data).toEqual({
      "@context": "https://schema.org",
      "@type": "FAQPage",
      mainEntity: expect.any(Array),
    });
    expect(questions.length).toBeGreaterThan(3);
    for (const question of questions) {
      expect(question).toEqual({
        "@type": "Question",
        name: expect.stringMatching(/^\S.*\?$/),
        acceptedAnswer: { "@type": "Answer", text: expect.stringMatching(/^\S.*\.$/) },
      });
    }
  });

  test("on /faq has exactly the questions of the page, in its words", async () => {
    const { html, questions } = await faqData("/faq");
    const main = /<main.*<\/main>/s.exec(html)?.[0] ?? "";
    const shown = plain(main.replaceAll("<!-- -->", "").replace(/<[^>]+>/g, "\n"));
    const asked = shown.split("\n").filter((line) => line.endsWith("?"));
    expect(questions.map(({ name }) => name)).toEqual(asked);
    for (const { acceptedAnswer } of questions) expect(shown).toContain(acceptedAnswer.text);
  });

  test("on / says what Fivefold is, how to add a song, the price and what is needed", async () => {
    const { questions } = await faqData("/");
    const told = questions.map(({ acceptedAnswer }) => acceptedAnswer.text).join("\n");
    expect(told).toContain("musicians rate each other's songs");
    expect(told).toMatch(/Listen to and rate \d songs/);
    expect(told).toContain("Fivefold Premium costs USD 2.99 per month");
    expect(told).toContain("a song only with Premium");
  });

  test.each(["/imprint", "/ratings-of-my-songs", "/no-such-page"])("is not on %s", async (path) => {
    expect((await headOf(path)).page).not.toContain("ld+json");
  });
});
