import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { rowsOf } from "../../support/database/contents";
import { makeOwnRecording, makeOwnSong, makeUser } from "../../support/database/factories";
import { emptyBucket, makeUploader, uploaded } from "../../support/recordings/uploads";
import { request } from "../../support/request";

beforeEach(emptyBucket);

async function listOn(cookie: string): Promise<string> {
  const page = await (await request("/account", { cookie })).text();
  const [section = ""] = /<section id="recordings">.*?<\/section>/s.exec(page) ?? [];
  return section.replace(/<\/?(span|bdi)[^>]*>/g, "");
}

test("the account page lists one's own recordings, with size, state and a way to each", async () => {
  const { user, cookie } = await makeUploader();
  const draft = await uploaded(cookie, { title: "Draft" });
  const running = await makeOwnSong(user, { title: "Running" });
  const resting = await makeOwnSong(user, { title: "Resting" });
  const gone = await makeOwnSong(user, { title: "Gone", fileEndedAt: Date.UTC(2026, 2, 3) });
  await makeOwnRecording(user, { title: "Given up", fileEndedAt: 1 });
  await makeOwnRecording(user, { title: "Arriving", state: "arriving" });
  await makeOwnSong(await makeUser(), { title: "Another's" });
  const out = "UPDATE songs SET resting_since = ?, withdrawn = 1 WHERE id = ?";
  for (const { id } of [resting, gone]) {
    await env.DB.prepare(out)
      .bind(Date.UTC(2026, 1, 1), id)
      .run();
  }
  const list = await listOn(cookie);
  expect(list.match(/<li>/g)?.length).toBe(4);
  expect(list).toMatch(
    new RegExp(`/recordings/${draft}">Draft</a>.*?MB. Not submitted. It is deleted`),
  );
  expect(list).toMatch(new RegExp(`/${running.id}">Running</a>.*?MB. In the rotation`));
  expect(list).toMatch(new RegExp(`/${resting.id}">Resting</a>.*?kept until 2 May 2026`));
  expect(list).toMatch(
    new RegExp(`/${gone.id}">Gone</a>.*?deleted on 3 Mar 2026. The ratings stay`),
  );
  expect(list.match(/\/delete"/g)?.length).toBe(1);
});

test("a draft is deleted from there, and who has none sees no list", async () => {
  const { cookie } = await makeUploader();
  const id = await uploaded(cookie);
  const press = () => request(`/recordings/${id}/delete`, { cookie, form: { next: "/account" } });
  const deletion = await press();
  expect([deletion.status, deletion.headers.get("Location")]).toEqual([303, "/account"]);
  expect(await (await press()).text()).toContain("Back to your account");
  expect(await rowsOf("SELECT id FROM recordings WHERE file_ended_at IS NULL")).toEqual([]);
  expect(await listOn(cookie)).toBe("");
  const elsewhere = { next: "//evil.example" };
  expect((await request(`/recordings/${id}/delete`, { cookie, form: elsewhere })).status).toBe(422);
});
