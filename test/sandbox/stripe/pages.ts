/** Stripe's pages: the checkout, the portal, and an overview with buttons that let time pass. */
import { Hono } from "hono";
import type Stripe from "stripe";
import { html, type Markup, page } from "../html.ts";
import {
  cancelNow,
  endPeriod,
  hasEnded,
  openInvoices,
  payOpenInvoices,
  scheduleEnd,
} from "./billing.ts";
import { knownEmail, pay, successUrl } from "./checkout.ts";
import { amountOf, dollars, linesOf, nameOf, periodOf, priceOf } from "./objects.ts";
import { type Checkout, newest, type StripeService, walletOf } from "./state.ts";

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

const STATUS_WORDS: Record<string, string> = {
  active: "Active",
  past_due: "Past due: the last payment failed",
  canceled: "Cancelled",
};

export function stripePages(service: StripeService): Hono {
  const app = new Hono();
  const { context, state } = service;
  app.notFound((c) => c.html(stripePage("Not found", html`<h1>There is nothing here</h1>`), 404));

  app.get("/", (c) => c.html(overview(service)));
  app.post("/subscriptions/:id/:command", (c) => {
    const subscription = state.subscriptions.get(c.req.param("id"));
    if (!subscription) return c.notFound();
    if (c.req.param("command") === "fail-next") {
      walletOf(state, String(subscription.customer)).declineNext = true;
    } else if (!hasEnded(subscription)) endPeriod(service, subscription);
    context.store.changed();
    return c.redirect("/stripe", 303);
  });

  app.get("/checkout/:id", (c) => {
    const checkout = state.sessions.get(c.req.param("id"));
    return checkout ? c.html(checkoutPage(service, checkout)) : c.notFound();
  });
  app.post("/checkout/:id", async (c) => {
    const checkout = state.sessions.get(c.req.param("id"));
    if (!checkout) return c.notFound();
    const form = new URLSearchParams(await c.req.text());
    const email = form.get("email") ?? undefined;
    const card = form.get("card") === "declined" ? "declined" : "works";
    const result = pay(service, checkout, card, email);
    // The second press of a double click leads to the same page as the first.
    if (result === "complete") return c.redirect(successUrl(checkout.session), 303);
    const problem =
      result === "email"
        ? "Enter an e-mail address."
        : "Your card was declined. Nothing was charged.";
    return c.html(checkoutPage(service, checkout, problem), 402);
  });

  function portalWith(id: string) {
    const session = state.portals.get(id);
    const customer = state.customers.get(String(session?.customer));
    return session && customer ? { session, customer } : null;
  }
  app.get("/portal/:id", (c) => {
    const portal = portalWith(c.req.param("id"));
    if (!portal) return c.notFound();
    return c.html(portalPage(service, portal.session, portal.customer, c.req.query("said")));
  });
  app.post("/portal/:id/:command", async (c) => {
    const { id, command: name } = c.req.param();
    const form = new URLSearchParams(await c.req.text());
    const portal = portalWith(id);
    const subscription = state.subscriptions.get(form.get("subscription") ?? "");
    let said: string;
    if (portal && name === "card") {
      const card = form.get("card") === "declined" ? "declined" : "works";
      Object.assign(walletOf(state, portal.customer.id), { card, declineNext: false });
      context.store.changed();
      said = `You now pay with a card that ${card === "works" ? "works" : "is declined"}.`;
    } else if (portal && subscription?.customer === portal.customer.id) {
      // A page that was left open may still have buttons for an ended plan.
      said = hasEnded(subscription) ? "This plan has ended." : press(service, name, subscription);
    } else return c.notFound();
    return c.redirect(`/stripe/portal/${id}?${new URLSearchParams({ said })}`, 303);
  });

  return app;
}

function press(service: StripeService, name: string, subscription: Stripe.Subscription): string {
  if (name === "pay") {
    return payOpenInvoices(service, subscription.id)
      ? "Thank you, the invoice is paid."
      : "Your card was declined. The invoice is still open.";
  }
  if (name === "end") {
    cancelNow(service, subscription);
    return "Your plan is cancelled.";
  }
  scheduleEnd(service, subscription, name === "cancel");
  return name === "cancel"
    ? "Your plan will be cancelled at the end of the period."
    : "Your plan continues.";
}

function stripePage(title: string, body: Markup): Markup {
  return page(title, body, { style: STYLE });
}

function button(action: string, label: string, plain: boolean, subscription = ""): Markup {
  return html`<form method="post" action="${action}"><input type="hidden" name="subscription" value="${subscription}">
<button type="submit" class="${plain ? "plain" : ""}">${label}</button></form>`;
}

function subscriptionText(subscription: Stripe.Subscription): Markup {
  const { status, cancel_at, ended_at, items } = subscription;
  const dateText = (seconds: number) =>
    new Date(seconds * 1000).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
  const next =
    ended_at !== null
      ? `Ended on ${dateText(ended_at)}`
      : cancel_at !== null
        ? `Ends on ${dateText(cancel_at)}`
        : `Renews on ${dateText(periodOf(subscription).end)}`;
  return html`<h2>${items.data.map(({ price }) => nameOf(price)).join(", ")}</h2>
<p>${dollars(amountOf(linesOf(subscription)))} per month</p>
<p>${STATUS_WORDS[status] ?? status}. ${next}.</p>`;
}

function overview({ state, webhooks }: StripeService): Markup {
  const customers = newest(state.customers).filter(({ id }) => !state.deleted.has(id));
  return stripePage(
    "Stripe",
    html`<h1>Customers and subscriptions</h1>
<p class="quiet">Events are sent to ${webhooks.url ?? "nobody"}.</p>
${customers.map(({ id, name, email }) => {
  const { card, declineNext } = walletOf(state, id);
  const own = newest(state.subscriptions).filter(({ customer }) => customer === id);
  return html`<section class="card">
<h2>${name ?? email ?? id}</h2>
<p class="quiet">${email ?? "no e-mail address"} · ${id}</p>
<p class="quiet">The card ${card === "works" ? "works" : "is declined"}${
    declineNext ? "; the next payment fails" : ""
  }.</p>
${own.map(
  (subscription) => html`${subscriptionText(subscription)}
${
  hasEnded(subscription)
    ? ""
    : html`<div class="keys">
${button(`/stripe/subscriptions/${subscription.id}/end-period`, "End the period", false)}
${button(`/stripe/subscriptions/${subscription.id}/fail-next`, "Fail the next payment", true)}
</div>`
}`,
)}
</section>`;
})}
<p><a href="/">Front page of the sandbox</a></p>`,
  );
}

function checkoutPage(
  service: StripeService,
  { session, lines }: Checkout,
  problem?: string,
): Markup {
  const title = `Subscribe to ${lines.map(({ price }) => nameOf(priceOf(price))).join(", ")}`;
  const back = session.cancel_url
    ? html`<a class="button plain" href="${session.cancel_url}">Back</a>`
    : "";
  if (session.status !== "open") {
    const isPaid = session.status === "complete";
    return stripePage(
      title,
      html`<h1>${isPaid ? "You have already paid" : "This checkout has expired"}</h1>
<p>${isPaid ? "Nothing more will be charged." : "Nothing was charged. Go back and start again."}</p>
<div class="keys">${isPaid ? html`<a class="button" href="${successUrl(session)}">Continue</a>` : back}</div>`,
    );
  }
  const known = knownEmail(service, session);
  return stripePage(
    title,
    html`<h1>${title}</h1>
<p><span class="price">${dollars(amountOf(lines))}</span> per month</p>
${problem ? html`<p class="bad" role="alert" id="problem">${problem}</p>` : ""}
<form method="post" action="/stripe/checkout/${session.id}">
${
  known
    ? html`<p>E-mail: <strong>${known}</strong></p>`
    : html`<label class="field">E-mail
<input type="email" name="email" autocomplete="email" required></label>`
}
<div class="keys">
<button type="submit" name="card" value="works">Pay</button>
<button type="submit" name="card" value="declined" class="plain">Pay with a card that is declined</button>
${back}
</div>
</form>`,
  );
}

function portalPage(
  service: StripeService,
  session: Stripe.BillingPortal.Session,
  customer: Stripe.Customer,
  message: string | undefined,
): Markup {
  const { state } = service;
  const own = newest(state.subscriptions).filter((one) => one.customer === customer.id);
  const { card } = walletOf(state, customer.id);
  return stripePage(
    "Manage your subscription",
    html`<h1>Manage your subscription</h1>
<p class="quiet">${customer.email ?? customer.id}</p>
${message ? html`<p role="status"><strong>${message}</strong></p>` : ""}
${own.map((subscription) => plan(service, session.id, subscription))}
<form method="post" action="/stripe/portal/${session.id}/card">
<fieldset><legend>Payment method</legend>
<ul class="list">${(["works", "declined"] as const).map(
      (kind) =>
        html`<li><label class="row"><input type="radio" name="card" value="${kind}" ${
          kind === card ? "checked" : ""
        }><span>${kind === "works" ? "A card that works" : "A card that is declined"}</span></label></li>`,
    )}</ul></fieldset>
<div class="keys"><button type="submit" class="plain">Save payment method</button></div>
</form>
<div class="keys"><a class="button" href="${session.return_url ?? "/"}">Back to Fivefold</a></div>`,
  );
}

function plan(service: StripeService, portal: string, subscription: Stripe.Subscription): Markup {
  const { id, cancel_at } = subscription;
  const owed = openInvoices(service, id).reduce((sum, one) => sum + one.amount_remaining, 0);
  const key = (command: string, label: string, plain = true) =>
    button(`/stripe/portal/${portal}/${command}`, label, plain, id);
  return html`<section class="card">${subscriptionText(subscription)}
${
  hasEnded(subscription)
    ? ""
    : html`<div class="keys">
${owed > 0 ? key("pay", `Pay the open invoice (${dollars(owed)})`, false) : ""}
${cancel_at === null ? key("cancel", "Cancel plan") : key("keep", "Don't cancel plan", false)}
${key("end", "Cancel immediately")}
</div>`
}</section>`;
}
