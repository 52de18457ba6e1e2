/** A page that only the sandbox has: all customers and subscriptions, and buttons that let time pass. */
import { Hono } from "hono";
import type Stripe from "stripe";
import { html, type Markup } from "../../html.ts";
import { expireDue } from "../operations/expiry.ts";
import { endPeriod, hasEnded } from "../operations/subscriptions.ts";
import type { StripeService } from "../service.ts";
import { newest, walletOf } from "../state.ts";
import { button, missingPage, stripePage, subscriptionText } from "./pages.ts";

export function overviewPages(service: StripeService): Hono {
  const app = new Hono();
  const { context, state } = service;

  app.get("/", (c) => {
    expireDue(service);
    return c.html(overview(service));
  });

  app.post("/subscriptions/:id/:command", (c) => {
    const subscription = state.subscriptions.get(c.req.param("id"));
    const command = c.req.param("command");
    if (!subscription || !["end-period", "fail-next"].includes(command)) {
      return c.html(missingPage(), 404);
    }
    if (command === "fail-next") walletOf(state, String(subscription.customer)).declineNext = true;
    else if (!hasEnded(subscription)) endPeriod(service, subscription);
    context.store.changed();
    return c.redirect("/stripe", 303);
  });

  return app;
}

function overview(service: StripeService): Markup {
  const { state, webhooks } = service;
  const customers = newest(state.customers).filter(({ id }) => !state.deleted.has(id));
  const open = newest(state.sessions).filter(({ session }) => session.status === "open");
  return stripePage(
    "Stripe",
    html`<h1>Customers and subscriptions</h1>
<p class="quiet">Events are sent to ${webhooks.endpoint?.url ?? "nobody"}.</p>
${customers.map((customer) => customerCard(service, customer))}
${customers.length === 0 ? html`<p>There are no customers.</p>` : ""}
${
  open.length > 0
    ? html`<h2>Open checkouts</h2><ul class="list">${open.map(
        ({ session }) => html`<li><a class="row" href="/stripe/checkout/${session.id}">
<span>${payerName(state.customers.get(String(session.customer)), session)}
<small>${session.id}</small></span></a></li>`,
      )}</ul>`
    : ""
}
<p><a href="/">Front page of the sandbox</a></p>`,
  );
}

function payerName(
  customer: Stripe.Customer | undefined,
  session: Stripe.Checkout.Session,
): string {
  return customer?.name ?? customer?.email ?? session.customer_email ?? "Unknown customer";
}

function customerCard({ state }: StripeService, customer: Stripe.Customer): Markup {
  const { card, declineNext } = walletOf(state, customer.id);
  const own = newest(state.subscriptions).filter(
    (subscription) => subscription.customer === customer.id,
  );
  return html`<section class="card">
<h2>${customer.name ?? customer.email ?? customer.id}</h2>
<p class="quiet">${customer.email ?? "no e-mail address"} · ${customer.id}</p>
<p class="quiet">The card ${card === "works" ? "works" : "is declined"}${
    declineNext ? "; the next payment fails" : ""
  }.</p>
${own.map(
  (subscription) => html`${subscriptionText(subscription)}
${
  hasEnded(subscription)
    ? ""
    : html`<div class="keys">
${button(`/stripe/subscriptions/${subscription.id}/end-period`, "End the period")}
${button(`/stripe/subscriptions/${subscription.id}/fail-next`, "Fail the next payment", { plain: true })}
</div>`
}`,
)}
${own.length === 0 ? html`<p>No subscription.</p>` : ""}
</section>`;
}
