/** Explicit songs are marked on each screen that shows them, as Spotify marks them, and no others are. */
import { beforeEach, expect, test } from "vitest";
import { trackOf } from "../../support/catalogue";
import { skipWaits } from "../../support/clock";
import { freePrice, makeRating } from "../../support/database/factories";
import { type Someone, someone, song } from "../../support/people";
import { control } from "../../support/sandbox";

const musician = "nerys-pengelly";
const { trackId } = trackOf("petra-wolkenstein", 2);

beforeEach(skipWaits);

async function expectMarks(by: Someone, explicit: boolean, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    const page = await by.gets(path);
    const marks = (await page.text()).split(">Explicit<").length - 1;
    expect([path, page.status, marks]).toEqual([path, 200, explicit ? 1 : 0]);
  }
}

test.each([true, false])(
  "whoever is to rate a song, or has, sees whether it is explicit (%s)",
  async (explicit) => {
    const it = await song({ explicit });
    const user = await someone({ offered: [it], musician });
    await expectMarks(user, explicit, "/", `/songs/${it.id}/pass/reason`);
    await makeRating(user, it);
    await expectMarks(user, explicit, "/rated", `/songs/${it.id}/playlist`);
  },
);

test.each([true, false])("a song's owner sees whether it is explicit (%s)", async (explicit) => {
  const owner = await someone({ credits: freePrice, musician });
  await control("track", { trackId, explicit });
  await expectMarks(owner, explicit, `/?menu=addownsong&track=${trackId}`);
  const added = await owner.posts("/submissions", { trackId, key: crypto.randomUUID() });
  expect(added.status).toBe(303);
  const confirmation = added.headers.get("Location") ?? "";
  await expectMarks(owner, explicit, confirmation, "/ratings-of-my-songs");
  await control("track", { trackId });
});
