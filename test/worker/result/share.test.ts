/** An owner publishes what a song's ratings say, and takes it back (rule 31). */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { scoreChangeWindowMs as slipMs } from "~/db/rules";
import type { Score } from "~/exchange/rating/scale";
import { forgetAtEdge } from "~/http/edge-cache";
import { shareSong } from "~/results/share.server";
import { readOwnSong } from "~/results/song-result.server";
import { rowsOf } from "../../support/database/contents";
import { countingDatabase } from "../../support/database/counting-database";
import {
  baseTime,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
} from "../../support/database/factories";
import { makeMember, makeSession, makeViewer } from "../../support/login";
import { dataOf, request } from "../../support/request";
import { worker } from "../../support/worker";

const db = createDatabase(env.DB);
const day = 86_400_000;

/** Rates a song, a day apart, each time by a different user. */
async function rateBy(song: TestSong, scores: Score[], from = 0): Promise<TestUser[]> {
  const raters: TestUser[] = [];
  for (const [n, score] of scores.entries()) {
    const rater = await makeUser({ displayName: `Rita Rater ${n}` });
    await makeRating(rater, song, { score, at: baseTime + (from + n + 1) * day });
    raters.push(rater);
  }
  return raters;
}

/** An owner whose song has these ratings. */
async function rated(
  scores: Score[],
  {
    tier = "premium",
    ...options
  }: Parameters<typeof makeSong>[1] & { tier?: "free" | "premium" } = {},
) {
  const owner = await makeUser({ tier });
  const song = await makeSong(owner, options);
  const raters = await rateBy(song, scores);
  const { cookie } = await makeSession(owner);
  return { owner, song, raters, cookie };
}

/** @returns the path of the page. */
async function share(song: TestSong, cookie: string): Promise<string> {
  const answer = await request(`/songs/${song.id}/share`, { cookie, json: {} });
  expect(answer.status).toBe(200);
  const { address } = await answer.json<{ address: string }>();
  expect(address.startsWith(`${env.APP_ORIGIN}/r/`)).toBe(true);
  return new URL(address).pathname;
}

async function unshare(song: TestSong, cookie: string): Promise<number> {
  return (await request(`/songs/${song.id}/unshare`, { cookie, json: {} })).status;
}

async function textOf(path: string, cookie?: string): Promise<string> {
  const text = await (await request(path, cookie ? { cookie } : {})).text();
  return text.replaceAll("<!-- -->", "").replaceAll("&#x27;", "'").replaceAll("&quot;", '"');
}

test("the page shows cover, title, ratings, sentences and the day, with Spotify's credit and link", async () => {
  const artUrl = "https://i.scdn.co/image/ab67616d0000b273";
  const { song, cookie } = await rated([3, 1, 4, 2, 3], { artUrl });
  const path = await share(song, cookie);
  expect(path).toMatch(/^\/r\/[\w-]{43}$/);
  const page = await textOf(path);
  const today = new Date().toISOString().slice(0, 10);
  for (const shown of [
    song.title,
    song.artists[0] ?? "",
    `src="${artUrl}"`,
    `href="${song.spotifyUrl}"`,
    'src="/spotify-logo.svg"',
    'aria-label="1 × Not for me, 1 × Mediocore, 2 × Great Song, 1 × Added to my playlist!"',
    "3 of 5 liked it.",
    "between 25 and 85 of them would like it.",
    `dateTime="${today}"`,
    'href="/"',
  ]) {
    expect(page).toContain(shown);
  }
});

test("it says nothing of raters, owner or times", async () => {
  const track = { title: "Night Bus", artists: ["Ada"], album: "Lines", spotifyUrl: "https://a.b" };
  const { owner, song, raters, cookie } = await rated([3, 1, 4, 2, 3], track);
  const path = await share(song, cookie);
  for (const text of [await textOf(path), await textOf(dataOf(path))]) {
    const hidden = [owner, ...raters].flatMap(({ id, displayName }) => [id, displayName]);
    const times = [1, 2, 3, 4, 5].map((n) => new Date(baseTime + n * day).toISOString());
    for (const secret of [...hidden, ...times, ...times.map((at) => at.slice(0, 10)), song.id]) {
      expect(text).not.toContain(secret);
    }
  }
});

test("what a free owner does not see makes no difference", async () => {
  const pages: string[] = [];
  for (const hidden of [
    [1, 1, 1],
    [4, 2, 3],
  ] satisfies Score[][]) {
    const { song, cookie } = await rated([...hidden, 2, 4], { tier: "free", title: "Same Title" });
    const path = await share(song, cookie);
    const page = await textOf(path);
    expect(page).toContain("All five are in.</span><small> Two are shown here.");
    const names = [path.slice(3), song.trackId, song.artists[0] ?? "", song.spotifyUrl];
    pages.push(names.reduce((text, name) => text.replaceAll(name, "…"), page));
  }
  expect(pages[0]).toBe(pages[1]);
});

test("a later rating shows once its submission is complete and the owner publishes again, at the same address", async () => {
  const submittedAt = [baseTime, baseTime + 1];
  const { song, cookie } = await rated([1, 1, 1, 1, 3], { submittedAt });
  const own = `/ratings-of-my-songs/${song.id}`;
  const path = await share(song, cookie);
  await rateBy(song, [4, 4], 10);
  expect(await textOf(own, cookie)).not.toContain("Publish what you see now");
  await rateBy(song, [4, 4, 4], 20);
  expect(await textOf(path)).toContain("1 of 5 liked it.");
  expect(await textOf(own, cookie)).toContain("Publish what you see now");
  expect(await share(song, cookie)).toBe(path);
  expect(await textOf(path)).toContain("6 of 10 liked it.");
});

test("nothing can be published before a submission is complete", async () => {
  const { song, cookie } = await rated([4, 4, 4, 4]);
  const answer = await request(`/songs/${song.id}/share`, { cookie, json: {} });
  expect([answer.status, await answer.json()]).toMatchObject([
    409,
    { error: expect.stringContaining("once all ratings are in") },
  ]);
  expect(await rowsOf("SELECT * FROM shares")).toEqual([]);
  expect(await textOf(`/ratings-of-my-songs/${song.id}`, cookie)).not.toContain("/share");
});

test("a score that can still change is in nothing that lasts, neither published nor in the file", async () => {
  const { owner, song, cookie } = await rated([3, 3, 3, 3]);
  const minute = baseTime + 10 * day;
  const id = await makeRating(await makeUser(), song, { score: 4, at: minute + 59_999 });
  const viewer = await makeViewer(owner);
  const publish = (at: number) => shareSong({ db, now: () => at }, viewer, song.id);
  for (const at of [minute + 59_999, minute + 59_999 + slipMs, minute + 179_999]) {
    const page = await readOwnSong(db, viewer, song.id, { now: at, isActivity: false });
    expect([page?.result.scores, page?.publishable]).toEqual([[3, 3, 3, 3, 4], false]);
    expect(await publish(at)).toMatchObject({ status: 409 });
  }
  await env.DB.prepare("UPDATE ratings SET score = 1 WHERE id = ?").bind(id).run();
  expect(await publish(minute + 180_000)).toMatchObject({ path: expect.any(String) });
  expect(await rowsOf("SELECT snapshot ->> 'uploads' AS uploads FROM shares")).toEqual([
    { uploads: JSON.stringify([{ number: 1, counts: [1, 0, 4, 0] }]) },
  ]);

  await makeRating(await makeUser(), song, { score: 2, at: Date.now() });
  expect(await textOf(`/ratings-of-my-songs/${song.id}`, cookie)).toContain("1 × Mediocore");
  const file = await textOf(`/ratings-of-my-songs/${song.id}.csv`, cookie);
  expect(file).toContain('"Mediocore","0"');
  expect(file).toContain('"Great Song","4"');
});

test("only the owner can publish a song's result, or take it back", async () => {
  const { song, cookie } = await rated([1, 2, 3, 4, 4]);
  const path = await share(song, cookie);
  const stranger = await makeMember({ tier: "premium" });
  for (const what of ["share", "unshare"]) {
    for (const id of [song.id, "no-such-song"]) {
      const answer = await request(`/songs/${id}/${what}`, { cookie: stranger.cookie, json: {} });
      expect(answer.status).toBe(404);
    }
    expect((await request(`/songs/${song.id}/${what}`, { json: {} })).status).toBe(401);
  }
  expect((await request(path)).status).toBe(200);
});

test("taken back, it is gone at once, and sharing again gives another address", async () => {
  const { song, cookie } = await rated([1, 2, 3, 4, 4]);
  const path = await share(song, cookie);
  const [, , token = ""] = path.split("/");
  const spellings = [`/R/${token}`, `/r/%${token.charCodeAt(0).toString(16)}${token.slice(1)}`];
  for (const spelling of [path, ...spellings]) {
    expect([spelling, (await request(spelling)).status]).toEqual([spelling, 200]);
  }
  expect([await unshare(song, cookie), await unshare(song, cookie)]).toEqual([200, 200]);
  const gone = await request(path);
  expect(gone.status).toBe(404);
  expect(gone.headers.get("Cache-Control")).toContain("no-store");
  expect(gone.headers.get("X-Robots-Tag")).toBe("noindex");
  const text = await gone.text();
  expect(text).toContain("Nothing is shared here");
  expect(text).not.toContain(song.title);
  for (const spelling of spellings) {
    expect([spelling, (await request(spelling)).status]).toEqual([spelling, 404]);
  }
  expect(await share(song, cookie)).not.toBe(path);
});

test("without a script, the forms lead back to the song's page, which shows the address", async () => {
  const { song, cookie } = await rated([1, 2, 3, 4, 4]);
  const own = `/ratings-of-my-songs/${song.id}`;
  const published = await request(`/songs/${song.id}/share`, { cookie, form: {} });
  expect([published.status, published.headers.get("Location")]).toEqual([303, `${own}#share`]);
  const page = await textOf(own, cookie);
  const address = /value="([^"]+\/r\/[^"]+)"/.exec(page)?.[1] ?? "";
  expect((await request(new URL(address).pathname)).status).toBe(200);
  expect(page).toContain(`href="${address}"`);
  const back = await request(`/songs/${song.id}/unshare`, { cookie, form: {} });
  expect([back.status, back.headers.get("Location")]).toEqual([303, `${own}#share`]);
  expect(await textOf(own, cookie)).not.toContain("/r/");
});

test("with the account the page ends", async () => {
  const { owner, song, cookie } = await rated([1, 2, 3, 4, 4]);
  const path = await share(song, cookie);
  // Kept at the edge from now on.
  expect((await request(path)).status).toBe(200);
  await request("/account/delete", { cookie, form: {} });
  expect(await rowsOf("SELECT id FROM users WHERE id = ?", owner.id)).toEqual([]);
  expect(await rowsOf("SELECT token FROM shares")).toEqual([]);
  expect((await request(path)).status).toBe(404);
});

test("it is part of the owner's export", async () => {
  const { song, cookie } = await rated([1, 2, 3, 4, 4]);
  const token = (await share(song, cookie)).slice(3);
  const answer = await request("/account/export", { cookie, form: {} });
  const { songs } = await answer.json<{ songs: { shared: unknown }[] }>();
  expect(songs[0]?.shared).toEqual({
    token,
    snapshot: { received: 5, uploads: [{ number: 1, counts: [1, 1, 1, 2] }] },
    publishedAt: expect.stringMatching(/^\d{4}-/),
  });
});

describe("the response", () => {
  test("needs no cookie, sets none, runs no script, and is not for search engines", async () => {
    const { song, cookie } = await rated([1, 2, 3, 4, 4], {
      artUrl: "https://i.scdn.co/image/ab67616d0000b273",
    });
    const path = await share(song, cookie);
    const answer = await request(path);
    const { headers } = answer;
    expect(headers.get("Set-Cookie")).toBeNull();
    expect(headers.get("X-Robots-Tag")).toBe("noindex");
    expect(headers.get("Referrer-Policy")).toBe("same-origin");
    expect(headers.get("Cache-Control")).toBe("public, max-age=0, s-maxage=60");
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("script-src 'none'");
    expect(policy).toMatch(/img-src 'self' data: \S+/);
    expect(policy).not.toContain("stripe");
    const page = await answer.text();
    expect(page).not.toMatch(/<script|modulepreload|nonce=/);
    expect(page).toContain('<meta name="robots" content="noindex"/>');
    expect(await (await request("/robots.txt")).text()).not.toMatch(/ \/r(\/|$)/m);
    expect(await (await request("/sitemap.xml")).text()).not.toContain("/r/");
  });

  test("has a preview in words, with the song's own cover", async () => {
    const artUrl = "https://i.scdn.co/image/ab67616d0000b273";
    const { song, cookie } = await rated([1, 2, 3, 4, 4], { artUrl });
    const path = await share(song, cookie);
    const page = await textOf(path);
    const title = `3 of 5 musicians liked “${song.title}” by ${song.artists[0]}`;
    for (const tag of [
      `<title>${title} - Fivefold</title>`,
      `<meta property="og:title" content="${title}"/>`,
      `<meta property="og:image" content="${artUrl}"/>`,
      '<meta property="og:description" content="Play it to a hundred',
      "Rated: 1 × Not for me, 1 × Mediocore, 1 × Great Song, 2 × Added to my playlist!",
      '<meta name="twitter:card" content="summary"/>',
      `<link rel="canonical" href="${env.APP_ORIGIN}${path}"/>`,
    ]) {
      expect(page).toContain(tag);
    }
  });

  test("shows the product's own picture for a song without a cover", async () => {
    const { song, cookie } = await rated([1, 2, 3, 4, 4], { artUrl: null });
    const page = await textOf(await share(song, cookie));
    expect(page).toContain(`content="${env.APP_ORIGIN}/social.png"`);
    expect(page).toContain('src="/cover-fallback.svg"');
  });

  test("is the same for somebody who is logged in, and for the owner", async () => {
    const { song, cookie } = await rated([1, 2, 3, 4, 4]);
    const path = await share(song, cookie);
    const { cookie: other } = await makeMember();
    const page = await textOf(path);
    for (const member of [other, cookie]) {
      await forgetAtEdge(env.APP_ORIGIN, path);
      expect(await textOf(path, member)).toBe(page);
    }
  });

  test("is kept for a minute whatever the query, and its data are not", async () => {
    const { song, cookie } = await rated([1, 2, 3, 4, 4]);
    const path = await share(song, cookie);
    const counting = countingDatabase(env.DB);
    async function ask(address: string) {
      const execution = createExecutionContext();
      const url = new URL(address, env.APP_ORIGIN);
      const answer = await worker.fetch(
        new Request(url),
        { ...env, DB: counting.binding },
        execution,
      );
      const text = await answer.text();
      await waitOnExecutionContext(execution);
      return { text, headers: answer.headers };
    }
    const first = await ask(`${path}?fbclid=needle`);
    expect(first.text).not.toContain("needle");
    expect(counting.roundTrips()).toBe(1);
    const second = await ask(path);
    expect(counting.roundTrips()).toBe(1);
    expect(second.text).toBe(first.text);
    for (const name of ["Content-Security-Policy", "X-Robots-Tag", "Content-Type"]) {
      expect([name, second.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    }
    expect(second.headers.get("X-Request-Id")).not.toBe(first.headers.get("X-Request-Id"));
    await ask(`${path}?again`);
    expect(counting.roundTrips()).toBe(1);
    await ask(dataOf(path));
    await ask(dataOf(`${path}?again`));
    expect(counting.roundTrips()).toBe(3);
    expect((await ask(path)).text).toBe(first.text);
  });
});
