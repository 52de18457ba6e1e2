import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
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
    expect(named.description).toMatch(/^.{51,160}$/);
    expect(named).not.toHaveProperty("robots");
    const names = told
      .map(([name]) => name)
      .filter((name) => /^(og|twitter|desc|canon)/.test(name));
    expect(new Set(names).size).toBe(names.length);
  },
);

test("each page for everybody has a title and a description of its own, icons, the manifest, and a theme colour for light and dark", async () => {
  const heads = await Promise.all(pages.map(({ path }) => headOf(path)));
  expect(new Set(heads.map(({ title }) => title)).size).toBe(pages.length);
  expect(new Set(heads.map(({ named }) => named.description)).size).toBe(pages.length);
  for (const { page, told } of heads) {
    expect(told.filter(([name]) => /icon|manifest/.test(name))).toEqual([
      ["icon", "/favicon.ico"],
      ["icon", "/favicon.svg"],
      ["apple-touch-icon", "/apple-touch-icon.png"],
      ["manifest", "/site.webmanifest"],
    ]);
    const schemes = page.match(/<meta name="theme-color"[^>]+prefers-color-scheme: (light|dark)/g);
    expect(schemes).toHaveLength(2);
  }
});

test.each([
  { path: "/", own: true },
  { path: "/?menu=addownsong", own: true },
  { path: "/ratings-of-my-songs", own: true },
  { path: "/account", own: true },
  { path: "/account" },
  { path: "/subscribe", own: true },
  { path: "/subscription-success" },
  { path: "/unsubscribe?token=none", says: "This link does not work - Fivefold" },
  { path: "/confirm-email?token=none" },
  { path: "/auth/spotify/callback", says: "This login has expired - Fivefold" },
  { path: "/no-such-page", says: "Nothing here - Fivefold" },
])("$path (logged in: $own) is for one person, and excluded from search engines", async (asked) => {
  const { path, own = false, says } = asked;
  const { title, named, told } = await headOf(path, own ? await loggedIn() : undefined);
  expect(named.robots).toBe("noindex");
  expect(told.filter(([name]) => /^(canonical|og:|twitter:)/.test(name))).toEqual([]);
  expect(title).toEqual(says ?? expect.stringMatching(/^.+ - Fivefold$/));
});

interface Question {
  name: string;
  acceptedAnswer: { text: string };
}

/** The one block of structured data on a page, which is a FAQPage as schema.org defines it. */
async function questionsOf(path: string) {
  const html = await (await request(path)).text();
  const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  expect(blocks).toHaveLength(1);
  const data = JSON.parse(blocks[0]?.[1] ?? "");
  const question = {
    "@type": "Question",
    name: expect.stringMatching(/^\S.*\?$/),
    acceptedAnswer: { "@type": "Answer", text: expect.stringMatching(/^\S.*\.$/) },
  };
  const questions = data.mainEntity as Question[];
  expect(questions.length).toBeGreaterThan(3);
  expect(data).toEqual({
    "@context": "https://schema.org",
    "@type": "FAQPage",
    mainEntity: questions.map(() => question),
  });
  return { html, questions };
}

test("structured data on /faq has exactly the questions of the page, in its words", async () => {
  const { html, questions } = await questionsOf("/faq");
  const main = /<main.*<\/main>/s.exec(html)?.[0] ?? "";
  const shown = plain(main.replaceAll("<!-- -->", "").replace(/<[^>]+>/g, "\n"));
  const asked = shown.split("\n").filter((line) => line.endsWith("?"));
  expect(questions.map(({ name }) => name)).toEqual(asked);
  for (const { acceptedAnswer } of questions) expect(shown).toContain(acceptedAnswer.text);
});

test("structured data on / says what Fivefold is, how to add a song, the price and what is needed", async () => {
  const { questions } = await questionsOf("/");
  const told = questions.map(({ acceptedAnswer }) => acceptedAnswer.text).join("\n");
  for (const words of [
    "musicians rate each other's songs",
    /Listen to and rate \d songs/,
    "Fivefold Premium costs USD 2.99 per month",
    "a song only with Premium",
  ]) {
    expect(told).toMatch(words);
  }
});

test.each(["/imprint", "/ratings-of-my-songs", "/no-such-page"])(
  "there is no structured data on %s",
  async (path) => {
    expect((await headOf(path)).page).not.toContain("ld+json");
  },
);
