import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { reasonBits } from "~/exchange/rating/reasons";
import { rowsOf } from "../../support/database/contents";
import { makeRating, makeSong, makeUser } from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
import { request } from "../../support/request";

const minute = 60_000;

/** Somebody who rated a song so many minutes ago. */
async function rated(minutesAgo = 1) {
  const song = await makeSong(await makeUser());
  const rater = await makeUser();
  await makeRating(rater, song, { at: Date.now() - minutesAgo * minute });
  const { cookie } = await makeSession(rater);
  return { song, rater, cookie, path: `/songs/${song.id}/reasons` };
}

async function stored(): Promise<unknown[]> {
  return (await rowsOf("SELECT reasons FROM ratings")).map(
    (row) => (row as { reasons: unknown }).reasons,
  );
}

const grooveAndSound = reasonBits({ liked: ["Groove"], improve: ["Sound"] });

test("reasons by form are stored, and lead back to the confirmation, which says thanks", async () => {
  const { song, cookie, path } = await rated();
  const before = await (await request(`/?rated=${song.id}`, { cookie })).text();
  expect(before).toContain("What could be better?");
  const body = new URLSearchParams([
    ["liked", "Groove"],
    ["liked", "Melody"],
    ["improve", "Sound"],
  ]).toString();
  const answer = await request(path, {
    cookie,
    body,
    headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" },
  });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/?rated=${song.id}`]);
  expect(await stored()).toEqual([reasonBits({ liked: ["Groove", "Melody"], improve: ["Sound"] })]);
  const after = await (await request(`/?rated=${song.id}`, { cookie })).text();
  expect(after).toContain("Thank you for saying why.");
  expect(after.match(/<input[^>]* checked=""/g)).toHaveLength(3);
});

test("reasons by script get a JSON response, one value or a list", async () => {
  const { cookie, path } = await rated();
  const json = { liked: "Groove", improve: ["Sound"] };
  const answer = await request(path, { cookie, json: json as Record<string, unknown> });
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
  expect(await stored()).toEqual([grooveAndSound]);
});

test("reasons are changed and taken back, and the last ones count", async () => {
  const { cookie, path } = await rated(14);
  for (const json of [{ liked: "Melody" }, { liked: "Groove", improve: "Sound" }]) {
    expect((await request(path, { cookie, json })).status).toBe(200);
  }
  expect(await stored()).toEqual([grooveAndSound]);
  expect((await request(path, { cookie, json: {} })).status).toBe(200);
  expect(await stored()).toEqual([null]);
});

test("after fifteen minutes nobody is asked any more, and an answer is refused", async () => {
  const { song, cookie, path } = await rated(15);
  const page = await (await request(`/?rated=${song.id}`, { cookie })).text();
  expect(page).not.toContain("What could be better?");
  const late = await request(path, { cookie, json: { liked: "Groove" } });
  expect(late.status).toBe(409);
  expect(await late.json()).toEqual({
    error: "You can say why for 15 minutes after your rating. It counts either way.",
  });
  expect(await stored()).toEqual([null]);
});

test.each([
  { what: "four", json: { liked: ["Vocals", "Melody", "Lyrics"], improve: ["Sound"] } },
  { what: "one on both sides", json: { liked: "Vocals", improve: "Vocals" } },
  { what: "one that is no aspect", json: { liked: "Volume" } },
  { what: "a nested list", json: { liked: [["Vocals", {}]] } },
])("a 422 that says what is possible: $what", async ({ json }) => {
  const { cookie, path } = await rated();
  const answer = await request(path, { cookie, json: json as Record<string, unknown> });
  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain("Please choose up to three");
  expect(await stored()).toEqual([null]);
});

test("only who rated the song can say why: not its owner, nor another rater, nor a visitor", async () => {
  const { song, path } = await rated();
  const stranger = await makeMember();
  const owner = await makeSession({ id: song.ownerId } as Parameters<typeof makeSession>[0]);
  for (const { cookie } of [stranger, owner]) {
    const answer = await request(path, { cookie, json: { liked: "Groove" } });
    expect(answer.status).toBe(404);
  }
  expect(
    (await request("/songs/none/reasons", { cookie: stranger.cookie, json: { liked: "Groove" } }))
      .status,
  ).toBe(404);
  expect((await request(path, { json: { liked: "Groove" } })).status).toBe(401);
  expect(await stored()).toEqual([null]);
});

test.each([0, 4096, 0b0000_0100_0001, 0b1111, -1])(
  "the database itself refuses %d as reasons",
  async (bits) => {
    await rated();
    const write = env.DB.prepare("UPDATE ratings SET reasons = ?").bind(bits).run();
    await expect(write).rejects.toThrow(/ratings_reasons/);
  },
);

test("a rating that outlives its rater keeps its reasons", async () => {
  const { cookie, path } = await rated();
  await request(path, { cookie, json: { liked: "Groove", improve: "Sound" } });
  expect((await request("/account/delete", { cookie, json: {} })).status).toBe(200);
  expect(await rowsOf("SELECT rater_id, reasons FROM ratings")).toEqual([
    { rater_id: null, reasons: grooveAndSound },
  ]);
});

test("the export has the reasons that one gave", async () => {
  const { cookie, path } = await rated();
  await request(path, { cookie, json: { liked: "Groove", improve: "Sound" } });
  const answer = await request("/account/export", { cookie, json: {} });
  const { ratingsGiven } = (await answer.json()) as { ratingsGiven: { reasons: unknown }[] };
  expect(ratingsGiven.map(({ reasons }) => reasons)).toEqual([
    { liked: ["Groove"], improve: ["Sound"] },
  ]);
});
