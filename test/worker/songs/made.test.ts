/** How a song was made: said wherever one is given, stored with it, refused or labelled (rule 48, made). */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { hourMs } from "~/platform/dates";
import { howMade } from "~/sources/made";
import { gives, hides, holds, led, says, shows } from "../../support/answers";
import { trackOf } from "../../support/catalogue";
import { freePrice, giveRatings, makeRating } from "../../support/database/factories";
import { change, row, rows } from "../../support/database/rows";
import { fill, type Someone, someone, song } from "../../support/people";
import { round } from "../../support/people/rounds";
import { living, uploader } from "../../support/people/uploader";
import { makeWav } from "../../support/recordings/sound-files";
import { bucketKeys, emptyBucket } from "../../support/recordings/uploads";

const musician = "mara-lind";
const { trackId } = trackOf(musician, 3);
const labelled = { ...env, GENERATED: "labelled" };
const refusal = /only songs that people have made/;

beforeEach(emptyBucket);

const owner = () => someone({ credits: 2 * freePrice, musician });

function submit(who: Someone, given: Record<string, string>, bindings: object = env) {
  return who.sends("/submissions", { trackId, ...given }, { bindings });
}

test.each(howMade)("a track is submitted as its owner says: %s", async (made) => {
  await gives(submit(await owner(), { made }, labelled), 200);
  await holds("songs", { made });
});

test("the page asks of a track, and proposes that people made it; without a word that counts", async () => {
  const who = await owner();
  const page = await shows(who, `/?menu=addownsong&track=${trackId}`, "You say so by submitting");
  expect(page).toMatch(/<input type="radio" name="made" required="" checked="" value="people"\/>/);
  await gives(submit(who, {}), 200);
  await holds("songs", { made: "people" });
});

test.each([
  ["generated", refusal],
  ["it was", /say how it was made/],
])("a track that is said to be “%s” is refused, and nothing is changed", async (made, words) => {
  const who = await owner();
  await says(submit(who, { made }), 422, words);
  const none = { credits: 2 * freePrice, submittedCount: 0, ownArtists: {} };
  expect([await who.now(), await rows("songs")]).toMatchObject([none, []]);
});

test("a track that is submitted again is what its owner says of it then", async () => {
  const who = await owner();
  await gives(submit(who, {}), 200);
  await gives(submit(who, { made: "partly" }), 200);
  await holds("songs", { made: "partly", entitled: 10 });
});

test("an upload keeps its word as a draft, and its song has it", async () => {
  const who = await uploader();
  const id = await who.drafts({ made: "partly" });
  await holds("recordings", { made: "partly" });
  await shows(who, `/recordings/${id}`, ">Partly generated<");
  // What is said of a track counts for nothing here.
  await who.hearsAndHandsIn(id, { made: "people" });
  await holds("songs", { made: "partly" });
});

test("a generated upload is kept where such songs are labelled, and not submitted once they are refused", async () => {
  const who = await uploader();
  await says(who.uploads({ made: "generated" }), 422, refusal);
  expect([await living(), await bucketKeys()]).toEqual([[], []]);
  const [, to] = led(await who.uploads({ made: "generated" }, labelled));
  const id = to?.replace("/recordings/", "") ?? "";
  await who.hears(id);
  await says(who.handsIn(id), 422, refusal);
  expect(await rows("songs")).toEqual([]);
  await gives(who.posts("/submissions", { recording: id }, { bindings: labelled }), 303);
  await holds("songs", { made: "generated" });
});

test("a new mix is asked anew, and the song has its word", async () => {
  const who = await uploader();
  await who.hearsAndHandsIn(await who.drafts({ made: "partly" }));
  const { id } = await row("songs");
  await fill({ id, ownerId: who.id, recording: { id: "", ownerId: who.id, hash: "" } });
  await giveRatings(who, 12);
  await hides(who, `/?menu=addownsong&mix=${id}`, 'checked=""');
  const [, to] = led(await who.uploads({ file: makeWav(7), song: id }));
  await who.hearsAndHandsIn(to?.replace("/recordings/", "") ?? "", { song: id });
  await holds("songs", { made: "people", entitled: 10 });
});

test("a track that is handed in to a round is as its owner says, and is offered with that word again", async () => {
  const it = await round({ members: 2, seats: 8, at: Date.now() });
  const who = await owner();
  const path = `/rounds/${it.token}`;
  await says(who.posts(`${path}/hand-in`, { trackId, made: "generated" }), 422, refusal);
  await says(who.posts(`${path}/hand-in`, { trackId, made: "it was" }), 422, /how it was made/);
  expect(await rows("songs", { ownerId: who.id })).toEqual([]);
  await gives(who.posts(`${path}/hand-in`, { trackId, made: "partly" }), 303);
  await holds("songs", { made: "partly" }, { ownerId: who.id });

  const other = await song({ owner: who, submittedAt: [], made: "partly" });
  const field = '<input type="hidden" name="made" value="partly"/>';
  await shows(who, `${path}?seat`, other.title, field);
  await who.posts(`${path}/seat`);
  await shows(who, `/?menu=addownsong&track=${trackOf(musician, 4).trackId}`, 'name="made"');
});

test.each([
  ["people", 0, 0],
  ["partly", 1, 0],
  ["generated", 0, 1],
] as const)(
  "what people have not made alone is labelled wherever the song stands: %s",
  async (made, partly, generated) => {
    const it = await song({ made });
    const user = await someone({ offered: [it], musician: "nerys-pengelly" });
    async function labels(who: Someone, ...paths: string[]): Promise<void> {
      for (const path of paths) {
        const page = await who.reads(path);
        const found = [/>Partly generated</g, />Generated</g].map(
          (label) => page.match(label)?.length ?? 0,
        );
        expect([path, ...found]).toEqual([path, partly, generated]);
      }
    }
    await labels(user, "/", `/songs/${it.id}/pass/reason`);
    await makeRating(user, it);
    await labels(user, "/rated", `/songs/${it.id}/playlist`);
    for (let n = 0; n < 4; n += 1) await makeRating(await someone(), it);
    const result = `/ratings-of-my-songs/${it.id}`;
    await labels(it.owner, result);
    const shared = await it.owner.sends(`/songs/${it.id}/share`);
    const { address } = await shared.json<{ address: string }>();
    await labels(it.owner, new URL(address).pathname);
  },
);

test("the wall of a round labels its songs", async () => {
  const it = await round({ at: Date.now() - hourMs });
  const [one, other] = it.members;
  if (!one || !other) throw new Error("nobody");
  await change("songs", { id: other.song.id }, { made: "partly" });
  it.at(Date.now() - 60_000);
  for (const member of it.members) await it.listens(member);
  await one.doesWithOwn(it.token, "open");
  await shows(one, `/rounds/${it.token}`, ">Partly generated<");
});

test("the export has each song's and recording's word", async () => {
  const who = await uploader();
  await who.hearsAndHandsIn(await who.drafts({ made: "partly" }));
  const data = await (await who.posts("/account/export")).json();
  expect(data).toMatchObject({
    songs: [{ made: "partly" }],
    ownRecordings: [{ made: "partly" }],
  });
});

test.each([
  [env, "No: Fivefold takes songs that people have made"],
  [labelled, "Yes, if you say so when you submit it"],
])("the FAQ says the rule as it is set", async (bindings, text) => {
  expect(await (await (await someone()).gets("/faq", { bindings })).text()).toContain(text);
});
