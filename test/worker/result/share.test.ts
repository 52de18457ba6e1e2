/** An owner publishes what a song's ratings say, and takes it back (rule 31, shared results). */
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
import { change, db, rows } from "../../support/database/rows";
import { answers, hides, shows, stored } from "../../support/expectations";
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
  shows(page, /^\/r\/[\w-]{43}$/);
  const text = await textOf(page);
  const today = new Date().toISOString().slice(0, 10);
  shows(
    text,
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
  );
});

test("a shared page says nothing of raters, owner or times", async () => {
  const track = { title: "Night Bus", artists: ["Ada"], album: "Lines", spotifyUrl: "https://a.b" };
  const { it, owner, raters, page } = await shared([3, 1, 4, 2, 3], track);
  const people = [owner, ...raters].flatMap(({ id, displayName }) => [id, displayName]);
  const times = [1, 2, 3, 4, 5].map((n) => new Date(baseTime + n * day).toISOString());
  const days = times.map((at) => at.slice(0, 10));
  for (const text of [await textOf(page), await textOf(dataOf(page))]) {
    hides(text, ...people, ...days, it.id);
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
    shows(text, "All five are in.</span><small> Two are shown here.");
    const names = [page.slice(3), it.trackId, it.artists[0] ?? "", it.spotifyUrl];
    pages.push(names.reduce((left, name) => left.replaceAll(name, "…"), text));
  }
  expect(pages[0]).toBe(pages[1]);
});

test("a later rating shows once its submission is complete and the owner publishes again, at the same address", async () => {
  const submittedAt = [baseTime, baseTime + 1];
  const { it, owner, path, page, share } = await shared([1, 1, 1, 1, 3], { submittedAt });
  await scoreBy(it, [4, 4], 10);
  hides(await owner.reads(path), "Publish what you see now");
  await scoreBy(it, [4, 4, 4], 20);
  shows(await textOf(page), "1 of 5 liked it.");
  shows(await owner.reads(path), "Publish what you see now");
  expect(await share()).toBe(page);
  shows(await textOf(page), "6 of 10 liked it.");
});

test("nothing can be published before a submission is complete", async () => {
  const { owner, path, post } = await shareable([4, 4, 4, 4]);
  await answers(post("share"), 409, "once all ratings are in");
  expect(await rows("shares")).toEqual([]);
  hides(await owner.reads(path), "/share");
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
  await stored("shares", { snapshot: { uploads } });

  await makeRating(await makeUser(), it, { score: 2, at: Date.now() });
  shows(await owner.reads(path), "1 × Mediocore");
  const file = await owner.reads(`${path}.csv`);
  shows(file, '"Mediocore","0"', '"Great Song","4"');
});

test("only the owner can publish a song's result, or take it back", async () => {
  const { it, page } = await shared();
  const stranger = await someone({ tier: "premium" });
  for (const what of ["share", "unshare"]) {
    for (const id of [it.id, "no-such-song"]) {
      await answers(stranger.sends(`/songs/${id}/${what}`), 404);
    }
    await answers(request(`/songs/${it.id}/${what}`, { json: {} }), 401);
  }
  await answers(request(page), 200);
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
  for (const _press of [1, 2]) await answers(post("unshare"), 200);
  const gone = await request(page);
  shows(gone.headers.get("Cache-Control"), "no-store");
  expect(gone.headers.get("X-Robots-Tag")).toBe("noindex");
  const text = await gone.text();
  shows(text, "Nothing is shared here");
  hides(text, it.title);
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
  await answers(request(new URL(address).pathname), 200);
  shows(page, `href="${address}"`);
  hides(await leads("unshare"), "/r/");
});

test("with the account the shared page ends", async () => {
  const { owner, page } = await shared();
  // Kept at the edge from now on.
  await answers(request(page), 200);
  await owner.posts("/account/delete");
  expect(await rows("users", { id: owner.id })).toEqual([]);
  expect(await rows("shares")).toEqual([]);
  await answers(request(page), 404);
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
  shows(policy, "script-src 'none'");
  hides(policy, "stripe");
  const text = await answer.text();
  hides(text, /<script|modulepreload|nonce=/);
  shows(text, '<meta name="robots" content="noindex"/>');
  hides(await textOf("/robots.txt"), / \/r(\/|$)/m);
  hides(await textOf("/sitemap.xml"), "/r/");
});

test("a shared page has a preview in words, with a picture that is drawn when it is published", async () => {
  const { it, page, post } = await shared(five, { artUrl });
  const text = await textOf(page);
  const title = `3 of 5 musicians liked “${it.title}” by ${it.artists[0]}`;
  shows(
    text,
    `<title>${title} - Fivefold</title>`,
    `<meta property="og:title" content="${title}"/>`,
    `<meta property="og:image:alt" content="3 of 5 liked it. Rated: 1 × Not for me,`,
    '<meta property="og:description" content="Play it to a hundred',
    "Rated: 1 × Not for me, 1 × Mediocore, 1 × Great Song, 2 × Added to my playlist!",
    '<meta name="twitter:card" content="summary_large_image"/>',
    `<link rel="canonical" href="${env.APP_ORIGIN}${page}"/>`,
  );
  const address = new URL(/"og:image" content="([^"]+)"/.exec(text)?.[1] ?? "");
  const picture = await request(address.pathname + address.search);
  expect(picture.headers.get("Content-Type")).toBe("image/png");
  const head = new DataView(await picture.arrayBuffer(), 0, 24);
  expect([head.getUint32(0), head.getUint32(16), head.getUint32(20)]).toEqual([
    0x89504e47, 1200, 630,
  ]);
  await post("unshare");
  expect((await request(address.pathname)).status).toBe(404);
});

test("a shared page shows a song without a cover", async () => {
  shows(await textOf((await shared()).page), 'src="/cover-fallback.svg"');
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
  hides(first.text, "needle");
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
