/** Songs that credit the listener: nobody rates what they have a part in. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import * as index from "~/routes/_index/route";
import { trackOf } from "../../support/catalogue";
import { baseTime, freePrice } from "../../support/database/factories";
import { putInRotation, rateSongs } from "../../support/database/rotation";
import { change, row, rows } from "../../support/database/rows";
import { measure } from "../../support/measure";
import { idsOf, type Someone, someone, song, songs } from "../../support/people";
import { dataOf } from "../../support/request";
import { control } from "../../support/sandbox";

const track = trackOf("mara-lind", 3);

async function member(options: Parameters<typeof someone>[0] = {}) {
  return (await someone(options)).at(baseTime + 1);
}

/** What they may choose to submit, where a search finds nothing. */
function addSong(by: Someone) {
  const none = async () => ({ items: [], more: false });
  return by.addSong({}, { searchTracks: none, searchCatalogue: none });
}

/** Gives the account another name at Spotify. */
function rename({ id }: Someone, displayName: string) {
  return change("users", { id }, { displayName });
}

test("a song that credits the listener by name, first or last, is offered to others alone", async () => {
  const user = await member({ displayName: "Mara  LIND" });
  const credited = [
    await song({ artists: ["Mara Lind"] }),
    await song({ artists: ["Somebody", "mara lind"] }),
  ];
  const other = await song({ artists: ["Mara Lindt"] });
  expect(await user.offered()).toEqual([other.id]);
  expect(await (await member()).offered()).toEqual(idsOf([...credited, other]));
});

test("a submission makes known who the listener is at Spotify", async () => {
  const user = await member({ credits: freePrice });
  const found = { ...track, artists: ["Mara", "A star"], artistIds: ["0mara", "0star"] };
  expect(await user.submits(found)).toMatchObject({ title: track.title });
  expect(await row("songs")).toMatchObject({ artistIds: found.artistIds });
  expect(await user.now()).toMatchObject({ ownArtists: { "0mara": "Mara" } });

  await song({ artists: ["Another", "M."], artistIds: ["0x", "0mara"] });
  const star = await song({ artists: ["A star"], artistIds: ["0star"] });
  expect(await user.offered()).toEqual([star.id]);
});

test("submitting the song again stores the ids of one that had none, and adds to those known", async () => {
  const user = await member({ credits: freePrice });
  const first = await song({ owner: user, artistIds: ["0band"], artists: ["My Band"] });
  const old = await song({ ...track, owner: user, artists: ["Mara"] });
  const found = { ...track, artists: ["Mara"], artistIds: ["0mara"] };
  await user.submits(found);
  expect(await first.now()).toMatchObject({ artistIds: ["0band"] });
  expect(await old.now()).toMatchObject({ artistIds: ["0mara"] });
  const ownArtists = { "0band": "My Band", "0mara": "Mara" };
  expect(await user.now()).toMatchObject({ ownArtists });
});

test("where only such songs are left, there is nothing to rate and a submission costs nothing", async () => {
  const user = await member({ displayName: "Mara Lind" });
  // A submission of long ago, so that the terms of a scarce pool apply.
  await song({ owner: user, submittedAt: [1], received: 5 });
  await songs(3, { artists: ["Mara Lind"] });
  const eligibility = { eligible: true, cost: 0, limited: true };
  expect((await user.carousel()).view).toMatchObject({ state: "empty", eligibility });
  expect(await addSong(user)).toMatchObject({ noneAvailable: true });
  await rename(user, "Another Name");
  expect(await user.offered()).toHaveLength(3);
  expect(await addSong(user)).toMatchObject({ noneAvailable: false });
});

test("an owner's third song is found where the two in line credit the listener", async () => {
  const user = await member({ displayName: "Mara Lind" });
  const owner = await someone();
  await songs(2, { owner, artists: ["Mara Lind"] });
  const third = await song({ owner });
  expect(await user.offered()).toEqual([third.id]);
});

test("what the walk remembers holds such a song ready for the day the name changes", async () => {
  const user = await member({ displayName: "Mara Lind", lastSeenAt: Date.now() - 120_000 });
  await putInRotation(1, 400);
  await rateSongs(user, 1, 150);
  const id = "song-00000151";
  await change("songs", { id }, { artists: ["Mara Lind"] });
  const cookie = await user.login();
  const look = () => measure(index.loader, { path: "/", cookie });
  await look();
  expect(await rows("poolWindows")).toHaveLength(1);
  await rateSongs(user, 152, 400);
  await env.DB.prepare("DELETE FROM packages").run();
  await change("sessions", {}, { lastSeenAt: 0 });
  await look();
  expect(await rows("packages")).toEqual([]);
  await rename(user, "Another Name");
  expect(await user.offered()).toEqual([id]);
});

test("a song in a package drawn before may be played all the same", async () => {
  const musician = "tomoe-kazahaya";
  await control("reset", { musician });
  await control("openApp", { musician });
  const it = await song(track);
  const listener = await someone({ displayName: "Mara Lind", offered: [it], musician });
  expect((await listener.sends(`/songs/${it.id}/play`)).status).toBe(200);
});

test("no page tells the ids of artists", async () => {
  const user = await someone();
  await song({ artistIds: ["0of-an-artist"] });
  await song({ owner: user, artistIds: ["0of-an-artist-too"] });
  for (const path of ["/", ...["/", "/ratings-of-my-songs", "/account"].map(dataOf)]) {
    expect(await user.reads(path)).not.toContain("0of-an-artist");
  }
});
