import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { rowsOf } from "../../support/database/contents";
import { baseTime, makeOwnSong, makeSong, makeUser } from "../../support/database/factories";
import {
  addressOf,
  consume,
  deliver,
  failMails,
  letTimePass,
  mailsTo,
  owe,
} from "../../support/mails";

const drawnFrom = "ab".repeat(32);
const png = /^iVBORw0KGgo/;

async function makeAdded(options: Parameters<typeof makeOwnSong>[1] = { drawnFrom }) {
  const owner = await makeUser();
  const song = await makeOwnSong(owner, options);
  const find = env.DB.prepare("SELECT id FROM submissions WHERE song_id = ?").bind(song.id);
  const mail = await owe(owner.id, "submission", (await find.first<string>("id")) ?? "");
  return { owner, song, mail };
}

async function setCover(recording: { id: string }): Promise<void> {
  await env.DB.prepare("UPDATE recordings SET cover_type = 'png', cover_bytes = 9 WHERE id = ?")
    .bind(recording.id)
    .run();
}

test("a mail about an own recording has its drawn cover in itself, which its page shows", async () => {
  const { owner, mail } = await makeAdded();
  await deliver([mail]);
  const [sent] = await mailsTo(addressOf(owner));
  expect(sent?.html.match(/<img[^>]*>/g)).toEqual([
    expect.stringContaining(`src="cid:${drawnFrom}"`),
  ]);
  expect(sent?.attachments).toEqual([
    { filename: "cover-1.png", content_id: drawnFrom, content: expect.stringMatching(png) },
  ]);
  // A sent mail keeps no content.
  expect(await rowsOf("SELECT state, pictures FROM outbox")).toEqual([
    { state: "sent", pictures: null },
  ]);
});

test("each attempt sends the same picture", async () => {
  const { owner, mail } = await makeAdded();
  await failMails(addressOf(owner), { status: 500 });
  await consume([mail], { now: () => baseTime });
  const [kept] = await rowsOf("SELECT state, pictures FROM outbox");
  expect(kept).toEqual({ state: "pending", pictures: expect.stringContaining(drawnFrom) });
  await letTimePass();
  await deliver([mail]);
  const [sent, ...more] = await mailsTo(addressOf(owner));
  const [picture] = JSON.parse((kept as { pictures: string }).pictures);
  expect([sent?.attachments[0]?.content, more]).toEqual([picture.content, []]);
});

test("a cover that came with the file is in no mail, and the drawn one is once the file has ended", async () => {
  const [kept, ended] = [
    await makeAdded({ drawnFrom: "cd".repeat(32) }),
    await makeAdded({ drawnFrom, fileEndedAt: baseTime }),
  ];
  for (const { song } of [kept, ended]) await setCover(song.recording);
  await deliver([kept.mail, ended.mail]);
  const attached = async ({ owner }: typeof kept) =>
    (await mailsTo(addressOf(owner)))[0]?.attachments.map(({ content_id: id }) => id);
  expect([await attached(kept), await attached(ended)]).toEqual([[], [drawnFrom]]);
});

test("a song of Spotify's has no picture in a mail, and what is in a title makes none", async () => {
  const owner = await makeUser({ ownEmail: "titled@mail.example" });
  const title = ` src="cid:${drawnFrom}" <img src="cid:x">`;
  const song = await makeSong(owner, { title, artUrl: "https://i.scdn.co/image/x" });
  const find = env.DB.prepare("SELECT id FROM submissions WHERE song_id = ?").bind(song.id);
  const mail = await owe(owner.id, "submission", (await find.first<string>("id")) ?? "");
  await deliver([mail]);
  const [sent] = await mailsTo("titled@mail.example");
  expect(sent?.attachments).toEqual([]);
  expect(sent?.html).not.toMatch(/<img|scdn/);
});
