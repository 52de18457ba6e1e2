/** Names, titles and words that nobody can see, on their way through the product. */
import { beforeEach, expect, test } from "vitest";
import { skipWaits } from "../../support/clock";
import { freePrice } from "../../support/database/factories";
import { row, rows } from "../../support/database/rows";
import { makeOperator } from "../../support/operator";
import { someone, song } from "../../support/people";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";
import { cookieOf, logIn } from "../session/login-flow";

beforeEach(skipWaits);

const filler = "\u3164";

interface Made {
  musician: { id: string };
  songs: { id: string }[];
}

function made(name: string, titles: string[]): Promise<Made> {
  return control<Made>("musician", { name, titles });
}

/** Somebody who has submitted the first song of that musician. */
async function submitted({ musician, songs }: Made) {
  const user = await someone({ credits: freePrice, musician: musician.id });
  const form = { trackId: songs[0]?.id ?? "", key: crypto.randomUUID() };
  expect((await user.posts("/submissions", form)).status).toBe(303);
  return user;
}

test("a member and a song whose names nobody can see have names to go by, and can search", async () => {
  const nameless = await made(" ", [filler]);
  const { musician } = nameless;
  const cookie = cookieOf(await logIn(musician.id), "__Host-session");
  expect(await row("users")).toMatchObject({ displayName: musician.id });
  const screen = await (await request("/?menu=addownsong", { cookie })).text();
  expect(screen).not.toContain("could not search");

  const user = await submitted(nameless);
  const { title, artists } = await row("songs");
  expect([title, artists[0]]).toEqual(["Untitled", "Unknown artist"]);
  const list = await user.reads("/ratings-of-my-songs");
  expect(list).toContain("Untitled");
  expect(list).not.toContain(filler);
  // The artist that all of these share is nobody, so that their songs are not looked for.
  const again = await user.reads("/?menu=addownsong");
  expect(again).not.toContain("Songs by <bdi>Unknown artist");
});

test("names are stored as they come out again: on one line, in whole letters, without piles of marks", async () => {
  const mark = "\u0489";
  await submitted(await made("Ro\ud800bin", [`Ti\udc00tle${mark.repeat(400)}\r\nof\0 two`]));
  const { title, artists } = await row("songs");
  expect([title, artists[0]]).toEqual([`Title${mark.repeat(8)} of two`, "Robin"]);
});

test.each([filler, "\u200b", " \u00a0 ", "\u2800", "\u202e"])(
  "a search for %j is none",
  async (words) => {
    const { musician } = await made("Tam Oduya", ["Slow Water"]);
    const user = await someone({ musician: musician.id });
    await user.gets(`/?${new URLSearchParams({ menu: "addownsong", q: words })}`);
    const asked = (await sandboxRequests(musician.id)).filter(({ path }) => path === "/v1/search");
    expect(asked.map(({ query }) => query.q)).not.toContain(words);
  },
);

async function reports(words: string) {
  const it = await song();
  const user = await someone({ offered: [it] });
  return user.posts(`/songs/${it.id}/pass`, { reason: "report", words });
}

test.each([filler, " \u200b\n", "\u2800"])("%j in a report are no words", async (words) => {
  expect((await reports(words)).status).toBe(422);
  expect(await rows("reports")).toEqual([]);
});

test("a report's words keep what belongs to them, and turn nothing round", async () => {
  await reports(" \u202eنمی\u200cدانم\u2066 ");
  expect(await row("reports")).toMatchObject({ words: "نمی\u200cدانم" });
});

test("a decision needs a reason that its owner can see", async () => {
  const { act } = await makeOperator();
  const { id: user } = await someone();
  for (const reason of [filler, "\u200b\u200b", "\u2800 "]) {
    const { status } = await act({ do: "lock", user, reason });
    expect([reason, status]).toEqual([reason, 422]);
  }
  expect(await rows("submissionLocks")).toEqual([]);
});
