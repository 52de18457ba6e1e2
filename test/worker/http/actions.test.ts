/** What is refused of every action, whatever it does. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { endedLoginTexts } from "~/login/ended-login";
import type { Action, Prepared, Says } from "../../support/actions/action";
import { actions, pages } from "../../support/actions/actions";
import { skipWaits } from "../../support/clock";
import { contents } from "../../support/database/contents";
import { makeUser } from "../../support/database/factories";
import { amid } from "../../support/faults/run";
import { holdBack } from "../../support/held-back";
import { makeSession } from "../../support/login";
import { request } from "../../support/request";
import { routes } from "./bad-input-world";
import { watchedLimits } from "./watched-limits";

const musician = "kester-whitlaw";
const limited = [...pages, ...actions].filter(({ limit }) => limit);
const posts = actions.filter(({ limit, method }) => limit && method !== "GET");

beforeEach(() => {
  skipWaits();
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});

async function made({ prepare }: Action) {
  const { asked, ...prepared } = await prepare(musician);
  if (!asked) throw new Error("it does not say what it asks");
  return { ...prepared, asked };
}

interface Refusal {
  whom: string;
  said: Says;
  form?: Record<string, string>;
}

const endedLogin: Refusal = {
  whom: "the ended login",
  said: [401, endedLoginTexts.otherwise],
};

/** Who is refused what. The last one ends the login. */
function refusalsOf({
  refusedTo = {},
  refuses: [refused, forms] = [[0, ""], []],
}: Action): Refusal[] {
  const { nobody } = refusedTo;
  return [
    ...forms.map((form) => ({ whom: "anybody", said: refused, form })),
    ...Object.entries(refusedTo).map(([whom, said]) => ({ whom, said })),
    ...(nobody ? [endedLogin] : []),
  ];
}

async function cookieOf(whom: string, { asked, owner }: Prepared): Promise<string> {
  if (whom === "nobody") return "";
  if (whom === "a stranger") return (await makeSession(await makeUser(), { musician })).cookie;
  if (whom === "the owner" && owner) return (await makeSession(owner, { musician })).cookie;
  if (whom === "the ended login") await env.DB.prepare("DELETE FROM sessions").run();
  return asked?.cookie ?? "";
}

test.each(actions.filter((action) => refusalsOf(action).length > 0))(
  "$name is refused to whom it should be, in the same words as JSON and as a page, and changes nothing",
  async (action) => {
    const prepared = await made(action);
    for (const {
      whom,
      said: [status, error],
      form,
    } of refusalsOf(action)) {
      const { path, headers, ...asked } = { ...prepared.asked, ...(form ? { form } : {}) };
      const cookie = await cookieOf(whom, prepared);
      const at = whom === "nothing" ? path.replace(/^\/(\w+)\/[^/]+/, "/$1/none") : path;
      const before = await contents();
      const toPrograms = { ...headers, Accept: "application/json" };
      const json = await request(at, { ...asked, cookie, headers: toPrograms });
      expect([whom, form, json.status, await json.json()]).toMatchObject([
        whom,
        form,
        status,
        { error },
      ]);
      if (action.method !== "GET") {
        const page = await request(at, { ...asked, ...(headers ? { headers } : {}), cookie });
        const text = (await page.text()).replaceAll("&#x27;", "'");
        if (status === 401) {
          expect([whom, page.status, page.headers.get("Location")]).toEqual([whom, 303, "/?ended"]);
        } else {
          expect([whom, page.status, text]).toEqual([
            whom,
            status,
            expect.stringContaining(`<p class="lead">${error}</p>`),
          ]);
          expect(text).toMatch(/<a class="button"[^>]* href="/);
          expect(text).not.toMatch(/<script|Error \d/);
        }
      }
      expect(await contents()).toEqual(before);
    }
  },
);

test.each(posts)(
  "$name is refused to other sites and by other methods, and changes nothing",
  async (action) => {
    const { path, headers, ...asked } = (await made(action)).asked;
    const before = await contents();
    const sites = [
      ...["https://evil.example", "http://127.0.0.1:1", "null"].map((Origin) => ({ Origin })),
      { "Sec-Fetch-Site": "cross-site" },
    ];
    for (const from of action.fromAnywhere ? [] : sites) {
      const answer = await request(path, { ...asked, headers: { ...headers, ...from } });
      expect([from, answer.status, answer.headers.getSetCookie()]).toEqual([from, 403, []]);
    }
    const { cookie = "" } = asked;
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const answer = await request(path, { cookie, method });
      const told = [method, answer.status, answer.headers.get("Allow")];
      expect(told).toEqual([method, 405, "GET, HEAD, POST"]);
    }
    expect((await request(path, { cookie })).status).not.toBe(500);
    expect(await contents()).toEqual(before);
  },
);

test.each(limited)(
  "$name is refused over its limit, before any body is there, and changes nothing",
  async (action) => {
    const { path, cookie = "" } = (await made(action)).asked;
    const before = await contents();
    const { keys, bindings } = watchedLimits(false);
    const held = holdBack("a=1", () => new Promise(() => undefined));
    const post = posts.includes(action) ? { body: held.body } : {};
    const answer = await request(path, { cookie, bindings, ...post });
    expect([answer.status, answer.headers.get("Retry-After"), held.wasAskedFor()]).toEqual([
      429,
      "60",
      false,
    ]);
    expect(await answer.text()).toContain("Try again in a minute");
    expect(keys.map(([name]) => name)).toEqual([action.limit]);
    expect(await contents()).toEqual(before);
  },
);

test.each(limited.filter(({ limit }) => limit !== "LIMIT_LOGIN"))(
  "$name is counted once, by address, if the login has ended",
  async (action) => {
    const { path, headers, ...asked } = (await made(action)).asked;
    await env.DB.prepare("DELETE FROM sessions").run();
    const { keys, bindings } = watchedLimits(true);
    const from = { ...headers, "CF-Connecting-IP": "192.0.2.1" };
    await (await request(path, { ...asked, headers: from, bindings })).text();
    const ofAddress = keys.filter(([, key]) => key.endsWith(" 192.0.2.1"));
    expect(ofAddress.map(([name]) => name)).toEqual([action.limit]);
  },
);

test.each(posts.filter(({ done }) => done))(
  "$name, pressed twice at once, is done once",
  async (action) => {
    const { act, state } = await made(action);
    const { value } = await amid(
      () => "fine",
      (around) => Promise.all([act(around, "person"), act(around, "person")]),
    );
    expect(value?.map((answer) => Number(answer?.status) < 500)).toEqual([true, true]);
    expect(await state?.()).toEqual(action.done);
  },
);

test.each(posts.filter(({ formsOn }) => formsOn))(
  "$name has a form that needs no script, on each page of its member that should have it",
  async (action) => {
    const { asked, id } = await made(action);
    const { path, cookie = "", form = {} } = asked;
    for (const page of action.formsOn ?? []) {
      const address = page.replace(":id", id ?? path.split("/")[2] ?? "");
      const text = await (await request(address, { cookie })).text();
      const forms = text.match(/<form.*?<\/form>/gs) ?? [];
      const own = forms.filter(
        (one) => /method="post"/i.test(one) && one.includes(` action="${path}"`),
      );
      const named = own.map((one) => [...one.matchAll(/ name="([^"]+)"/g)].map(([, name]) => name));
      expect([page, named]).toEqual([
        page,
        expect.arrayContaining([expect.arrayContaining(Object.keys(form))]),
      ]);
    }
  },
);

test("every post that is counted is among the actions, beside logins that are tested by themselves", async () => {
  const { keys, bindings } = watchedLimits(false);
  const takeNames = () => keys.splice(0).map(([, key]) => key.split("?")[0] ?? "");
  for (const { path } of routes) {
    const address = `/${path.replace(/:\w+/g, "none").replace("*", "nowhere")}`;
    await request(address, { method: "POST", bindings });
  }
  const counted = new Set(takeNames());
  for (const action of posts) {
    const { path, cookie = "" } = (await made(action)).asked;
    await request(path, { method: "POST", cookie, bindings });
  }
  const known = takeNames();
  const others = [...counted].filter((name) => !known.includes(name));
  expect(others.sort()).toEqual(["POST /login", "POST /login/again"]);
});
