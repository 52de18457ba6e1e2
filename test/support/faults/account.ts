/** Scenarios of the account: preferences, addresses, sessions, export, deletion. */
import { env } from "cloudflare:workers";
import { confirmationToken } from "~/domain/contact/address.server";
import { unsubscribeToken } from "~/domain/contact/unsubscribe.server";
import { readConfig } from "~/platform/env";
import {
  insert,
  makeRating,
  makeSong,
  makeUser,
  type TestUser,
  unique,
} from "../database/factories";
import { makeSession } from "../login";
import { addressOf } from "../mails";
import { deliver, eventOf, makeBuyer, stripeState } from "../stripe/stripe";
import { firstRow } from "./check";
import { ask, type Caller, type Surroundings } from "./run";
import type { Scenario } from "./scenario";

const { sessionSecret } = readConfig(env);
const mailOfOpenLink = `SELECT count(*) AS links,
  (SELECT count(*) FROM outbox WHERE subject_id = asked.id) AS mails
  FROM email_confirmations AS asked WHERE used_at IS NULL AND expires_at > created_at
  AND NOT EXISTS (SELECT 1 FROM email_confirmations AS later
    WHERE (later.created_at, later.id) > (asked.created_at, asked.id))`;

async function posting(
  musician: string,
  path: string,
  form: Record<string, string>,
  options: Parameters<typeof makeUser>[0] = {},
) {
  const user = await makeUser(options);
  const { cookie } = await makeSession(user, { musician });
  const act = (around: Surroundings, caller: Caller) => ask(around, path, caller, { cookie, form });
  return { user, act };
}

/** A link that was mailed to a new address and has not been used. */
async function makeLink({ id }: TestUser, address: string): Promise<string> {
  const link = unique("link");
  const now = Date.now();
  const asked = { id: link, user_id: id, address, created_at: now - 1000 };
  await insert("email_confirmations", { ...asked, expires_at: now + 3_600_000 }).run();
  return link;
}

export const accountScenarios: Scenario[] = [
  {
    name: "saving an e-mail preference",
    async prepare(musician) {
      const form = { receiveRatingEmails: "false" };
      return {
        ...(await posting(musician, "/email-preference", form)),
        state: () => firstRow("SELECT receive_rating_emails AS wanted FROM email_preferences"),
      };
    },
    done: { wanted: 0 },
  },
  {
    name: "a mail asked for when there are songs again",
    async prepare(musician) {
      return {
        ...(await posting(musician, "/song-mail", { wanted: "true" })),
        state: () => firstRow("SELECT count(*) AS wishes FROM song_wishes"),
      };
    },
    done: { wishes: 1 },
  },
  {
    name: "such a mail taken back",
    async prepare(musician) {
      const { user, act } = await posting(musician, "/song-mail", { wanted: "false" });
      const times = { asked_at: 1, looked_at: 1 };
      await insert("song_wishes", { id: unique("wish"), user_id: user.id, ...times }).run();
      return { act, state: () => firstRow("SELECT count(*) AS wishes FROM song_wishes") };
    },
    done: { wishes: 0 },
  },
  {
    name: "a request to confirm an address",
    async prepare(musician) {
      const form = { address: `${unique("own")}@mail.example` };
      return {
        ...(await posting(musician, "/account/email", form)),
        state: () => firstRow(mailOfOpenLink),
      };
    },
    done: { links: 1, mails: 1 },
  },
  {
    name: "the confirmation of an address",
    answers: "page",
    async prepare() {
      const user = await makeUser({ ownEmail: "before@mail.example" });
      const link = await makeLink(user, "mine@mail.example");
      const path = `/confirm-email?token=${await confirmationToken(sessionSecret, link)}`;
      return {
        act: (around, caller) => ask(around, path, caller, { form: {} }),
        state: () =>
          firstRow(`SELECT own_email, (SELECT count(*) FROM email_confirmations
                      WHERE used_at IS NOT NULL) AS used FROM users`),
      };
    },
    done: { own_email: "mine@mail.example", used: 1 },
  },
  {
    name: "the removal of an address",
    async prepare(musician) {
      const options = { ownEmail: "mine@mail.example" };
      return {
        ...(await posting(musician, "/account/email/remove", {}, options)),
        state: () =>
          firstRow(`SELECT own_email, (SELECT count(*) FROM email_confirmations
                      WHERE used_at IS NOT NULL) AS used FROM users`),
      };
    },
    done: { own_email: null, used: 0 },
  },
  {
    name: "cancelling an unconfirmed address",
    async prepare(musician) {
      const form = { waiting: "" };
      const { user, act } = await posting(musician, "/account/email/remove", form);
      await makeLink(user, "mistyped@mail.example");
      const open = "SELECT count(*) AS links FROM email_confirmations WHERE expires_at > ?";
      const soon = Date.now() + 60_000;
      return { act, state: () => firstRow(open, soon) };
    },
    done: { links: 0 },
  },
  {
    name: "unsubscribing by the link in a mail",
    answers: "page",
    async prepare() {
      const user = await makeUser();
      const mails = { topic: "rating", address: addressOf(user) } as const;
      const token = await unsubscribeToken(sessionSecret, mails);
      const form = { receive: "false" };
      return {
        act: (around, caller) => ask(around, `/unsubscribe?token=${token}`, caller, { form }),
        state: () => firstRow("SELECT count(*) AS ended FROM mail_suppressions"),
      };
    },
    done: { ended: 1 },
  },
  {
    name: "ending all sessions",
    async prepare(musician) {
      const { user, act } = await posting(musician, "/account/sessions/end", {});
      await makeSession(user, { musician });
      return { act, state: () => firstRow("SELECT count(*) AS sessions FROM sessions") };
    },
    done: { sessions: 0 },
    already: "Please log in with Spotify first",
  },
  {
    name: "exporting the account",
    prepare: async (musician) => ({
      ...(await posting(musician, "/account/export", {})),
      state: async () => ({}),
      shows: /"exportedAt": "/,
    }),
    done: {},
  },
  {
    name: "deleting an account with premium",
    asksOutside: true,
    async prepare(musician) {
      const { user, cookie, customer } = await makeBuyer(await makeUser(), { musician });
      await deliver(await eventOf(customer, "invoice.paid"));
      await makeRating(await makeUser(), await makeSong(user));
      await makeRating(user, await makeSong(await makeUser()));
      const whose = "SELECT count(*) AS users FROM users WHERE id = ?";
      return {
        act: (around, caller) => ask(around, "/account/delete", caller, { cookie, form: {} }),
        async state() {
          const { customers, subscriptions } = await stripeState({ customer });
          return {
            ...(await firstRow(whose, user.id)),
            customers: customers.filter((one) => !("deleted" in one && one.deleted)).length,
            paying: subscriptions.filter(({ status }) => status === "active").length,
          };
        },
      };
    },
    done: { users: 0, customers: 0, paying: 0 },
    already: "Please log in with Spotify first",
  },
];
