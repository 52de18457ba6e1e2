import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import {
  counts,
  gives,
  hides,
  leads,
  led,
  pageOf,
  shows,
  tells,
  unchanged,
} from "../../support/answers";
import { contents } from "../../support/database/contents";
import { unique } from "../../support/database/factories";
import { change } from "../../support/database/rows";
import { someone } from "../../support/people";
import {
  type Browser,
  browserOf,
  consentOf,
  isAtSpotify,
  loggedInAgo,
} from "../../support/people/logins";

const hour = 60 * 60_000;
const musician = "eino-kallas";
const own = "own@mail.example";
const address = `${unique("new")}@mail.example`;

/** Somebody with the musician's account at the sandbox, who logged in some time ago. */
async function loggedIn(age: number, ownEmail: string | null = own) {
  const who = await someone({ musician, ownEmail });
  await isAtSpotify(who, musician);
  await loggedInAgo(who, age);
  return { who, it: await browserOf(who) };
}

const deletion = {
  ...{ path: "/account/delete", form: { sure: "on" } as Record<string, string> },
  back: "/account?again=delete#delete" as unknown,
};
const actions = [
  deletion,
  {
    ...{ path: "/account/email/remove", form: { x: "" } },
    back: "/account?again=removal#address",
  },
  {
    ...{ path: "/account/email", form: { address } },
    back: expect.stringMatching(/^\/account\?again=address&entered=[\w-]+#new-address$/),
  },
] as (typeof deletion)[];

/** Presses, with a login that is too old. @returns Spotify's consent page, to which the page leads that lets choose. */
async function asked(it: Browser, { path, form } = deletion): Promise<URL> {
  let answer = await it.posts(path, form);
  const where = led(answer)[1] ?? "";
  if (where.startsWith("/login/again")) {
    const next = new URLSearchParams(where.split("?")[1]).get("next") ?? "";
    await shows(it, where, `name="next" value="${next.replaceAll("&", "&amp;")}"`);
    answer = await it.posts("/login/again", { next });
  }
  const consent = consentOf(answer);
  expect(consent.href).toContain(`${env.SANDBOX_ORIGIN}/spotify/accounts/authorize?`);
  expect(consent.searchParams.get("show_dialog")).toBe("true");
  return consent;
}

const account = () => contents("users", "mailed_proofs");

test.each(actions)("$path acts at once if the login is less than an hour old", async (action) => {
  const { it } = await loggedIn(hour - 5000);
  const before = await account();
  expect(led(await it.posts(action.path, action.form))[1]).toMatch(/^\/account/);
  expect(await account()).not.toEqual(before);
});

test.each(actions)(
  "$path with an older login changes nothing until a new one, and another press",
  async (action) => {
    const { path, form, back } = action;
    const { it } = await loggedIn(hour + 5000);
    const before = await account();
    const consent = await unchanged(() => asked(it, action));
    const response = await it.consents(consent, musician);
    await leads(response, back);
    const page = await shows(it, led(response)[1] ?? "", "press the button once more");
    if (form.address) expect(page).toContain(`value="${address}"`);
    const same = { mailed_proofs: before.mailed_proofs, users: [{ own_email: own }] };
    expect(await account()).toMatchObject(same);
    await counts("sessions", 1);
    expect(led(await it.posts(path, form))[1]).toMatch(/^\/account/);
    expect(await account()).not.toMatchObject(same);
  },
);

test.each(actions)("$path with an older login tells a program to log in again", async (action) => {
  const { it } = await loggedIn(2 * hour);

  const error = "Log in again first";
  await tells(
    unchanged(() => it.sends(action.path, action.form)),
    401,
    { error, loginAgain: true },
  );
});

test("a new login with another Spotify account is not accepted, and changes nothing", async () => {
  const { it, who } = await loggedIn(2 * hour);
  const consent = await asked(it);
  const answer = await unchanged(() => it.consents(consent, "mara-lind"));
  const page = await pageOf(answer, 403, "This is another Spotify account");
  expect(page).toContain(who.displayName);
  expect(page).toContain('<a class="button" href="/account">');
  await gives(it.gets("/player/token"), 200);
});

test("a new login that is left at Spotify's page asks nothing of the next login in that browser", async () => {
  const { it } = await loggedIn(2 * hour);
  await asked(it);
  it.forget("session");
  await leads(it.logsIn("mara-lind"), "/");
  expect(it.isLoggedIn()).toBe(true);
});

test("who declines a new login changes nothing, and stays logged in", async () => {
  const { it } = await loggedIn(2 * hour);
  const consent = await asked(it);
  await leads(
    unchanged(() => it.consents(consent, musician, "deny")),
    "/account?declined",
  );
  await shows(it, "/account?declined", "so nothing was changed");
  await gives(it.gets("/player/token"), 200);
});

test("the new login does not recreate an account that was deleted meanwhile", async () => {
  const { it, who } = await loggedIn(2 * hour, null);
  const consent = await asked(it);
  await who.leaves();
  await gives(it.consents(consent, musician), 403);
  await counts("users", 0);
});

test("activity does not make a login more recent", async () => {
  const { it } = await loggedIn(2 * hour, null);
  await change("sessions", {}, { lastSeenAt: Date.now() - hour / 12 });
  await it.gets("/");
  await asked(it);
});

test("the address entered is not readable in the URL, and a forged URL cannot fill in the form", async () => {
  const { it } = await loggedIn(2 * hour);
  const [, path] = led(await it.consents(await asked(it, actions[2]), musician));
  expect(decodeURIComponent(path ?? "")).not.toContain(address);
  const stranger = await someone();
  for (const forged of [
    path ?? "",
    `/account?again=address&entered=${encodeURIComponent(address)}`,
  ]) {
    await hides(stranger, forged, address);
  }
});

test("cancelling an unconfirmed address needs no new login", async () => {
  const { it } = await loggedIn(2 * hour);
  await leads(it.posts("/account/email/remove", { waiting: "1" }), "/account");
});
