/** Requests of which the sender holds back a part until something has changed. */
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { createDatabase } from "~/db/client.server";
import { endAllSessions } from "~/login/sessions.server";
import { wayFingerprint } from "~/members/what-outlives.server";
import { readConfig } from "~/platform/env";
import { contents, rowsOf } from "../../support/database/contents";
import { countingDatabase } from "../../support/database/counting-database";
import { insert } from "../../support/database/factories";
import { holdBack } from "../../support/held-back";
import { makeMember, makeSession } from "../../support/login";
import { makeOperator } from "../../support/operator";
import { request } from "../../support/request";
import { makeWorld, routes } from "./bad-input-world";

const musician = "hamish-corrievale";
const db = createDatabase(env.DB);

/** Addresses whose answer to a post does not depend on who is logged in, if anybody is. */
const sameForAll = [
  ...["cancel", "withdraw", "terms"],
  // They log in or out.
  "login",
  "logout",
  // They go by a signed link or event, or by an id that the fields here do not name.
  "checkout-session/lookup",
  "confirm-email",
  "login/link",
  "login/name",
  "unsubscribe",
  "webhooks/resend",
  "webhooks/stripe",
  // Nothing takes a post there.
  "",
  ...["try", "try.wav"],
  "account",
  "auth/spotify/callback",
  "covers/:picture",
  "faq",
  "favorites",
  "health",
  "imprint",
  "numbers",
  "player/token",
  "rounds",
  "rounds/:token",
  "r/:token",
  "r/:token/cover",
  "r/:token/picture",
  "rated",
  "ratings-of-my-songs",
  "ratings-of-my-songs/:songId",
  "ratings-of-my-songs/:songId.csv",
  "recordings/:recordingId",
  "recordings/:recordingId/audio",
  "recordings/:recordingId/cover",
  "robots.txt",
  "sitemap.xml",
  "songs/:songId/audio",
  "songs/:songId/cover",
  "songs/:songId/pass/reason",
  "songs/:songId/playlist",
  "subscribe",
  "subscription-cancel",
  "subscription-success",
];

/** Where whose login has ended is a visitor like any other, and may post. */
const forVisitors = ["login/email", "cancel", "withdraw"];

/** A post of a form, and what anybody can tell of its answer. */
async function post(
  path: string,
  fields: Record<string, string>,
  { cookie, bindings, meanwhile }: { cookie: string; bindings: object; meanwhile?: () => unknown },
) {
  const counting = countingDatabase(env.DB);
  const text = new URLSearchParams(fields).toString();
  let tripsBefore = -1;
  const held = holdBack(text, async () => {
    tripsBefore = counting.roundTrips();
    await meanwhile?.();
  });
  const response = await request(path, {
    cookie,
    body: held.body,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    bindings: { ...bindings, DB: counting.binding },
  });
  return {
    wasAskedFor: held.wasAskedFor(),
    tripsBefore,
    answer: {
      status: response.status,
      // Spotify's consent page is another one each time.
      location: response.headers.get("Location")?.replace(/\/authorize\?.*/, "/authorize"),
      body: (await response.text()).replace(/[0-9a-f]{32}/g, "nonce"),
    },
  };
}

/** Somebody who operates, and for whom every form of theirs would do something. */
async function makeSender() {
  const world = await makeWorld(musician);
  const [user] = (await rowsOf("SELECT spotify_id FROM users WHERE id = ?", world.user.id)) as [
    { spotify_id: string },
  ];
  const fields = { ...world.valid, do: "export", user: world.victim.id };
  return { ...world, fields, bindings: { ...env, OPERATORS: user.spotify_id } };
}

/** An operator and what they post, with something done before the last of it is sent. */
async function actLate(form: Record<string, string>, meanwhile: (cookie: string) => unknown) {
  const { cookie, bindings } = await makeOperator();
  const { answer } = await post("/operator/act", form, {
    ...{ cookie, bindings, meanwhile: () => meanwhile(cookie) },
  });
  return answer;
}

const lines = "SELECT action FROM operator_log";

test("an operator who logs out before the form is whole is nobody, and reads nothing of a person", async () => {
  const { user } = await makeMember();
  const form = { do: "export", user: user.id, reason: "By mail." };
  expect((await actLate(form, () => undefined)).status).toBe(303);
  expect(await rowsOf(lines)).toEqual([{ action: "export" }]);
  const answer = await actLate(form, (cookie) => request("/logout", { cookie, form: {} }));
  expect([answer.status, answer.body.includes(user.id)]).toEqual([404, false]);
  expect(await rowsOf(lines)).toEqual([{ action: "export" }]);
});

async function lockedOperator() {
  const operator = await makeOperator();
  const { sessionSecret } = readConfig(env);
  const lock = await wayFingerprint(sessionSecret, "spotifyId", operator.spotifyId);
  const row = { id: lock, user_id: operator.user.id, reason: "Noise.", locked_at: 1 };
  await insert("submission_locks", row).run();
  return { ...operator, form: { do: "unlock", lock, reason: "Mine." } };
}

test("an operator who is locked does not unlock herself by deleting the account before the form is whole", async () => {
  const { cookie, bindings, form } = await lockedOperator();
  const { answer } = await post("/operator/act", form, {
    ...{ cookie, bindings, meanwhile: () => request("/account/delete", { cookie, form: {} }) },
  });
  expect(answer.status).toBe(404);
  expect(await rowsOf("SELECT user_id FROM submission_locks")).toEqual([{ user_id: null }]);
  expect(await rowsOf(lines)).toEqual([]);
});

test("an operator who is locked does not unlock herself while the lock knows none of her accounts", async () => {
  const { act, form } = await lockedOperator();
  await env.DB.prepare("UPDATE submission_locks SET user_id = NULL").run();
  expect((await act(form)).status).toBe(403);
  expect(await rowsOf("SELECT reason FROM submission_locks")).toEqual([{ reason: "Noise." }]);
  expect(await rowsOf(lines)).toEqual([]);
  expect((await (await makeOperator()).act(form)).status).toBe(303);
});

/** It reads its form as it comes (test/worker/recordings/upload.test.ts). */
const isStreamed = ({ path }: { path: string }) => path === "recordings";

const taken = routes.filter((route) => !isStreamed(route)).map(({ path }) => path);

function pathOf(pattern: string, id: string): string {
  return `/${pattern.replace(/:\w+/g, id).replace("*", "nowhere")}`;
}

test.each(taken)(
  "a post to /%s is answered by what holds once all of it is there",
  async (pattern) => {
    const { user, session, ids, fields, bindings } = await makeSender();
    const path = pathOf(pattern, ids[1] ?? "");
    let atTheEnd = {};
    const late = await post(path, fields, {
      ...{ cookie: session.cookie, bindings },
      async meanwhile() {
        await endAllSessions({ db, now: () => Date.now() }, user.id);
        atTheEnd = await contents();
      },
    });
    expect(late).toMatchObject({ wasAskedFor: true, tripsBefore: 0 });
    if (!forVisitors.includes(pattern)) expect(await contents()).toEqual(atTheEnd);
    const ended = await post(path, fields, { cookie: session.cookie, bindings });
    expect(late.answer).toEqual(ended.answer);

    const { cookie } = await makeSession(user, { musician });
    const inTime = await post(path, fields, { cookie, bindings });
    const isSame = JSON.stringify(inTime.answer) === JSON.stringify(ended.answer);
    expect({ pattern, isSame }).toEqual({ pattern, isSame: sameForAll.includes(pattern) });
  },
);

test.each(taken)(
  "a post to /%s that does not come whole in time is refused, and changes nothing",
  async (pattern) => {
    const { session, fields, bindings } = await makeSender();
    const before = await contents();
    // The time is over as soon as it begins.
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((
      run: (value: unknown) => void,
      _ms: number,
      value: unknown,
    ) => queueMicrotask(() => run(value))) as unknown as typeof setTimeout);
    for (const Accept of ["text/html", "application/json"]) {
      const held = holdBack(
        new URLSearchParams(fields).toString(),
        () => new Promise(() => undefined),
      );
      const headers = { "Content-Type": "application/x-www-form-urlencoded", Accept };
      const { cookie } = session;
      const response = await request(pathOf(pattern, "none"), {
        cookie,
        body: held.body,
        headers,
        bindings,
      });
      expect(response.status).toBe(408);
      expect(await response.text()).toContain("did not arrive in time");
      expect(held.wasCancelled()).toBe(true);
    }
    expect(await contents()).toEqual(before);
  },
);
