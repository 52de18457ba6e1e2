/** Explicit songs are marked on each screen that shows them, as Spotify marks them, and no others are. */
import { beforeEach, expect, test } from "vitest";
import { trackOf } from "../../support/catalogue";
import { skipWaits } from "../../support/clock";
import {
  freePrice,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
} from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";

const musician = "nerys-pengelly";
const { trackId } = trackOf("petra-wolkenstein", 2);

beforeEach(skipWaits);

/** How many marks a page has. */
async function marks(path: string, cookie: string): Promise<number> {
  const page = await request(path, { cookie });
  expect([path, page.status]).toEqual([path, 200]);
  return (await page.text()).split(">Explicit<").length - 1;
}

test.each([true, false])(
  "to whoever is to rate the song, or has (explicit: %s)",
  async (explicit) => {
    const song = await makeSong(await makeUser(), { explicit });
    const user = await makeUser();
    await makePackage(user, [song]);
    const { cookie } = await makeSession(user, { musician });
    const count = explicit ? 1 : 0;
    expect(await marks("/", cookie)).toBe(count);
    expect(await marks(`/songs/${song.id}/pass/reason`, cookie)).toBe(count);
    await makeRating(user, song);
    expect(await marks("/rated", cookie)).toBe(count);
    expect(await marks(`/songs/${song.id}/playlist`, cookie)).toBe(count);
  },
);

test.each([true, false])("to its owner (explicit: %s)", async (explicit) => {
  const owner = await makeUser({ credits: freePrice });
  const { cookie } = await makeSession(owner, { musician });
  await control("track", { trackId, explicit });
  const count = explicit ? 1 : 0;
  expect(await marks(`/?menu=addownsong&track=${trackId}`, cookie)).toBe(count);
  const form = { trackId, key: crypto.randomUUID() };
  const added = await request("/submissions", { cookie, form });
  expect(added.status).toBe(303);
  const confirmation = added.headers.get("Location") ?? "";
  expect(await marks(confirmation, cookie)).toBe(count);
  expect(await marks("/ratings-of-my-songs", cookie)).toBe(count);
  await control("track", { trackId });
});
