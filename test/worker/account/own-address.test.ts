import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { purgeExpired } from "~/account/purge.server";
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
import { accountIdOf } from "../../sandbox/catalogue";
import { gives, hides, leads, led, shows, unchanged } from "../../support/answers";
import { baseTime, insert, unique } from "../../support/database/factories";
import { change, db, row, rows } from "../../support/database/rows";
import { askToConfirm } from "../../support/mails";
import { type Someone, someone } from "../../support/people";
import { browser, linkTo } from "../../support/people/logins";
import { control } from "../../support/sandbox";

const { sessionSecret: secret } = readConfig(env);
const hour = 60 * 60 * 1000;
const path = "/account/email";

function freeAddress(): string {
  return `Own.${unique("a")}@mail.example`;
}

async function ask(who: Someone, address = freeAddress(), from = "") {
  const headers = from ? { "CF-Connecting-IP": from } : {};
  return (await who.posts(path, { address }, { headers })).status;
}

/** Somebody new asks. */
async function anybody(address = freeAddress(), from = ""): Promise<number> {
  return ask(await someone({ email: null }), address, from);
}

// Without a login: the mail may be read on another device.
const press = async (link: string) => (await browser().presses(link)).status;
const owed = async () => (await rows("outbox", { kind: "confirmation" })).length;
const ownEmail = async (who: { id: string }) => (await row("users", { id: who.id })).ownEmail;

/** Somebody who has asked for these addresses, one after the other, and confirmed some. */
async function asking(...confirmed: boolean[]) {
  const who = await someone({ email: null });
  const addresses: string[] = [];
  const links: string[] = [];
  for (const isConfirmed of confirmed) {
    const address = freeAddress();
    expect(await ask(who, address)).toBe(303);
    addresses.push(address);
    links.push(await linkTo(address));
    if (isConfirmed) expect(await press(links.at(-1) ?? "")).toBe(303);
  }
  const [first = "", second = ""] = addresses;
  const [link = "", secondLink = ""] = links;
  return { who, first, second, link, secondLink };
}

test("of two addresses given at the same time, the page names the one whose link works", async () => {
  const who = await someone({ email: null });
  const now = Date.now();
  for (const id of ["later", "before"]) {
    const times = { created_at: now, expires_at: now + hour };
    const address = `${id}@mail.example`;
    const link = { id, kind: "confirmation", asked_by: who.id, address };
    await insert("mailed_proofs", { ...link, ...times }).run();
  }
  expect(await shows(who, "/account", "later@")).not.toContain("before@");
  expect(await press(await linkTo("before@mail.example"))).toBe(403);
  expect(await press(await linkTo("later@mail.example"))).toBe(303);
});

test("an own address gets no mails until its link has been opened and confirmed, and then gets them all", async () => {
  const who = await someone({ email: null });
  const address = freeAddress();
  await leads(who.posts(path, { address: ` ${address} ` }), "/account");
  expect([await owed(), await ownEmail(who)]).toEqual([1, null]);
  await shows(who, "/account", address);
  const link = await linkTo(address);
  await unchanged(() => shows(browser(), link, "Is this your address?"));
  const pressed = await Promise.all([1, 2, 3].map(() => browser().presses(link)));
  expect(pressed.map(led)).toContainEqual([303, link]);
  expect(await ownEmail(who)).toBe(address);
  await shows(browser(), link, "Your address is confirmed");
});

test("an address is confirmed once: the link does not bring a removed one back", async () => {
  const { who, link } = await asking(true);
  expect(await press(link)).toBe(303);
  await leads(who.posts("/account/email/remove"), "/account");
  expect(await ownEmail(who)).toBeNull();
  expect(await press(link)).toBe(403);
  expect(await ownEmail(who)).toBeNull();
});

test("an own address is replaced once the link to a new one is used, and stays until then", async () => {
  const { who, first, second, link, secondLink } = await asking(true, false);
  expect(await ownEmail(who)).toBe(first);
  expect([await press(secondLink), await ownEmail(who)]).toEqual([303, second]);
  expect(await press(link)).toBe(403);
});

test("an unconfirmed address is forgotten on request, and when another one is given", async () => {
  const { who, link, secondLink } = await asking(false, false);
  await gives(browser().gets(link), 403);
  expect(await press(link)).toBe(403);
  await who.posts("/account/email/remove", { waiting: "1" });
  expect([await press(secondLink), await ownEmail(who)]).toEqual([403, null]);
});

test("an own address stays when a mistyped new one is forgotten", async () => {
  const { who, first, second, secondLink } = await asking(true, false);
  await who.posts("/account/email/remove", { waiting: "1" });
  expect([await press(secondLink), await ownEmail(who)]).toEqual([403, first]);
  await hides(who, "/account", second);
});

/** The token of the link that is mailed to a user for an address. */
async function tokenFor({ id: userId }: Someone, address: string, now: number): Promise<string> {
  await askToConfirm(userId, address, now);
  return confirmationToken(secret, (await row("mailedProofs", { askedBy: userId, address })).id);
}

const confirmAt = (token: string, now: number) => confirmAddress(db, token, { secret, now });

test("an address can be confirmed for a day", async () => {
  const who = await someone();
  const token = await tokenFor(who, freeAddress(), baseTime);
  const late = baseTime + confirmationHours * hour;
  expect(isRejection(await confirmAt(token, late))).toBe(true);
  expect(await ownEmail(who)).toBeNull();
  expect(await confirmAt(token, late - 1)).toMatchObject({ current: true });
});

test("an address is deleted once it is out of use, but not while mails go there", async () => {
  const { id } = await someone({ ownEmail: "own@mail.example" });
  await askToConfirm(id, freeAddress(), baseTime);
  const kept = async (hours: number, ms = 0) => {
    await purgeExpired(db, baseTime + hours * hour + ms);
    return (await rows("mailedProofs")).map(({ address }) => address);
  };
  expect(await kept(24)).toHaveLength(2);
  expect(await kept(24, 1)).toEqual(["own@mail.example"]);
  await removeAddress(db, id, baseTime + 48 * hour);
  expect(await kept(48)).toEqual([]);
});

test("addresses of two users are confirmed, forgotten and removed separately", async () => {
  const [ada, ben] = [await someone(), await someone()];
  const [first, second] = [freeAddress(), freeAddress()];
  const addresses = async () => [await ownEmail(ada), await ownEmail(ben)];
  const adas = await tokenFor(ada, first, baseTime);
  const bens = await tokenFor(ben, second, baseTime + 1);
  expect(await confirmAt(adas, baseTime + 2)).toMatchObject({ current: true });
  expect(await addresses()).toEqual([first, null]);
  await forgetWaitingAddress(db, ada.id, baseTime + 3);
  expect(await confirmAt(bens, baseTime + 4)).toMatchObject({ current: true });
  expect(await addresses()).toEqual([first, second]);
  // Removing the current address leaves the link to a new one working.
  const third = freeAddress();
  const later = await tokenFor(ada, third, baseTime + 5);
  await removeAddress(db, ada.id, baseTime + 6);
  expect(await addresses()).toEqual([null, second]);
  expect(await confirmAt(later, baseTime + 7)).toMatchObject({ current: true });
  expect(await addresses()).toEqual([third, second]);
});

test("a refusal by the daily limit does not reveal that the address is another user's", async () => {
  const address = freeAddress();
  await someone({ ownEmail: address });
  const { id } = await someone();
  for (let n = 0; n < 5; n += 1) await askToConfirm(id, freeAddress(), baseTime);
  await expect(askToConfirm(id, address, baseTime)).rejects.toThrow(addressTexts.tooMany);
});

test("a user gets five confirmation mails a day, whatever the addresses are, and at once", async () => {
  const who = await someone({ email: null });
  await who.login();
  const statuses = await Promise.all(Array.from({ length: 12 }, () => ask(who)));
  expect(statuses.filter((status) => status === 303)).toHaveLength(5);
  const refused = async () => {
    const answer = await who.sends(path, { address: freeAddress() });
    return [answer.status, await answer.json()];
  };
  const error = expect.stringMatching(/^That is as many confirmation e-mails/);
  expect(await refused()).toEqual([429, { error }]);
  // Removing the address does not reset the limit.
  await removeAddress(db, who.id, Date.now());
  expect(await refused()).toEqual([429, { error }]);
  expect(await owed()).toBe(5);
  await askToConfirm(who.id, freeAddress(), Date.now() + 25 * hour);
  expect(await owed()).toBe(6);
});

test("a user gets five confirmation mails a day also by deleting the account in between", async () => {
  const address = freeAddress();
  const spotifyId = accountIdOf("mara-lind");
  const again = async () => {
    const who = await someone({ email: null });
    await change("users", { id: who.id }, { spotifyId });
    return who;
  };
  for (let n = 0; n < 3; n += 1) {
    const who = await again();
    await ask(who, address);
    await ask(who);
    await who.sends("/account/delete");
  }
  const kept = await rows("mailedProofs");
  expect(kept.map((one) => one.address + one.askedBy).join("")).toBe("");
  expect(JSON.stringify(kept)).not.toContain(spotifyId);
  expect(await ask(await again())).toBe(429);
});

/** Addresses that are one, as different people write them, and how else one more does. */
const address = "ada.quist@mail.example";
const domain = ["ada@münchen.example", "ada@MÜNCHEN.example", "ada@xn--mnchen-3ya.example"];
const spellings: [string, string[], string[]][] = [
  ["in capitals", [address, address.toUpperCase(), address], [address]],
  [
    "dressed up",
    [`Ada <${address}>`, `mailto:${address}?subject=Hello`, "\u200bada\u00ad.quist@mail.example"],
    [address, "ada.quist＠mail.example", `${address}.`],
  ],
  ["with its domain spelled in two ways", domain, domain],
];
test.each(spellings)(
  "an address %s is mailed three times a day, whoever asks",
  async (_, asked, more) => {
    for (const [n, written] of asked.entries()) {
      expect([written, await anybody(written, `198.51.100.${n}`)]).toEqual([written, 303]);
    }
    for (const written of more) {
      expect([written, await anybody(written, "198.51.100.9")]).toEqual([written, 429]);
    }
    expect(await owed()).toBe(3);
  },
);

test.each([
  ["as one user, wherever they are", false, (n: number) => `192.0.2.${n}`],
  ["from one place, as whoever", true, (_: number) => "192.0.2.1"],
  ["from one network, as whoever", true, (n: number) => `2001:db8:1:${n}00::1`],
])("an address is mailed twice a day for who asks %s", async (_, asOthers, place) => {
  const address = freeAddress();
  const one = await someone({ email: null });
  for (let n = 0; n < 4; n += 1) {
    if (asOthers) await anybody(address, place(n));
    else await ask(one, address, place(n));
  }
  expect(await owed()).toBe(2);
  // Whose it is gets one all the same.
  await anybody(address, "198.51.100.9");
  expect(await owed()).toBe(3);
});

test("one place has twelve confirmations mailed a day", async () => {
  for (let n = 0; n < 14; n += 1) await anybody();
  expect(await owed()).toBe(12);
});

test("all together have half as many confirmations a day as codes, and more with the members", async () => {
  const bindings = { ...env, LOGIN_CODES_PER_DAY: "10" };
  const statuses = async () => {
    const all = [];
    for (let n = 0; n < 7; n += 1) {
      const asked = { headers: { "CF-Connecting-IP": `198.51.100.${n}` }, bindings };
      const who = await someone({ email: null });
      all.push((await who.posts(path, { address: freeAddress() }, asked)).status);
    }
    return all;
  };
  expect(await statuses()).toEqual([303, 303, 303, 303, 303, 429, 429]);
  await env.DB.prepare("UPDATE users SET rowid = rowid + 16").run();
  expect(await statuses()).toContain(303);
});

test.each([
  ["Ada@München.example", "Ada@xn--mnchen-3ya.example"],
  ["jörg@mail.example", null],
])("the address %j that Spotify gives is kept as %j, as mails go there", async (email, kept) => {
  type Made = { musician: { id: string } };
  const { musician } = await control<Made>("musician", { name: "Umlaut", email });
  await browser().logsIn(musician.id);
  expect((await row("users")).email).toBe(kept);
});

test("an unsubscribed address stays so in the other spelling of its domain", async () => {
  const address = "ada@xn--mnchen-3ya.example";
  const token = await unsubscribeToken(secret, { topic: "rating", address });
  await browser().posts(`/unsubscribe?token=${token}`, { receive: "false" });
  const who = await someone({ email: "Ada@München.example" });
  await gives(who.sends("/email-preference", { receiveRatingEmails: true }), 409);
});

test.each([
  ["", 422],
  ["nobody", 422],
  ["a@b", 422],
  ["two@mail.example, more@mail.example", 422],
  ["Ada ada@mail.example", 422],
  ["jörg@mail.example", 422],
  ["ada@mail.example\r\nBcc: all@mail.example", 422],
  [`${"a".repeat(250)}@mail.example`, 422],
  // The one that mails go to already.
  ["OWN@mail.example", 409],
])("the address %j is refused with %i, and nothing is written", async (address, status) => {
  const who = await someone({ ownEmail: "own@mail.example" });
  await who.login();
  await gives(
    unchanged(() => who.sends(path, { address })),
    status,
  );
});

test("a link to confirm that was altered, made up, or signed for another purpose changes nothing", async () => {
  const { link } = await asking(false);
  const [, id = ""] = /token=([^.]+)\./.exec(link) ?? [];
  const foreign = await unsubscribeToken(secret, { topic: "rating", address: "" });
  const made = ["", ".", "x", "x.y", "x.y.z", "%00.%00", `${id}.${foreign.split(".")[2]}`];
  const links = made.map((token) => `/confirm-email?token=${token}`);
  await unchanged(async () => {
    for (const one of [...links, `${link}x`, link.slice(0, -3)]) {
      expect([one, await press(one), (await browser().gets(one)).status]).toEqual([one, 403, 403]);
    }
  });
});
