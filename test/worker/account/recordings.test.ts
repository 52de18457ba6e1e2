import { beforeEach, expect, test } from "vitest";
import { gives, leads } from "../../support/answers";
import { makeOwnRecording } from "../../support/database/factories";
import { change } from "../../support/database/rows";
import { ownSong, type Someone } from "../../support/people";
import { living, uploader } from "../../support/people/uploader";
import { emptyBucket } from "../../support/recordings/uploads";

beforeEach(emptyBucket);

async function listOf(who: Pick<Someone, "reads">): Promise<string> {
  const page = await who.reads("/account");
  const [section = ""] = /id="recordings">.*?(?=<details class="panel")/s.exec(page) ?? [];
  return section.replace(/<\/?(span|bdi)[^>]*>/g, "");
}

test("the account page lists one's own recordings, with size, state and a way to each", async () => {
  const owner = await uploader();
  const draft = await owner.drafts({ title: "Draft" });
  const running = await ownSong({ owner, title: "Running" });
  const resting = await ownSong({ owner, title: "Resting" });
  const gone = await ownSong({ owner, title: "Gone", fileEndedAt: Date.UTC(2026, 2, 3) });
  await makeOwnRecording(owner, { title: "Given up", fileEndedAt: 1 });
  await makeOwnRecording(owner, { title: "Arriving", state: "arriving" });
  await ownSong({ title: "Another's" });
  const out = { restingSince: Date.UTC(2026, 1, 1), withdrawn: true };
  for (const { id } of [resting, gone]) await change("songs", { id }, out);
  const list = await listOf(owner);
  expect(list.match(/<li>/g)).toHaveLength(4);
  for (const entry of [
    `/recordings/${draft}">Draft</a>.*?MB. Not submitted. It is deleted`,
    `/${running.id}">Running</a>.*?MB. In the rotation`,
    `/${resting.id}">Resting</a>.*?kept until 2 May 2026`,
    `/${gone.id}">Gone</a>.*?deleted on 3 March 2026. The ratings stay`,
  ]) {
    expect(list).toMatch(new RegExp(entry));
  }
  expect(list.match(/\/delete"/g)).toHaveLength(1);
});

test("a draft is deleted from there, and who has none sees no list", async () => {
  const who = await uploader();
  const path = `/recordings/${await who.drafts()}/delete`;
  const press = (next = "/account") => who.posts(path, { next });
  await leads(press(), "/account");
  expect(await (await press()).text()).toContain("Back to your account");
  expect([await living(), await listOf(who)]).toEqual([[], ""]);
  await gives(press("//evil.example"), 422);
});
