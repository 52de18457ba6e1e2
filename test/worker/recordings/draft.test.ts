/** A draft: who finds it, what its owner changes of it, and when it can be submitted. */
import { beforeEach, expect, test } from "vitest";
import { tintOfDrawing } from "~/covers/cover-tints.server";
import { gives, hides, holds, isRefused, leads, says, shows } from "../../support/answers";
import { change, row, rows } from "../../support/database/rows";
import { songs } from "../../support/people";
import { browser } from "../../support/people/logins";
import { living, uploader } from "../../support/people/uploader";
import { makeWav } from "../../support/recordings/sound-files";
import { emptyBucket, smallPng } from "../../support/recordings/uploads";

beforeEach(emptyBucket);

const names = async () => (await rows("recordings")).map(({ title, artist }) => [title, artist]);

test("nobody else finds a draft, hears it, deletes it or says that no browser plays it", async () => {
  const id = await (await uploader()).drafts({ cover: smallPng });
  const other = await uploader();
  for (const who of [other, browser()]) {
    for (const path of ["/audio", "/cover"]) {
      const response = await who.gets(`/recordings/${id}${path}`);
      const nowhere = await who.reads(`/recordings/none${path}`);
      expect([response.status, await response.text()]).toEqual([404, nowhere]);
    }
  }
  await gives(other.gets(`/recordings/${id}`), 404);
  expect(await other.deletes(id)).toBe(404);
  await gives(other.posts(`/recordings/${id}/silent`), 404);
  expect(await living()).toMatchObject([{ id, state: "draft", hearing: null }]);
});

test("who may not submit any more still finds their drafts", async () => {
  const who = await uploader();
  const id = await who.drafts({ title: "Second light" });
  await change("users", { id: who.id }, { credits: 0, ratedCount: 0, ratedWithdrawn: 0 });
  await songs(9);
  const link = `href="/recordings/${id}"`;
  await shows(who, "/?menu=addownsong", "Rate 6 more songs", link);
});

test("a draft's title and artist can be changed, with the checks of an upload", async () => {
  const who = await uploader();
  const id = await who.drafts({ title: "Frist light" });
  for (const [title, artist, why] of [
    ["\u200b ", "", "Give your song a title"],
    ["x".repeat(201), "", "too long"],
    ["🎵".repeat(201), "", "too long"],
    ["First light", "x".repeat(201), ""],
  ] as const) {
    await says(who.renames(id, title, artist), 422, why);
  }
  expect(await names()).toEqual([["Frist light", who.displayName]]);
  const both = [1, 2].map(() => who.renames(id, " First\nlight ", "Ada\u202e"));
  for (const answer of await Promise.all(both)) await leads(answer, `/recordings/${id}`);
  expect(await names()).toEqual([["First light", "Ada"]]);
  await who.renames(id, "First light");
  expect(await names()).toEqual([["First light", who.displayName]]);
});

test("a title is composed, and as long as what one sees of it", async () => {
  const who = await uploader();
  const title = "🎵".repeat(101);
  const id = await who.drafts({ title });
  await holds("recordings", { title });
  await gives(who.renames(id, `a${"\u200d\u0301".repeat(500)}`), 303);
  await gives(who.renames(id, "Cafe\u0301 🇦🇹"), 303);
  await holds("recordings", { title: "Caf\u00e9 🇦🇹" });
});

test("only its owner changes a title, and only of a draft", async () => {
  const [who, other] = [await uploader(), await uploader()];
  const id = await who.drafts();
  const nowhere = await (await other.renames("none", "Mine")).text();
  await says(other.renames(id, "Mine"), 404, nowhere);
  await leads(browser().posts(`/recordings/${id}/name`, { title: "Mine" }), "/?ended");
  await who.hearsAndHandsIn(id);
  await says(who.renames(id, "Mine"), 404, "Perhaps you have submitted it");
  const deleted = await other.drafts();
  await other.deletes(deleted);
  await gives(other.renames(deleted, "Mine"), 404);
  expect((await names()).map(([title]) => title)).toEqual(["First light", "First light"]);
  await hides(who, `/recordings/${id}`, `/recordings/${id}/name`);
});

/** A file that was sent before anything was said of it. */
const unsaid = { rights: null, made: null };

test("a file that is sent before anything is said of it is asked about, and not submitted before", async () => {
  const who = await uploader();
  const id = await who.drafts(unsaid);
  const path = `/recordings/${id}`;
  await who.hears(id);
  await says(who.handsIn(id), 409, "Say first how it was made");
  expect(await shows(who, path, "How was it made?")).not.toContain("Submit your song");
  const names = { title: "First light", artist: "" };
  for (const [said, why] of [
    [{ made: "people" }, "Tick"],
    [{ rights: "yes" }, "Say how this recording was made"],
    [{ rights: "yes", made: "it was" }, "Say how this recording was made"],
  ] as const) {
    await says(who.posts(`${path}/name`, { ...names, ...said }), 422, why);
  }
  await says(who.handsIn(id), 409, "Say first how it was made");
  await leads(who.posts(`${path}/name`, { ...names, rights: "yes", made: "partly" }), path);
  await shows(who, path, "Partly generated", "Submit your song");
  await gives(who.handsIn(id), 303);
  await holds("songs", { made: "partly" });
});

test("what a machine has generated goes once that is said of it", async () => {
  const who = await uploader();
  const id = await who.drafts(unsaid);
  const said = { title: "First light", artist: "", rights: "yes", made: "generated" };
  await says(who.posts(`/recordings/${id}/name`, said), 422, "only songs that people have made");
  expect(await living()).toEqual([]);
});

test.each([
  ["-142", -142],
  ["-701", null],
  ["loud", null],
])("the loudness %s that a page has measured is kept as %s", async (loudness, kept) => {
  const who = await uploader();
  const said = { title: "First light", artist: "", loudness };
  await gives(who.posts(`/recordings/${await who.drafts(unsaid)}/name`, said), 303);
  await holds("recordings", { state: "draft", loudness: kept, made: null });
});

test("a draft is submitted by who has heard some seconds of it", async () => {
  const who = await uploader();
  const file = makeWav(20);
  const id = await who.drafts({ file });
  const path = `/recordings/${id}`;
  const isHeard = async () => (await row("recordings")).hearing === "heard";
  await says(who.handsIn(id), 409, "Hear it first");
  await shows(who, path, "<p>Hear it first");
  // What browsers read of it to know what it is.
  const second = Math.floor(file.length / 20);
  const hears = async (Range: string) =>
    (await who.gets(`${path}/audio`, { headers: { Range } })).arrayBuffer();
  for (const range of ["bytes=0-1", `bytes=0-${2 * second}`, `bytes=-${2 * second}`]) {
    await hears(range);
    await who.gets(`${path}/audio`, { method: "HEAD" });
  }
  await (await uploader()).hears(id);
  expect(await isHeard()).toBe(false);
  await hears(`bytes=0-${Math.ceil(3.1 * second)}`);
  expect(await isHeard()).toBe(true);
  await hides(who, path, "<p>Hear it first");
  await gives(who.handsIn(id), 303);
  await holds("recordings", { state: "submitted", hearing: "heard" });
});

test("a draft that its owner's browser cannot play is not submitted until one plays it", async () => {
  const who = await uploader();
  const id = await who.drafts();
  await who.hears(id);
  const tell = async () => (await who.posts(`/recordings/${id}/silent`)).status;
  expect(await tell()).toBe(303);

  const silent = "could not play this file";
  await says(who.handsIn(id), 409, silent);
  expect(await shows(who, `/recordings/${id}`, silent)).not.toContain("Submit your song");
  await who.hearsAndHandsIn(id);
  expect(await tell()).toBe(404);
});

test("the database itself has nothing submitted that was not heard", async () => {
  await (await uploader()).drafts();
  await isRefused(change("recordings", {}, { state: "submitted" }), "recordings_heard");
});

test("a draft is submitted once, however often the form is sent, and heard by its owner after that", async () => {
  const who = await uploader();
  const id = await who.drafts();
  const page = await who.reads(`/recordings/${id}`);
  const key = /name="key" value="([^"]+)"/.exec(page)?.[1] ?? "";
  await who.hears(id);
  const presses = [1, 2].map(() => who.handsIn(id, { key }));
  for (const { status } of await Promise.all(presses)) expect(status).toBe(303);
  const song = { ownerId: who.id, title: "First light", entitled: 5, ownRecordingId: id };
  const { drawnFrom } = await row("recordings");
  await holds("songs", { ...song, tint: tintOfDrawing(drawnFrom ?? "") });
  await holds("recordings", { state: "submitted" });
  await gives(who.gets(`/recordings/${id}/audio`), 200);
  expect(await who.deletes(id)).toBe(404);
  await says((await uploader()).handsIn(id), 404, "not here");
  await gives(who.posts("/submissions"), 422);
});
