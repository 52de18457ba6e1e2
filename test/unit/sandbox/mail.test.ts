/** The mail stand-in sends and refuses mails like Resend's API. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Json, type Rig, startRig } from "./rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

async function post(fields: Json, key: string = crypto.randomUUID()): Promise<[number, Json]> {
  const response = await fetch(`${rig.sandbox.origin}/resend/emails`, {
    method: "POST",
    headers: {
      Authorization: "Bearer re_sandbox_development_only",
      "Content-Type": "application/json",
      "Idempotency-Key": key,
    },
    body: JSON.stringify({
      from: "Fivefold <mail@fivefold.example>",
      to: ["mara-lind@musicians.example"],
      subject: "A new rating",
      text: "Somebody rated your song.",
      ...fields,
    }),
  });
  return [response.status, (await response.json()) as Json];
}

async function mailsTo(to: string): Promise<{ lastEvent: string }[]> {
  return (await rig.control<{ mails: { lastEvent: string }[] }>("mails", { to })).mails;
}

const fiftyOne = Array.from({ length: 51 }, (_, n) => `many-${n}@musicians.example`);

test.each<[Json, string, string]>([
  [{ to: [] }, "validation_error", "`to`"],
  [{ to: "A\r\nBcc: x@y.example <a@b.example>" }, "validation_error", "`to`"],
  [{ to: fiftyOne }, "validation_error", "`to`"],
  [{ text: undefined }, "validation_error", "`text`"],
  [{ from: "Fivefold" }, "invalid_from_address", "`from`"],
  [{ subject: "Two\nlines" }, "validation_error", "`subject`"],
  [{ headers: { "X-A": "b\r\nBcc: c@d.example" } }, "validation_error", "`headers`"],
])("a mail with %j is refused as %s", async (fields, name, field) => {
  const message = expect.stringContaining(field);
  expect(await post(fields)).toEqual([422, { statusCode: 422, name, message }]);
});

test("the same mail with the same key is sent once, and another with it refused", async () => {
  const to = ["once@musicians.example"];
  const sent = await post({ to }, "once");
  expect(sent[0]).toBe(200);
  expect(await post({ to }, "once")).toEqual(sent);
  expect((await post({ to, subject: "Another" }, "once"))[1]).toMatchObject({
    statusCode: 409,
    name: "invalid_idempotent_request",
  });
  expect(await mailsTo("Once@musicians.example")).toHaveLength(1);
});

test("nothing is sent to an address whose mail came back, until it is allowed again", async () => {
  const to = "gone@musicians.example";
  const sendTwice = async () => {
    await post({ to });
    await post({ to: to.toUpperCase() });
  };
  await sendTwice();
  await rig.control("mailEvent", { to, type: "email.bounced", bounce: "Transient" });
  await rig.control("mailEvent", { to, type: "email.bounced" });
  await sendTwice();
  await rig.control("mailAllow", { to });
  await post({ to });
  expect((await mailsTo(to)).map(({ lastEvent }) => lastEvent)).toEqual([
    "delivered",
    "bounced",
    "suppressed",
    "suppressed",
    "delivered",
  ]);
});
