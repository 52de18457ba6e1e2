import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { purgeExpired } from "~/account/purge.server";
import { createDatabase } from "~/db/client.server";
import {
  addressTexts,
  confirmAddress,
  confirmationHours,
  confirmationToken,
  forgetWaitingAddress,
  removeAddress,
} from "~/mailing/address.server";
import { unsubscribeToken } from "~/mailing/unsubscribe.server";
import { readConfig } from "~/platform/env";
import { isRejection } from "~/platform/rejection";
import { contents, rowsOf } from "../../support/database/contents";
import { baseTime, insert, makeUser, type TestUser } from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
import { askToConfirm } from "../../support/mails";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { logIn } from "../session/login-flow";

const { sessionSecret } = readConfig(env);
const db = createDatabase(env.DB);
const hour = 60 * 60 * 1000;
let addresses = 0;

/** An address that no test has used yet. */
function freeAddress(): string {
  addresses += 1;
  return `Own.${addresses}@mail.example`;
}

async function loggedIn(options: Parameters<typeof makeUser>[0] = {}) {
  const { user, cookie } = await makeMember({ email: null, ...options });
  return { user, cookie };
}

async function ownAddress({ id }: TestUser): Promise<unknown> {
  return env.DB.prepare("SELECT own_email FROM users WHERE id = ?").bind(id).first("own_email");
}

/** The links that were mailed to a user, oldest first. */
async function linksOf({ id }: TestUser): Promise<string[]> {
  const rows = await rowsOf(
    "SELECT id FROM mailed_proofs WHERE asked_by = ? ORDER BY created_at",
    id,
  );
  return Promise.all(
    rows.map(async (row) => {
      const token = await confirmationToken(sessionSecret, (row as { id: string }).id);
      return `/confirm-email?token=${token}`;
    }),
  );
}

test("of two addresses given at the same time, the page names the one whose link works", async () => {
  const { user, cookie } = await loggedIn();
  const now = Date.now();
  for (const id of ["later", "before"]) {
    const times = { created_at: now, expires_at: now + hour };
    const row = { id, kind: "confirmation", asked_by: user.id, address: `${id}@mail.example` };
    await insert("mailed_proofs", { ...row, ...times }).run();
  }
  const page = await (await request("/account", { cookie })).text();
  expect([page.includes("later@"), page.includes("before@")]).toEqual([true, false]);
  for (const [id, status] of [
    ["before", 403],
    ["later", 303],
  ] as const) {
    const path = `/confirm-email?token=${await confirmationToken(sessionSecret, id)}`;
    expect([id, (await request(path, { form: {} })).status]).toEqual([id, status]);
  }
});

function confirmationsOwed(): Promise<unknown[]> {
  return rowsOf("SELECT subject_id FROM outbox WHERE kind = 'confirmation'");
}

describe("a user's own address", () => {
  test("gets no mails until its link has been opened and confirmed, and then gets them all", async () => {
    const { user, cookie } = await loggedIn();
    const address = freeAddress();
    const asked = await request("/account/email", { cookie, form: { address: ` ${address} ` } });
    expect([asked.status, asked.headers.get("Location")]).toEqual([303, "/account"]);
    expect(await confirmationsOwed()).toHaveLength(1);
    expect(await ownAddress(user)).toBeNull();
    expect(await (await request("/account", { cookie })).text()).toContain(address);

    const [link = ""] = await linksOf(user);
    const before = await contents();
    const page = await request(link);
    expect(await page.text()).toContain("Is this your address?");
    expect(await contents()).toEqual(before);
    // Without a login: the mail may be read on another device.
    const pressed = await request(link, { form: { x: "" } });
    expect([pressed.status, pressed.headers.get("Location")]).toEqual([303, link]);
    expect(await ownAddress(user)).toBe(address);
    expect(await (await request(link)).text()).toContain("Your address is confirmed");
  });

  test("is confirmed once: the link does not bring a removed address back", async () => {
    const { user, cookie } = await loggedIn();
    await request("/account/email", { cookie, form: { address: freeAddress() } });
    const [link = ""] = await linksOf(user);
    await request(link, { form: { x: "" } });
    expect((await request(link, { form: { x: "" } })).status).toBe(303);
    const removed = await request("/account/email/remove", { cookie, form: { x: "" } });
    expect([removed.status, removed.headers.get("Location")]).toEqual([303, "/account"]);
    expect(await ownAddress(user)).toBeNull();
    expect((await request(link, { form: { x: "" } })).status).toBe(403);
    expect(await ownAddress(user)).toBeNull();
  });

  test("is replaced once the link to a new one is used, and stays until then", async () => {
    const { user, cookie } = await loggedIn();
    const [first, second] = [freeAddress(), freeAddress()];
    await request("/account/email", { cookie, form: { address: first } });
    await request((await linksOf(user))[0] ?? "", { form: { x: "" } });
    await request("/account/email", { cookie, form: { address: second } });
    expect(await ownAddress(user)).toBe(first);
    await request((await linksOf(user))[1] ?? "", { form: { x: "" } });
    expect(await ownAddress(user)).toBe(second);
    expect((await request((await linksOf(user))[0] ?? "", { form: { x: "" } })).status).toBe(403);
  });

  test("that is not confirmed yet is forgotten on request, and when another one is given", async () => {
    const { user, cookie } = await loggedIn();
    await request("/account/email", { cookie, form: { address: freeAddress() } });
    await request("/account/email", { cookie, form: { address: freeAddress() } });
    const [first = "", second = ""] = await linksOf(user);
    expect((await request(first)).status).toBe(403);
    expect((await request(first, { form: { x: "" } })).status).toBe(403);
    await request("/account/email/remove", { cookie, form: { waiting: "1" } });
    expect((await request(second, { form: { x: "" } })).status).toBe(403);
    expect(await ownAddress(user)).toBeNull();
  });

  test("stays when a mistyped new one is forgotten", async () => {
    const { user, cookie } = await loggedIn();
    const [good, mistyped] = [freeAddress(), freeAddress()];
    await request("/account/email", { cookie, form: { address: good } });
    await request((await linksOf(user))[0] ?? "", { form: { x: "" } });
    await request("/account/email", { cookie, form: { address: mistyped } });
    await request("/account/email/remove", { cookie, form: { waiting: "1" } });
    expect((await request((await linksOf(user))[1] ?? "", { form: { x: "" } })).status).toBe(403);
    expect(await ownAddress(user)).toBe(good);
    expect(await (await request("/account", { cookie })).text()).not.toContain(mistyped);
  });

  test("can be confirmed for a day", async () => {
    const user = await makeUser();
    await askToConfirm(user.id, freeAddress(), baseTime);
    const id = ((await rowsOf("SELECT id FROM mailed_proofs")) as { id: string }[])[0]?.id;
    const token = await confirmationToken(sessionSecret, id ?? "");
    const late = baseTime + confirmationHours * hour;
    const secret = sessionSecret;
    expect(isRejection(await confirmAddress(db, token, { secret, now: late }))).toBe(true);
    expect(await ownAddress(user)).toBeNull();
    expect(await confirmAddress(db, token, { secret, now: late - 1 })).toMatchObject({
      current: true,
    });
  });

  test("is confirmed by ten requests at once", async () => {
    const { user, cookie } = await loggedIn();
    const address = freeAddress();
    await request("/account/email", { cookie, form: { address } });
    const [link = ""] = await linksOf(user);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => request(link, { form: { x: "" } })),
    );
    expect(answers.some(({ status }) => status === 303)).toBe(true);
    expect(await ownAddress(user)).toBe(address);
  });
});

test("an address is deleted once it is out of use, but not while mails go there", async () => {
  const user = await makeUser({ ownEmail: "own@mail.example" });
  await askToConfirm(user.id, freeAddress(), baseTime);
  const addressesKept = () => rowsOf("SELECT address FROM mailed_proofs ORDER BY address");
  await purgeExpired(db, baseTime + 24 * hour);
  expect(await addressesKept()).toHaveLength(2);
  await purgeExpired(db, baseTime + 24 * hour + 1);
  expect(await addressesKept()).toEqual([{ address: "own@mail.example" }]);
  await removeAddress(db, user.id, baseTime + 48 * hour);
  await purgeExpired(db, baseTime + 48 * hour);
  expect(await addressesKept()).toEqual([]);
});

/** The token of the link that is mailed to a user for an address. */
async function mailedToken({ id }: TestUser, address: string, now: number): Promise<string> {
  await askToConfirm(id, address, now);
  const query = "SELECT id FROM mailed_proofs WHERE asked_by = ? AND address = ?";
  const confirmationId = await env.DB.prepare(query).bind(id, address).first<string>("id");
  return confirmationToken(sessionSecret, confirmationId ?? "");
}

test("addresses of two users are confirmed, forgotten and removed separately", async () => {
  const [ada, ben] = [await makeUser(), await makeUser()];
  const [first, second] = [freeAddress(), freeAddress()];
  const addresses = async () => [await ownAddress(ada), await ownAddress(ben)];
  const confirmAt = (token: string, now: number) =>
    confirmAddress(db, token, { secret: sessionSecret, now });
  const adasToken = await mailedToken(ada, first, baseTime);
  const bensToken = await mailedToken(ben, second, baseTime + 1);
  expect(await confirmAt(adasToken, baseTime + 2)).toMatchObject({ current: true });
  expect(await addresses()).toEqual([first, null]);
  await forgetWaitingAddress(db, ada.id, baseTime + 3);
  expect(await confirmAt(bensToken, baseTime + 4)).toMatchObject({ current: true });
  expect(await addresses()).toEqual([first, second]);
  await removeAddress(db, ada.id, baseTime + 5);
  expect(await addresses()).toEqual([null, second]);
});

test("removing the current address leaves the link to a new one working", async () => {
  const user = await makeUser({ ownEmail: "own@mail.example" });
  const address = freeAddress();
  const token = await mailedToken(user, address, baseTime + 1);
  await removeAddress(db, user.id, baseTime + 2);
  const options = { secret: sessionSecret, now: baseTime + 3 };
  expect(await confirmAddress(db, token, options)).toMatchObject({ current: true });
  expect(await ownAddress(user)).toBe(address);
});

test("a refusal by the daily limit does not reveal that the address is another user's", async () => {
  const address = freeAddress();
  await makeUser({ ownEmail: address });
  const user = await makeUser();
  for (let n = 0; n < 5; n += 1) await askToConfirm(user.id, freeAddress(), baseTime);
  await expect(askToConfirm(user.id, address, baseTime)).rejects.toThrow(addressTexts.tooMany);
});

describe("confirmation mails are limited", () => {
  const from = (n: number) => ({ "CF-Connecting-IP": `198.51.100.${n}` });

  test("to five a day for a user, whatever the addresses are", async () => {
    const { user, cookie } = await loggedIn();
    for (let n = 0; n < 5; n += 1) {
      const answer = await request("/account/email", { cookie, form: { address: freeAddress() } });
      expect(answer.status).toBe(303);
    }
    const refused = await request("/account/email", { cookie, json: { address: freeAddress() } });
    expect([refused.status, await refused.json()]).toEqual([
      429,
      { error: expect.stringMatching(/^That is as many confirmation e-mails/) },
    ]);
    // Removing the address does not reset the limit.
    await removeAddress(db, user.id, Date.now());
    const again = await request("/account/email", { cookie, json: { address: freeAddress() } });
    expect(again.status).toBe(429);
    expect(await confirmationsOwed()).toHaveLength(5);
    const tomorrow = Date.now() + 25 * hour;
    await askToConfirm(user.id, freeAddress(), tomorrow);
    expect(await confirmationsOwed()).toHaveLength(6);
  });

  test("even if the user deletes the account in between", async () => {
    const user = await makeUser({ email: null });
    const { spotify_id } = (await env.DB.prepare("SELECT spotify_id FROM users WHERE id = ?")
      .bind(user.id)
      .first()) as { spotify_id: string };
    const address = freeAddress();
    let { cookie } = await makeSession(user);
    for (let n = 0; n < 3; n += 1) {
      await request("/account/email", { cookie, form: { address } });
      await request("/account/email", { cookie, form: { address: freeAddress() } });
      await request("/account/delete", { cookie, json: {} });
      const again = await makeUser({ email: null });
      const rename = env.DB.prepare("UPDATE users SET spotify_id = ? WHERE id = ?");
      await rename.bind(spotify_id, again.id).run();
      ({ cookie } = await makeSession(again));
    }
    const counts = await rowsOf("SELECT DISTINCT address, asked_by FROM mailed_proofs");
    expect(counts).toEqual([{ address: "", asked_by: "" }]);
    expect(JSON.stringify(await rowsOf("SELECT * FROM mailed_proofs"))).not.toContain(spotify_id);
    const refused = await request("/account/email", { cookie, form: { address: freeAddress() } });
    expect(refused.status).toBe(429);
  });

  test("to three a day for an address, whoever asks and in whatever spelling", async () => {
    const address = freeAddress();
    for (let n = 0; n < 3; n += 1) {
      const { cookie } = await loggedIn();
      const written = n === 1 ? address.toUpperCase() : address;
      await request("/account/email", { cookie, form: { address: written }, headers: from(n) });
    }
    const { cookie } = await loggedIn();
    const refused = await request("/account/email", {
      cookie,
      form: { address },
      headers: from(3),
    });
    expect(refused.status).toBe(429);
    expect(await confirmationsOwed()).toHaveLength(3);
  });

  test.each([
    ["as one user, wherever they are", false, (n: number) => `192.0.2.${n}`],
    ["from one place, as whoever", true, (_: number) => "192.0.2.1"],
    ["from one network, as whoever", true, (n: number) => `2001:db8:1:${n}00::1`],
  ])("to two a day for an address to those who ask %s", async (_, asOthers, address) => {
    const strangers = freeAddress();
    let { cookie } = await loggedIn();
    for (let n = 0; n < 4; n += 1) {
      if (asOthers) ({ cookie } = await loggedIn());
      const headers = { "CF-Connecting-IP": address(n) };
      await request("/account/email", { cookie, form: { address: strangers }, headers });
    }
    expect(await confirmationsOwed()).toHaveLength(2);
    // Whose it is gets one all the same.
    const { cookie: owners } = await loggedIn();
    const form = { address: strangers };
    await request("/account/email", { cookie: owners, form, headers: from(9) });
    expect(await confirmationsOwed()).toHaveLength(3);
  });

  test("to twelve a day from one place", async () => {
    for (let n = 0; n < 14; n += 1) {
      const { cookie } = await loggedIn();
      await request("/account/email", { cookie, form: { address: freeAddress() } });
    }
    expect(await confirmationsOwed()).toHaveLength(12);
  });

  test("for all together, to half as many a day as codes, and more with the members", async () => {
    const bindings = { ...env, LOGIN_CODES_PER_DAY: "10" };
    const statuses = async () => {
      const all = [];
      for (let n = 0; n < 7; n += 1) {
        const { cookie } = await loggedIn();
        const options = { form: { address: freeAddress() }, headers: from(n), bindings };
        all.push((await request("/account/email", { cookie, ...options })).status);
      }
      return all;
    };
    expect(await statuses()).toEqual([303, 303, 303, 303, 303, 429, 429]);
    await env.DB.prepare("UPDATE users SET rowid = rowid + 16").run();
    expect(await statuses()).toContain(303);
  });

  test("to three a day for an address, however it is dressed up", async () => {
    const address = freeAddress();
    const dressed = [
      `Ada <${address}>`,
      `mailto:${address}?subject=Hello`,
      `\u200b${address.replace(".", "\u00ad.")}`,
    ];
    for (const [n, written] of dressed.entries()) {
      const { cookie } = await loggedIn();
      const options = { cookie, form: { address: written }, headers: from(n) };
      const asked = await request("/account/email", options);
      expect([written, asked.status]).toEqual([written, 303]);
    }
    const { cookie } = await loggedIn();
    for (const written of [address, address.replace("@", "＠"), `${address}.`]) {
      const options = { cookie, form: { address: written }, headers: from(9) };
      const refused = await request("/account/email", options);
      expect([written, refused.status]).toEqual([written, 429]);
    }
    expect(await rowsOf("SELECT DISTINCT address FROM mailed_proofs")).toEqual([{ address }]);
  });

  test("to three a day for an address whose domain is spelled in two ways", async () => {
    const spellings = ["ada@münchen.example", "ada@MÜNCHEN.example", "ada@xn--mnchen-3ya.example"];
    for (const [n, address] of spellings.entries()) {
      const { cookie } = await loggedIn();
      const options = { cookie, form: { address }, headers: from(n) };
      const asked = await request("/account/email", options);
      expect([address, asked.status]).toEqual([address, 303]);
    }
    const { cookie } = await loggedIn();
    for (const address of spellings) {
      const options = { cookie, form: { address }, headers: from(9) };
      expect((await request("/account/email", options)).status).toBe(429);
    }
  });

  test("even for requests at the same time", async () => {
    const { cookie } = await loggedIn();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        request("/account/email", { cookie, form: { address: freeAddress() } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(5);
    expect(await confirmationsOwed()).toHaveLength(5);
  });
});

test.each([
  ["Ada@München.example", "Ada@xn--mnchen-3ya.example"],
  ["jörg@mail.example", null],
])("the address %j that Spotify gives is kept as %j, as mails go there", async (email, kept) => {
  type Made = { musician: { id: string } };
  const { musician } = await control<Made>("musician", { name: "Umlaut", email });
  await logIn(musician.id);
  expect(await rowsOf("SELECT email FROM users")).toEqual([{ email: kept }]);
});

test("an unsubscribed address stays so in the other spelling of its domain", async () => {
  const address = "ada@xn--mnchen-3ya.example";
  const token = await unsubscribeToken(sessionSecret, { topic: "rating", address });
  await request(`/unsubscribe?token=${token}`, { form: { receive: "false" } });
  const { cookie } = await loggedIn({ email: "Ada@München.example" });
  const json = { receiveRatingEmails: true };
  expect((await request("/email-preference", { cookie, json })).status).toBe(409);
});

describe("refused without any change is", () => {
  test.each([
    "",
    "nobody",
    "a@b",
    "two@mail.example, more@mail.example",
    "Ada ada@mail.example",
    "jörg@mail.example",
    "ada@mail.example\r\nBcc: all@mail.example",
    `${"a".repeat(250)}@mail.example`,
  ])("an invalid address (%j)", async (address) => {
    const { cookie } = await loggedIn();
    const answer = await request("/account/email", { cookie, json: { address } });
    expect(answer.status).toBe(422);
    expect(await confirmationsOwed()).toEqual([]);
    expect(await rowsOf("SELECT * FROM mailed_proofs")).toEqual([]);
  });

  test("the address that mails already go to", async () => {
    const { cookie } = await loggedIn({ ownEmail: "own@mail.example" });
    const json = { address: "OWN@mail.example" };
    const answer = await request("/account/email", { cookie, json });
    expect(answer.status).toBe(409);
    expect(await confirmationsOwed()).toEqual([]);
  });

  test("a link that was altered, made up, or signed for another purpose", async () => {
    const { user, cookie } = await loggedIn();
    await request("/account/email", { cookie, form: { address: freeAddress() } });
    const [link = ""] = await linksOf(user);
    const id = link.split("=")[1]?.split(".")[0] ?? "";
    const mails = { userId: id, topic: "rating", address: "" } as const;
    const foreign = (await unsubscribeToken(sessionSecret, mails)).split(".")[2];
    const before = await contents();
    for (const altered of [
      `${link}x`,
      link.slice(0, -3),
      `/confirm-email?token=${id}.${foreign}`,
    ]) {
      expect((await request(altered, { form: { x: "" } })).status).toBe(403);
      expect((await request(altered)).status).toBe(403);
    }
    for (const token of ["", "x.y", "%00.%00"]) {
      expect((await request(`/confirm-email?token=${token}`)).status).toBe(403);
    }
    expect(await contents()).toEqual(before);
  });
});
