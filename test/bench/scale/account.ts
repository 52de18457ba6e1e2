/** Logins, the user's own songs and data, mails and addresses. */
import { randomUUID } from "node:crypto";
import { sign } from "../../../app/platform/crypto.server.ts";
import { accountIdOf } from "../../sandbox/catalogue.ts";
import { type Ask, type CountedApp, newUser } from "../worker/counted-app.ts";
import { musician, nextTrack, page, post, type Run, submission } from "./world.ts";

/** The id at Spotify of the one who operates, in wrangler.toml. */
const operatorId = accountIdOf("demo-operator");

export const accountRuns: Run[] = [
  { name: "logging in", status: 303, prepare: (app) => callback(app) },
  {
    name: "player's token",
    who: "light",
    prepare: page("/player/token"),
  },
  {
    name: "player's token, renewed",
    who: "light",
    async prepare(app, userId) {
      const cookie = await app.logIn(userId, musician);
      await app.sql("UPDATE sessions SET token_expires_at = 0 WHERE user_id = ?", userId);
      return { path: "/player/token", cookie };
    },
  },
  {
    name: "email preference",
    who: "light",
    prepare: post("/email-preference", { receiveRatingEmails: "true" }),
  },
  {
    name: "adding an address",
    who: "light",
    async prepare(app, userId) {
      await app.sql("DELETE FROM mailed_proofs WHERE used_at IS NULL");
      const address = `${randomUUID()}@elsewhere.example`;
      return post("/account/email", { address })(app, userId);
    },
  },
  {
    name: "confirming an address",
    who: "light",
    status: 303,
    async prepare(app, userId) {
      const id = randomUUID();
      await app.sql(
        `INSERT INTO mailed_proofs (id, kind, asked_by, address, created_at, expires_at)
         VALUES (?1, 'confirmation', ?2, ?1 || '@elsewhere.example', ?3, ?3 + 86400000)`,
        id,
        userId,
        Date.now(),
      );
      const token = `${id}.${await sign(app.secret, "confirm", id)}`;
      return { path: `/confirm-email?token=${token}`, body: "" };
    },
  },
  {
    name: "removing an address",
    who: "light",
    status: 303,
    async prepare(app, userId) {
      return { path: "/account/email/remove", body: "", cookie: await app.logIn(userId, musician) };
    },
  },
  {
    name: "unsubscribing",
    who: "light",
    status: 303,
    async prepare({ secret, sql }, userId) {
      await sql("DELETE FROM mail_suppressions");
      const fingerprint = await sign(secret, "unsubscribed address", `${userId}@mail.example`);
      const signature = await sign(secret, "unsubscribe", `rating.${fingerprint}`);
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const path = `/unsubscribe?token=rating.${fingerprint}.${signature}`;
      return { path, body: "List-Unsubscribe=One-Click", headers };
    },
  },
  { name: "ratings of 1,000 songs, free", who: "owner", prepare: page("/ratings-of-my-songs") },
  {
    name: "ratings of 1,000 songs, premium",
    who: "owner",
    async prepare(app, userId) {
      await app.sql(
        `INSERT OR IGNORE INTO subscriptions (user_id, status, tier, subscription_id, updated_at)
         VALUES (?, 'active', 'premium', 'sub_owner', 0)`,
        userId,
      );
      return page("/ratings-of-my-songs")(app, userId);
    },
  },
  {
    name: "submitting one more song",
    who: "owner",
    extreme: true,
    prepare: (app, userId) => submission(app, userId, nextTrack()),
  },
  { name: "account", who: "owner", prepare: page("/account") },
  {
    name: "operator's page after a year",
    async prepare(app, userId) {
      await app.sql("UPDATE users SET spotify_id = id WHERE spotify_id = ?", operatorId);
      await app.sql("UPDATE users SET spotify_id = ? WHERE id = ?", operatorId, userId);
      await app.sql(
        `INSERT OR IGNORE INTO daily_stats
         WITH days (ago) AS (SELECT 1 UNION SELECT ago + 1 FROM days WHERE ago < 365)
         SELECT date('now', '-' || ago || ' days'), 40, 300, 280, 20, 50, 10, 26, 90, 3, 250, 1, 2, 12,
           0, 0 FROM days`,
      );
      return page("/operator")(app, userId);
    },
  },
  { name: "export of 10,000 ratings given", who: "settled", prepare: post("/account/export") },
  { name: "export of 1,000 songs", who: "owner", prepare: post("/account/export") },
  { name: "logging out everywhere", who: "light", prepare: post("/account/sessions/end") },
  { name: "logging out", who: "light", status: 303, prepare: post("/logout") },
];

/** Runs that delete the user, which come last. */
export const lastRuns: Run[] = [
  {
    name: "deleting a new account",
    async prepare(app) {
      return post("/account/delete")(app, await newUser(app));
    },
  },
  {
    name: "deleting 10,000 ratings given",
    who: "settled",
    times: 1,
    prepare: post("/account/delete"),
  },
  { name: "deleting 1,000 songs", who: "owner", times: 1, prepare: post("/account/delete") },
];

/** The last step of a login, after the steps of the browser. */
async function callback(app: CountedApp): Promise<Ask> {
  await app.sql(
    "DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE spotify_id = ?)",
    accountIdOf("demo-new"),
  );
  const begun = await app.ask({ path: "/login", body: "", headers: { Accept: "text/html" } }, 303);
  const consent = await (await fetch(begun.headers.get("Location") ?? "")).text();
  const action = /<form method="post" action="([^"]+)"/.exec(consent)?.[1] ?? "";
  const fields = [...consent.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = "", value = ""]): [string, string] => [name, value.replaceAll("&amp;", "&")],
  );
  const decided = await fetch(new URL(action, app.sandbox), {
    method: "POST",
    body: new URLSearchParams([...fields, ["musician", "demo-new"], ["decision", "agree"]]),
    redirect: "manual",
  });
  const { pathname, search } = new URL(decided.headers.get("Location") ?? "");
  const cookie = begun.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  return { path: `${pathname}${search}`, cookie };
}
