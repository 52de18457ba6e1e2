/** What the account page and its mails' links do. */
import { env } from "cloudflare:workers";
import { endedLoginTexts } from "~/login/ended-login";
import { confirmationToken } from "~/mailing/address.server";
import { unsubscribeToken } from "~/mailing/unsubscribe.server";
import { readConfig } from "~/platform/env";
import {
  insert,
  makeRating,
  makeSong,
  makeUser,
  type TestUser,
  unique,
} from "../database/factories";
import { addressOf, type SignedEvent } from "../mails";
import { control } from "../sandbox";
import { deliver, eventOf, makeBuyer, stripeState } from "../stripe/stripe";
import { type Action, asking, forMembers } from "./action";
import { firstRow, makeListener, makeMember, operates } from "./world";

const { sessionSecret } = readConfig(env);
const userCount = "SELECT count(*) AS users FROM users WHERE id = ?";
const ownAddress = `SELECT own_email,
  (SELECT count(*) FROM mailed_proofs WHERE used_at IS NOT NULL) AS used FROM users`;
const mailOfOpenLink = `SELECT count(*) AS links,
  (SELECT count(*) FROM outbox WHERE subject_id = asked.id) AS mails
  FROM mailed_proofs AS asked WHERE used_at IS NULL AND expires_at > created_at
  AND NOT EXISTS (SELECT 1 FROM mailed_proofs AS later
    WHERE (later.created_at, later.id) > (asked.created_at, asked.id))`;

async function makeLink({ id }: TestUser, address: string): Promise<string> {
  const link = unique("link");
  const now = Date.now();
  const times = { created_at: now - 1000, expires_at: now + 3_600_000 };
  const asked = { id: link, kind: "confirmation", asked_by: id, address, ...times };
  await insert("mailed_proofs", asked).run();
  return link;
}

export async function confirmationPath(user: TestUser, address: string): Promise<string> {
  const link = await makeLink(user, address);
  return `/confirm-email?token=${await confirmationToken(sessionSecret, link)}`;
}

export async function unsubscribePath(user: TestUser): Promise<string> {
  const mails = { topic: "rating", address: addressOf(user) } as const;
  return `/unsubscribe?token=${await unsubscribeToken(sessionSecret, mails)}`;
}

export const accountActions: Action[] = [
  {
    name: "a notice that something may not be here",
    limit: "LIMIT_STRICT",
    formsOn: ["/notice"],
    status: 303,
    async prepare() {
      const told = { location: "Some song", words: "It is mine.", name: "", faith: "on" };
      const form = { ...told, address: `${unique("rights")}@mail.example` };
      const state = () =>
        firstRow(`SELECT count(*) AS notices, (SELECT count(*) FROM outbox) AS mails FROM notices`);
      return { ...asking("/notice", { form }), state };
    },
    done: { notices: 1, mails: 1 },
  },
  {
    name: "saving an e-mail preference",
    ...forMembers("LIMIT_NORMAL"),
    formsOn: ["/account", "/ratings-of-my-songs"],
    async prepare(musician) {
      const { post } = await makeMember(musician);
      return {
        ...post("/email-preference", { receiveRatingEmails: "false" }),
        state: () => firstRow("SELECT receive_rating_emails AS wanted FROM email_preferences"),
      };
    },
    done: { wanted: 0 },
  },
  {
    name: "a request to confirm an address",
    ...forMembers("LIMIT_STRICT"),
    formsOn: ["/account"],
    async prepare(musician) {
      const { post } = await makeMember(musician);
      const form = { address: `${unique("own")}@mail.example` };
      return { ...post("/account/email", form), state: () => firstRow(mailOfOpenLink) };
    },
    done: { links: 1, mails: 1 },
  },
  {
    name: "the confirmation of an address",
    limit: "LIMIT_NORMAL",
    status: 303,
    answers: "page",
    async prepare() {
      const user = await makeUser({ ownEmail: "before@mail.example" });
      const path = await confirmationPath(user, "mine@mail.example");
      return { ...asking(path, { form: {} }), state: () => firstRow(ownAddress) };
    },
    done: { own_email: "mine@mail.example", used: 1 },
  },
  {
    name: "the removal of an address",
    ...forMembers("LIMIT_STRICT"),
    formsOn: ["/account"],
    async prepare(musician) {
      const { post } = await makeMember(musician, { ownEmail: "mine@mail.example" });
      return { ...post("/account/email/remove"), state: () => firstRow(ownAddress) };
    },
    done: { own_email: null, used: 0 },
  },
  {
    name: "cancelling an unconfirmed address",
    async prepare(musician) {
      const { user, post } = await makeMember(musician);
      await makeLink(user, "mistyped@mail.example");
      const open = "SELECT count(*) AS links FROM mailed_proofs WHERE expires_at > ?";
      const soon = Date.now() + 60_000;
      return {
        ...post("/account/email/remove", { waiting: "" }),
        state: () => firstRow(open, soon),
      };
    },
    done: { links: 0 },
  },
  {
    name: "unsubscribing by the link in a mail",
    limit: "LIMIT_WIDE",
    fromAnywhere: true,
    answers: "page",
    async prepare() {
      const path = await unsubscribePath(await makeUser());
      return {
        ...asking(path, { form: { receive: "false" } }),
        state: () => firstRow("SELECT count(*) AS ended FROM mail_suppressions"),
      };
    },
    done: { ended: 1 },
  },
  {
    name: "a webhook about a mail that came back",
    limit: "LIMIT_WIDE",
    answers: "JSON",
    // Resend sends the event again.
    outage: [500],
    async prepare() {
      const address = addressOf(await makeUser());
      const { mailSender } = readConfig(env);
      const data = { from: mailSender.address, to: [address], bounce: { type: "Permanent" } };
      const event = { type: "email.bounced", created_at: new Date().toISOString(), data };
      const payload = JSON.stringify(event);
      const { headers } = await control<SignedEvent>("mailSign", { payload });
      return {
        ...asking("/webhooks/resend", { body: payload, headers }),
        state: () => firstRow("SELECT count(*) AS ended FROM mail_suppressions"),
      };
    },
    done: { ended: 1 },
  },
  {
    name: "exporting the account",
    ...forMembers("LIMIT_STRICT"),
    formsOn: ["/account"],
    async prepare(musician) {
      const { post } = await makeListener(musician, { listen: "confirmed" });
      const state = async () => ({});
      return { ...post("/account/export"), state, shows: /"exportedAt": ?"/ };
    },
    done: {},
  },
  {
    name: "an operator's look at somebody",
    async prepare(musician) {
      const { user, post } = await makeMember(musician);
      await operates(user);
      const person = addressOf(await makeUser({ ownEmail: `${unique("own")}@mail.example` }));
      return post("/operator/act", { do: "look", person });
    },
  },
  {
    name: "mailing somebody's data at the operator's word",
    async prepare(musician) {
      const { user, post } = await makeMember(musician);
      await operates(user);
      const asked = { do: "export", user: (await makeUser()).id, reason: "Asked by mail." };
      return post("/operator/act", asked);
    },
  },
  {
    name: "deleting an account with premium",
    ...forMembers("LIMIT_STRICT"),
    formsOn: ["/account"],
    asksOutside: true,
    async prepare(musician) {
      const { user, cookie, customer } = await makeBuyer(await makeUser(), { musician });
      await deliver(await eventOf(customer, "invoice.paid"));
      await makeRating(await makeUser(), await makeSong(user));
      await makeRating(user, await makeSong(await makeUser()));
      return {
        ...asking("/account/delete", { cookie, form: {} }),
        async state() {
          const { customers, subscriptions } = await stripeState({ customer });
          return {
            ...(await firstRow(userCount, user.id)),
            customers: customers.filter((one) => !("deleted" in one && one.deleted)).length,
            paying: subscriptions.filter(({ status }) => status === "active").length,
          };
        },
      };
    },
    done: { users: 0, customers: 0, paying: 0 },
    already: endedLoginTexts.otherwise,
  },
  {
    name: "deleting an account of which nothing is kept",
    prepare: async (musician) => (await makeMember(musician)).post("/account/delete"),
  },
];
