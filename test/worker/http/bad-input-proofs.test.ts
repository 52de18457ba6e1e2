import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { confirmationToken } from "~/domain/contact/address.server";
import { unsubscribeToken } from "~/domain/contact/unsubscribe.server";
import { readConfig } from "~/platform/env";
import { randomFrom } from "../../sandbox/catalogue.ts";
import type { HostileRequest } from "../../support/bad-input/hostile";
import { altered, wellFormed } from "../../support/bad-input/hostile-texts";
import { rowsOf } from "../../support/database/contents";
import { unique } from "../../support/database/factories";
import { askToConfirm } from "../../support/mails";
import { control } from "../../support/sandbox";
import { subscribeByHand } from "../../support/stripe/stripe";
import { beginLogin, decide } from "../session/login-flow";
import { faultsOf, send } from "./bad-input-check";
import { makeWorld } from "./bad-input-world";

const musician = "delphine-mauriac-roux";
const random = randomFrom("altered proofs");
const { sessionSecret } = readConfig(env);

// Each test sends hundreds of requests.
vi.setConfig({ testTimeout: 60_000 });

beforeEach(() => {
  // Each refusal would log a line.
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

const form = "application/x-www-form-urlencoded";

/** Requests with altered copies of a proof, such as a token or a signature. */
function alterations(
  proof: string,
  make: (proof: string) => Omit<HostileRequest, "fault">[],
): HostileRequest[] {
  return altered(proof, random).flatMap((one) =>
    make(one).map((made) => ({ fault: `the proof is ${JSON.stringify(one)}`, ...made })),
  );
}

test("an altered session cookie is no login", async () => {
  const { victimSession, secrets } = await makeWorld(musician);
  const [name, value = ""] = victimSession.cookie.split("=", 2);
  const ask = (proof: string) => {
    const headers = {
      Accept: "application/json",
      Cookie: `${name}=${encodeURIComponent(proof).replaceAll("%25", "%")}`,
    };
    return [
      { method: "GET", path: "/player/token", headers, body: null },
      { method: "GET", path: "/account", headers, body: null },
      { method: "POST", path: "/logout", headers, body: "" },
      { method: "POST", path: "/account/export", headers, body: "" },
      { method: "POST", path: "/account/delete", headers, body: "" },
      { method: "POST", path: "/portal-session", headers, body: "" },
    ];
  };
  expect(await faultsOf(alterations(value, ask), { secrets })).toEqual([]);
  const headers = { Accept: "text/html", Cookie: victimSession.cookie };
  const own = { fault: "none", method: "GET", path: "/player/token", headers, body: null };
  expect((await send(own)).status).toBe(200);
});

test("an altered link neither ends mails nor confirms an address", async () => {
  const { user, victim, victimAddress, secrets } = await makeWorld(musician);
  const address = `${unique("waiting")}@mail.example`;
  await askToConfirm(victim.id, address);
  const [waiting] = await rowsOf("SELECT id FROM email_confirmations WHERE address = ?", address);
  const { id } = waiting as { id: string };
  const mails = { topic: "rating", address: victimAddress } as const;
  const unsubscribe = await unsubscribeToken(sessionSecret, mails);
  const confirm = await confirmationToken(sessionSecret, id);
  const toUser = { ...mails, address: `${user.id}@musicians.example` };
  const [, toUserFingerprint = ""] = (await unsubscribeToken(sessionSecret, toUser)).split(".");
  const [, fingerprint = ""] = unsubscribe.split(".");
  const paths = [
    ...altered(unsubscribe, random).map((token) => ["/unsubscribe", token]),
    ...altered(confirm, random).map((token) => ["/confirm-email", token]),
    ["/unsubscribe", confirm],
    ["/unsubscribe", unsubscribe.replace("rating", "subscription")],
    ["/unsubscribe", unsubscribe.replace(fingerprint, toUserFingerprint)],
    ["/confirm-email", unsubscribe],
    ["/confirm-email", confirm.replace(id, crypto.randomUUID())],
  ];
  const headers = { Accept: "text/html", "Content-Type": form };
  const requests = paths.flatMap(([path, token = ""]) => {
    const link = { fault: token, path: `${path}?token=${encodeURIComponent(wellFormed(token))}` };
    return [
      { ...link, method: "GET", headers, body: null },
      { ...link, method: "POST", headers, body: "List-Unsubscribe=One-Click" },
    ];
  });
  expect(await faultsOf(requests, { secrets: [...secrets, address] })).toEqual([]);

  for (const [path, token] of [
    ["/unsubscribe", unsubscribe],
    ["/confirm-email", confirm],
  ]) {
    const own = { fault: "none", path: `${path}?token=${token}`, headers };
    const answer = await send({ ...own, method: "POST", body: "List-Unsubscribe=One-Click" });
    expect([path, answer.status]).toEqual([path, 303]);
  }
});

test("an event without a recent signature by Stripe is refused", async () => {
  const { victim, victimAddress, secrets } = await makeWorld(musician);
  const { customer } = await subscribeByHand(victimAddress, { userId: victim.id });
  const object = { object: "subscription", customer };
  const type = "customer.subscription.deleted";
  const payload = JSON.stringify({ id: unique("evt"), object: "event", type, data: { object } });
  const now = Math.floor(Date.now() / 1000);
  const signed = async (fields: object) =>
    (await control<{ header: string }>("stripeSign", { payload, ...fields })).header;
  const post = (signature: string, body: string) => ({
    ...{ fault: signature, method: "POST", path: "/webhooks/stripe", body },
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
  });
  const good = await signed({ timestamp: now });
  const requests = [
    ...altered(good.split("v1=")[1] ?? "", random)
      .filter((one) => /^[\w.]*$/.test(one))
      .map((one) => post(`t=${now},v1=${one}`, payload)),
    post(await signed({ timestamp: now - 301 }), payload),
    post(await signed({ timestamp: now, secret: "whsec_another" }), payload),
    post(good.replace("v1=", "v0="), payload),
    post(good.replace(`t=${now}`, `t=${now + 1}`), payload),
    post(good.replace(`t=${now}`, "t=NaN"), payload),
    post(good, `${payload} `),
    post(good, payload.replace("deleted", "updated")),
    post(good, ""),
    post(good, `${payload}${" ".repeat(300_000)}`),
  ];
  expect(await faultsOf(requests, { secrets })).toEqual([]);
  expect((await send(post(good, payload))).status).toBe(200);
});

test("a login that another browser began, or that has a made-up code, is refused", async () => {
  const { secrets } = await makeWorld(musician);
  const login = await beginLogin();
  const callback = await decide(login, musician);
  const state = callback.searchParams.get("state") ?? "";
  const code = callback.searchParams.get("code") ?? "";
  const [name, value = ""] = login.cookie.split("=", 2);
  const back = (query: Record<string, string>, cookie: string) => {
    const path = `${callback.pathname}?${new URLSearchParams(query)}`;
    return { method: "GET", path, headers: { Accept: "text/html", Cookie: cookie }, body: null };
  };
  const requests = [
    ...alterations(code, (one) => [back({ state, code: wellFormed(one) }, login.cookie)]),
    ...alterations(state, (one) => [back({ state: wellFormed(one), code }, login.cookie)]),
    ...alterations(value, (one) => [
      back({ state, code }, `${name}=${encodeURIComponent(wellFormed(one))}`),
    ]),
    ...alterations("access_denied", (one) => [
      back({ state, code, error: `x${wellFormed(one)}` }, login.cookie),
    ]),
  ];
  expect(await faultsOf(requests, { secrets })).toEqual([]);
  const own = { fault: "none", ...back({ state, code }, login.cookie) };
  expect((await send(own)).status).toBe(303);
});
