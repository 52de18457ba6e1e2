/** An owner publishes what a song's ratings say, and takes it back (rule 31). */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { scoreChangeWindowMs as slipMs } from "~/db/rules";
import type { Score } from "~/exchange/rating/scale";
import { forgetAtEdge } from "~/http/edge-cache";
import { shareSong } from "~/results/share.server";
import { readOwnSong } from "~/results/song-result.server";
import { countingDatabase } from "../../support/database/counting-database";
import { baseTime, makeRating, makeUser } from "../../support/database/factories";
import { change, db, row, rows } from "../../support/database/rows";
import { someone } from "../../support/people";
import { scoreBy, scored } from "../../support/people/ratings";
import { dataOf, request } from "../../support/request";
import { worker } from "../../support/worker";

const day = 86_400_000;
const artUrl = "https://i.scdn.co/image/ab67616d0000b273";
const five: Score[] = [1, 2, 3, 4, 4];

/** A song with these ratings, which its owner can share. */
async function shareable(...given: Parameters<typeof scored>) {
  const rated = await scored(...given);
  const { it, owner } = rated;
  const post = (what: "share" | "unshare", by = owner) => by.sends(`/songs/${it.id}/${what}`);
  return {
    ...rated,
    post,
    /** @returns the path of the page. */
    async share(): Promise<string> {
      const answer = await post("share");
      expect(answer.status).toBe(200);
      const { address } = await answer.json<{ address: string }>();
      expect(address.startsWith(`${env.APP_ORIGIN}/r/`)).toBe(true);
      return new URL(address).pathname;
    },
  };
}

/** A song that is shared. */
async function shared(scores = five, ...given: [Parameters<typeof scored>[1]?]) {
  const rated = await shareable(scores, ...given);
  return { ...rated, page: await rated.share() };
}

async function textOf(path: string, cookie?: string): Promise<string> {
  const text = await (await request(path, cookie ? { cookie } : {})).text();
  return text.replaceAll("<!-- -->", "").replaceAll("&#x27;", "'").replaceAll("&quot;", '"');
}

test("a shared page shows cover, title, ratings, sentences and the day, with Spotify's credit and link", async () => {
  const { it, page } = await shared([3, 1, 4, 2, 3], { artUrl });
  expect(page).toMatch(/^\/r\/[\w-]{43}$/);
  const text = await textOf(page);
  const today = new Date().toISOString().slice(0, 10);
  for (const shown of [
    it.title,
    it.artists[0] ?? "",
    `src="${artUrl}"`,
    `href="${it.spotifyUrl}"`,
    'src="/spotify-logo.svg"',
    'aria-label="1 × Not for me, 1 × Mediocore, 2 × Great Song, 1 × Added to my playlist!"',
    "3 of 5 liked it.",
    "between 25 and 85 of them would like it.",
    `dateTime="${today}"`,
    'href="/"',
  ]) {
    expect(text).toContain(shown);
  }
});

test("a shared page says nothing of raters, owner or times", async () => {
  const track = { title: "Night Bus", artists: ["Ada"], album: "Lines", spotifyUrl: "https://a.b" };
  const { it, owner, raters, page } = await shared([3, 1, 4, 2, 3], track);
  const people = [owner, ...raters].flatMap(({ id, displayName }) => [id, displayName]);
  const times = [1, 2, 3, 4, 5].map((n) => new Date(baseTime + n * day).toISOString());
  const days = times.map((at) => at.slice(0, 10));
  for (const text of [await textOf(page), await textOf(dataOf(page))]) {
    for (const secret of [...people, ...days, it.id]) expect(text).not.toContain(secret);
  }
});

test("what a free owner does not see makes no difference to the shared page", async () => {
  const pages: string[] = [];
  for (const hidden of [
    [1, 1, 1],
    [4, 2, 3],
  ] satisfies Score[][]) {
    const options = { owner: {}, title: "Same Title" };
    const { it, page } = await shared([...hidden, 2, 4], options);
    const text = await textOf(page);
    expect(text).toContain("All five are in.</span><small> Two are shown here.");
    const names = [page.slice(3), it.trackId, it.artists[0] ?? "", it.spotifyUrl];
    pages.push(names.reduce((left, name) => left.replaceAll(name, "…"), text));
  }
  expect(pages[0]).toBe(pages[1]);
});

test("a later rating shows once its submission is complete and the owner publishes again, at the same address", async () => {
  const submittedAt = [baseTime, baseTime + 1];
  const { it, owner, path, page, share } = await shared([1, 1, 1, 1, 3], { submittedAt });
  await scoreBy(it, [4, 4], 10);
  expect(await owner.reads(path)).not.toContain("Publish what you see now");
  await scoreBy(it, [4, 4, 4], 20);
  expect(await textOf(page)).toContain("1 of 5 liked it.");
  expect(await owner.reads(path)).toContain("Publish what you see now");
  expect(await share()).toBe(page);
  expect(await textOf(page)).toContain("6 of 10 liked it.");
});

test("nothing can be published before a submission is complete", async () => {
  const { owner, path, post } = await shareable([4, 4, 4, 4]);
  const answer = await post("share");
  expect(answer.status).toBe(409);
  expect(await answer.text()).toContain("once all ratings are in");
  expect(await rows("shares")).toEqual([]);
  expect(await owner.reads(path)).not.toContain("/share");
});

test("a score that can still change is in nothing that lasts, neither published nor in the file", async () => {
  const { it, owner, path } = await scored([3, 3, 3, 3]);
  const minute = baseTime + 10 * day;
  const id = await makeRating(await makeUser(), it, { score: 4, at: minute + 59_999 });
  const viewer = await owner.viewer();
  const publish = (at: number) => shareSong({ db, now: () => at }, viewer, it.id);
  for (const at of [minute + 59_999, minute + 59_999 + slipMs, minute + 179_999]) {
    const page = await readOwnSong(db, viewer, it.id, { now: at, isActivity: false });
    expect([page?.result.scores, page?.publishable]).toEqual([[3, 3, 3, 3, 4], false]);
    expect(await publish(at)).toMatchObject({ status: 409 });
  }
  await change("ratings", { id }, { score: 1 });
  expect(await publish(minute + 180_000)).toMatchObject({ path: expect.any(String) });
  const uploads = [{ number: 1, counts: [1, 0, 4, 0] }];
  expect(await row("shares")).toMatchObject({ snapshot: { uploads } });

  await makeRating(await makeUser(), it, { score: 2, at: Date.now() });
  expect(await owner.reads(path)).toContain("1 × Mediocore");
  const file = await owner.reads(`${path}.csv`);
  expect(file).toContain('"Mediocore","0"');
  expect(file).toContain('"Great Song","4"');
});

test("only the owner can publish a song's result, or take it back", async () => {
  const { it, page } = await shared();
  const stranger = await someone({ tier: "premium" });
  for (const what of ["share", "unshare"]) {
    for (const id of [it.id, "no-such-song"]) {
      expect((await stranger.sends(`/songs/${id}/${what}`)).status).toBe(404);
    }
    expect((await request(`/songs/${it.id}/${what}`, { json: {} })).status).toBe(401);
  }
  expect((await request(page)).status).toBe(200);
});

test("a page that is taken back is gone at once, and sharing again gives another address", async () => {
  const { it, page, share, post } = await shared();
  const token = page.slice(3);
  const spellings = [
    ...[page, `/R/${token}`],
    `/r/%${token.charCodeAt(0).toString(16)}${token.slice(1)}`,
  ];
  const statuses = async () =>
    Promise.all(spellings.map(async (spelling) => (await request(spelling)).status));
  expect(await statuses()).toEqual([200, 200, 200]);
  for (const _press of [1, 2]) expect((await post("unshare")).status).toBe(200);
  const gone = await request(page);
  expect(gone.headers.get("Cache-Control")).toContain("no-store");
  expect(gone.headers.get("X-Robots-Tag")).toBe("noindex");
  const text = await gone.text();
  expect(text).toContain("Nothing is shared here");
  expect(text).not.toContain(it.title);
  expect(await statuses()).toEqual([404, 404, 404]);
  expect(await share()).not.toBe(page);
});

test("without a script, the forms lead back to the song's page, which shows the address", async () => {
  const { it, owner, path } = await scored(five);
  const leads = async (what: string) => {
    const { status, headers } = await owner.posts(`/songs/${it.id}/${what}`);
    expect([status, headers.get("Location")]).toEqual([303, `${path}#share`]);
    return owner.reads(path);
  };
  const page = await leads("share");
  const address = /value="([^"]+\/r\/[^"]+)"/.exec(page)?.[1] ?? "";
  expect((await request(new URL(address).pathname)).status).toBe(200);
  expect(page).toContain(`href="${address}"`);
  expect(await leads("unshare")).not.toContain("/r/");
});

test("with the account the shared page ends", async () => {
  const { owner, page } = await shared();
  // Kept at the edge from now on.
  expect((await request(page)).status).toBe(200);
  await owner.posts("/account/delete");
  expect(await rows("users", { id: owner.id })).toEqual([]);
  expect(await rows("shares")).toEqual([]);
  expect((await request(page)).status).toBe(404);
});

test("what is shared is part of the owner's export", async () => {
  const { owner, page } = await shared();
  const snapshot = { received: 5, uploads: [{ number: 1, counts: [1, 1, 1, 2] }] };
  const publishedAt = expect.stringMatching(/^\d{4}-/);
  const exported = await (await owner.posts("/account/export")).json<{ songs: unknown[] }>();
  expect(exported.songs).toMatchObject([
    { shared: { token: page.slice(3), snapshot, publishedAt } },
  ]);
});

test("a shared page needs no cookie, sets none, runs no script, and is not for search engines", async () => {
  const { page } = await shared(five, { artUrl });
  const answer = await request(page);
  const { headers } = answer;
  expect(Object.fromEntries(headers)).toMatchObject({
    "x-robots-tag": "noindex",
    "referrer-policy": "same-origin",
    "cache-control": "public, max-age=0, s-maxage=60",
    "content-security-policy": expect.stringMatching(/img-src 'self' data: \S+/),
  });
  expect(headers.get("Set-Cookie")).toBeNull();
  const policy = headers.get("Content-Security-Policy");
  expect(policy).toContain("script-src 'none'");
  expect(policy).not.toContain("stripe");
  const text = await answer.text();
  expect(text).not.toMatch(/<script|modulepreload|nonce=/);
  expect(text).toContain('<meta name="robots" content="noindex"/>');
  expect(await textOf("/robots.txt")).not.toMatch(/ \/r(\/|$)/m);
  expect(await textOf("/sitemap.xml")).not.toContain("/r/");
});

test("a shared page has a preview in words, with the song's own cover", async () => {
  const { it, page } = await shared(five, { artUrl });
  const text = await textOf(page);
  const title = `3 of 5 musicians liked “${it.title}” by ${it.artists[0]}`;
  for (const tag of [
    `<title>${title} - Fivefold</title>`,
    `<meta property="og:title" content="${title}"/>`,
    `<meta property="og:image" content="${artUrl}"/>`,
    '<meta property="og:description" content="Play it to a hundred',
    "Rated: 1 × Not for me, 1 × Mediocore, 1 × Great Song, 2 × Added to my playlist!",
    '<meta name="twitter:card" content="summary"/>',
    `<link rel="canonical" href="${env.APP_ORIGIN}${page}"/>`,
  ]) {
    expect(text).toContain(tag);
  }
});

test("a shared page shows the product's own picture for a song without a cover", async () => {
  const text = await textOf((await shared()).page);
  expect(text).toContain(`content="${env.APP_ORIGIN}/social.png"`);
  expect(text).toContain('src="/cover-fallback.svg"');
});

test("a shared page is the same for somebody who is logged in, and for the owner", async () => {
  const { owner, page } = await shared();
  const text = await textOf(page);
  for (const member of [await someone(), owner]) {
    await forgetAtEdge(env.APP_ORIGIN, page);
    expect(await textOf(page, await member.login())).toBe(text);
  }
});

test("a shared page is kept for a minute whatever the query, and its data are not", async () => {
  const { page } = await shared();
  const counting = countingDatabase(env.DB);
  async function ask(address: string) {
    const execution = createExecutionContext();
    const asked = new Request(new URL(address, env.APP_ORIGIN));
    const answer = await worker.fetch(asked, { ...env, DB: counting.binding }, execution);
    const { "x-request-id": id, ...headers } = Object.fromEntries(answer.headers);
    const text = await answer.text();
    await waitOnExecutionContext(execution);
    return { id, text, headers, roundTrips: counting.roundTrips() };
  }
  const first = await ask(`${page}?fbclid=needle`);
  expect(first.text).not.toContain("needle");
  const second = await ask(page);
  expect([first.roundTrips, second.roundTrips]).toEqual([1, 1]);
  expect(second.text).toBe(first.text);
  for (const name of ["content-security-policy", "x-robots-tag", "content-type"]) {
    expect([name, second.headers[name]]).toEqual([name, first.headers[name]]);
  }
  expect(second.id).not.toBe(first.id);
  expect((await ask(`${page}?again`)).roundTrips).toBe(1);
  await ask(dataOf(page));
  expect((await ask(dataOf(`${page}?again`))).roundTrips).toBe(3);
  expect((await ask(page)).text).toBe(first.text);
});
