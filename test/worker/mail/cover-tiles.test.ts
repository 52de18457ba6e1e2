import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { baseTime, makeOwnSong, makeSong, makeUser } from "../../support/database/factories";
import { hides, shows } from "../../support/expectations";
import { addressOf, deliver, mailsTo, owe, oweSubmission } from "../../support/mails";

const tile = /width="96" height="96" style="background-color:#/;

test.each([
  ["drawn", {}, null, true],
  ["one that came with the file", {}, "png", false],
  ["drawn since its file has ended", { fileEndedAt: baseTime }, "png", true],
])("an own recording whose cover is %s has a tile in its mails, or none", async (...given) => {
  const [, options, type, isShown] = given;
  const owner = await makeUser();
  const song = await makeOwnSong(owner, options);
  await env.DB.prepare(
    "UPDATE recordings SET cover_type = ?, cover_bytes = iif(?1 IS NULL, NULL, 9)",
  )
    .bind(type)
    .run();
  const find = env.DB.prepare("SELECT id FROM submissions WHERE song_id = ?").bind(song.id);
  await deliver([await owe(owner.id, "submission", (await find.first<string>("id")) ?? "")]);
  const [sent] = await mailsTo(addressOf(owner));
  expect(tile.test(sent?.html ?? "")).toBe(isShown);
});

test("a song of Spotify's has neither tile nor picture in a mail, and what is in a title makes none", async () => {
  const owner = await makeUser({ ownEmail: "titled@mail.example" });
  const title = '<img src="cid:x">';
  await deliver([
    await oweSubmission(await makeSong(owner, { title, artUrl: "https://i.scdn.co/image/x" })),
  ]);
  const [sent] = await mailsTo("titled@mail.example");
  shows(sent?.html, "cid:x");
  hides(sent?.html, tile, /<img|scdn/);
});
