/** What all of Stripe's pages share. */
import type Stripe from "stripe";
import { html, type Markup, page } from "../../html.ts";
import { amountOf, dollars, nameOf } from "../objects/prices.ts";
import { linesOf, periodOf } from "../objects/subscription.ts";
import { dateText } from "../time.ts";

const STYLE = `
.card { background: var(--raised); border-radius: 8px; padding: 1rem; margin: 1rem 0; }
.card h2 { color: inherit; font-size: 1.125rem; margin: 0; overflow-wrap: anywhere; }
.price { font-size: 1.5rem; font-weight: 600; }
.keys { display: flex; gap: .75rem; flex-wrap: wrap; margin-top: 1rem; } .keys button, .keys .button { flex: 1 1 12rem; }
.keys form { flex: 1 1 12rem; display: flex; }
a.plain { background: transparent; color: var(--text); box-shadow: inset 0 0 0 1px var(--quiet); }
label.field { display: block; margin-top: 1rem; } .field input { display: block; width: 100%; margin-top: .25rem;
  font: inherit; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--quiet); border-radius: 8px;
  background: var(--ground); color: var(--text); }
fieldset { border: 0; margin: 1.75rem 0 0; padding: 0; } legend { color: var(--quiet); font-weight: 600; padding: 0; }
`;

export function stripePage(title: string, body: Markup): Markup {
  return page(title, body, { style: STYLE });
}

export function missingPage(): Markup {
  return stripePage("Not found", html`<h1>There is nothing here</h1>`);
}

/** A form with only a button. */
export function button(
  action: string,
  label: string,
  { fields = {}, plain = false }: { fields?: Record<string, string>; plain?: boolean } = {},
): Markup {
  return html`<form method="post" action="${action}">${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button type="submit" class="${plain ? "plain" : ""}">${label}</button></form>`;
}

const STATUS_WORDS: Record<string, string> = {
  active: "Active",
  past_due: "Past due: the last payment failed",
  canceled: "Cancelled",
  incomplete: "Not paid yet",
  incomplete_expired: "Never paid",
  paused: "Paused",
  trialing: "In a trial",
  unpaid: "Unpaid",
};

/** The subscription's name, price, status and next date. */
export function subscriptionText(subscription: Stripe.Subscription): Markup {
  const { status, cancel_at, ended_at, items } = subscription;
  const name = items.data.map(({ price }) => nameOf(price)).join(", ");
  const next =
    ended_at !== null
      ? `Ended on ${dateText(ended_at)}`
      : cancel_at !== null
        ? `Ends on ${dateText(cancel_at)}`
        : `Renews on ${dateText(periodOf(subscription).end)}`;
  return html`<h2>${name}</h2>
<p>${dollars(amountOf(linesOf(subscription)))} per month</p>
<p>${STATUS_WORDS[status] ?? status}. ${status === "paused" ? "" : `${next}.`}</p>`;
}
