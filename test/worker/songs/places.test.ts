import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listenErrors } from "~/exchange/listening/errors";
import { type Place, placeOf } from "~/exchange/pool/place";
import { dayMs } from "~/platform/dates";
import { counts } from "../../support/answers";
import { passTime } from "../../support/clock";
import { type AnySong, idsOf, someone, song, songs } from "../../support/people";
import { browser, browserOf } from "../../support/people/logins";

const strict = { ...env, RATINGS_FROM_ONE_PLACE: "2", ACCOUNTS_FROM_ONE_PLACE: "3" };

function at(address: string): Promise<Place> {
  const headers = { "CF-Connecting-IP": address };
  const request = new Request("https://fivefold.example", { headers });
  return placeOf(request, { secret: "a secret", mostRatings: 2 });
}

/** Members who have heard a song, each where they are. */
function heardAt(it: AnySong, ...addresses: string[]) {
  return Promise.all(
    addresses.map(async (address) =>
      someone({ heard: it, offered: [it], place: await at(address) }),
    ),
  );
}

const line = (count: number) => Array.from({ length: count }, () => "192.0.2.7");
const sixLines = Array.from({ length: 6 }, (_, n) => `198.51.100.${n}`);

test("twelve accounts on one line give a song two of its five, also at once", async () => {
  const it = await song();
  const ring = await heardAt(it, ...line(12));
  const answers = await Promise.all(ring.map((one) => one.rates(it)));
  expect(answers.filter((answer) => "ok" in answer)).toHaveLength(2);
  expect(answers).toContainEqual(expect.objectContaining({ error: listenErrors.fullFromHere }));
  expect(await it.now()).toMatchObject({ received: 2, owed: 3 });
  await counts("ratings", 2);
});

test("houses of one customer's IPv6 network are one place, and others are others", async () => {
  const it = await song();
  const ring = await heardAt(it, "2001:db8:1:201::1", "2001:db8:1:202::1", "2001:db8:1:2ff::1");
  for (const one of ring) await one.rates(it);
  const [elsewhere] = await heardAt(it, "2001:db8:1:301::1");
  await elsewhere?.rates(it);
  expect(await it.now()).toMatchObject({ received: 3 });
});

test("six people on six lines give a song its five and more, as ever", async () => {
  const it = await song();
  for (const one of await heardAt(it, ...sixLines))
    expect(await one.rates(it)).toEqual({ ok: true });
  expect(await it.now()).toMatchObject({ received: 6, owed: 0, ratedFrom: {} });
});

test("what is known of places goes with a promise's last rating, and the next one begins anew", async () => {
  const it = await song({ submittedAt: [1, 2] });
  const [first, second, third] = await heardAt(it, ...line(3));
  for (const one of [first, second]) await one?.rates(it);
  expect(Object.values((await it.now()).ratedFrom)).toEqual([2]);
  for (const one of await heardAt(it, ...sixLines.slice(0, 3))) await one.rates(it);
  expect(await it.now()).toMatchObject({ received: 5, owed: 5, ratedFrom: {} });
  expect(await third?.rates(it)).toEqual({ ok: true });
});

test("a song that has had its two from here is not drawn here, nor kept, nor begun, and is elsewhere", async () => {
  const [it, other] = [await song(), await song()];
  const place = await at("192.0.2.7");
  const drawn = await someone({ offered: [it, other], place });
  for (const one of await heardAt(it, ...line(2))) await one.rates(it);
  expect(await (await someone({ place })).pooled()).toEqual([other.id]);
  expect(await drawn.offered()).toEqual([other.id]);
  expect(await drawn.starts(it)).toMatchObject({ error: listenErrors.fullFromHere, closed: true });
  expect(await (await someone({ place: await at("192.0.2.8") })).pooled()).toEqual(
    expect.arrayContaining(idsOf([it, other])),
  );
});

test("who has nothing left to rate where they are pays as if those songs were not there", async () => {
  const them = await songs(7);
  const place = await at("192.0.2.7");
  const price = async () => {
    const { view } = await (await someone({ place })).carousel();
    return [view.state, view.eligibility.remaining];
  };
  expect(await price()).toEqual(["songs", 6]);
  for (const it of them) for (const one of await heardAt(it, ...line(2))) await one.rates(it);
  expect(await price()).toEqual(["empty", 0]);
});

test("a request's own network counts, whatever else it says", async () => {
  const it = await song();
  const given = [];
  for (let n = 0; n < 3; n += 1) {
    const listener = await browserOf(await someone({ heard: it, offered: [it] }), {
      from: "192.0.2.7",
      bindings: strict,
    });
    const headers = { "X-Forwarded-For": `203.0.113.${n}`, Forwarded: `for=203.0.113.${n}` };
    given.push((await listener.sends(`/songs/${it.id}/rating`, { score: 1 }, { headers })).status);
  }
  expect(given).toEqual([200, 200, 409]);
});

test("a catch-all domain on one line gets three accounts a day, and is told when to come back", async () => {
  const comes = async (name: string, from = "192.0.2.7") => {
    const it = browser({ from, bindings: strict });
    await it.logsInByMail(`${name}@ring.example`);
    return it;
  };
  const ring = [];
  for (let n = 0; n < 5; n += 1) ring.push(await comes(`member-${n}`));
  expect(ring.map((one) => one.isLoggedIn())).toEqual([true, true, true, false, false]);
  await counts("users", 3);
  const refused = await ring[4]?.givesName("Ada");
  expect(refused?.status).toBe(429);
  expect(await refused?.text()).toContain("Come back tomorrow, or come in by Spotify.");
  // Who has an account comes in, and so does who is elsewhere.
  expect((await comes("member-0")).isLoggedIn()).toBe(true);
  expect((await comes("member-5", "192.0.2.8")).isLoggedIn()).toBe(true);
  passTime(dayMs);
  expect((await comes("member-6")).isLoggedIn()).toBe(true);
  await counts("users", 5);
});

test("the accounts of one place are three also if they are made at once", async () => {
  const ring = Array.from({ length: 6 }, () =>
    browser({ from: "2001:db8:1:2::9", bindings: strict }),
  );
  for (const [n, one] of ring.entries()) {
    await one.asksForCode(`member-${n}@ring.example`);
    await one.types();
  }
  await Promise.all(ring.map((one) => one.givesName("Ada")));
  await counts("users", 3);
});

test("one mailbox is one account, however many tags it has", async () => {
  for (let n = 0; n < 3; n += 1)
    await browser().logsInByMail(`ada.quist+${n}@${n === 1 ? "googlemail" : "gmail"}.com`);
  await counts("users", 1);
});

test("an owner's export tells nothing of where listeners are", async () => {
  const it = await song();
  for (const one of await heardAt(it, ...line(2))) await one.rates(it);
  const { mark } = await at("192.0.2.7");
  const exported = await (await it.owner.posts("/account/export")).text();
  expect(exported).toContain(it.id);
  expect(exported).not.toContain(mark);
});
