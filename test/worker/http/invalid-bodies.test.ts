import { expect, test } from "vitest";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";

const urlEncoded = "application/x-www-form-urlencoded";
const large = "x".repeat(17_000);

function post(path: string, cookie: string, type: string, body: BodyInit, Accept = "text/html") {
  return request(path, { cookie, body, headers: { "Content-Type": type, Accept } });
}

test.each([
  { name: "a large form", status: 413, type: urlEncoded, body: `score=${large}` },
  { name: "large JSON", status: 413, type: "application/json", body: `{"score":"${large}"}` },
  { name: "truncated JSON", type: "application/json", body: '{"score":' },
  { name: "a truncated form", type: "multipart/form-data; boundary=b", body: "--b\r\nContent-" },
  { name: "parts without a boundary", type: "multipart/form-data", body: "score=1" },
  { name: "plain text", type: "text/plain", body: "score=1" },
  { name: "an unknown type", type: "x", body: "score=1" },
])("$name is refused, as JSON and as a page", async ({ type, body, status = 400 }) => {
  const { cookie } = await makeMember();
  for (const path of [
    "/songs/x/play",
    "/songs/x/rating",
    "/songs/x/playlist/add",
    "/submissions",
    "/checkout-session",
    "/checkout-session/lookup",
  ]) {
    const json = await post(path, cookie, type, body, "application/json");
    const told = { error: expect.stringMatching(/^(That was too much|What you sent) /) };
    expect([path, json.status, await json.json()]).toEqual([path, status, told]);
    const page = await post(path, cookie, type, body);
    expect([path, page.status]).toEqual([path, status]);
    expect(await page.text()).toContain("<h1>That did not work</h1>");
  }
});

test.each([
  "null",
  "[]",
  "7",
  '"text"',
  "{}",
  '{"score":{"deep":[1]}}',
  '{"__proto__":{"score":3}}',
])("JSON without fields (%s) is refused as a form without them", async (body) => {
  const { cookie } = await makeMember();
  for (const path of ["/songs/x/rating", "/submissions"]) {
    const answer = await post(path, cookie, "application/json", body, "application/json");
    expect([path, answer.status]).toEqual([path, 422]);
  }
});

test.each([
  ["too large, whatever length it declares", 1024, 60, "/submissions"],
  ["one byte at a time", 1, 100, "/checkout-session/lookup"],
])("a body that comes %s is not read to the end", async (_how, chunk, most, path) => {
  const { cookie } = await makeMember();
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      if (sent > 1000) controller.close();
      else controller.enqueue(new Uint8Array(chunk));
    },
  });
  expect((await post(path, cookie, urlEncoded, endless, "application/json")).status).toBe(413);
  expect(sent).toBeLessThan(most);
});
