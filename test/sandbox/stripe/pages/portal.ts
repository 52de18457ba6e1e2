/** billing.stripe.com: the page for managing a subscription. Works without JavaScript. */
import { Hono } from "hono";
import type Stripe from "stripe";
import { html, type Markup } from "../../html.ts";
import { dollars } from "../objects/prices.ts";
import { changeCard } from "../operations/customers.ts";
import { openInvoices, payOpenInvoices } from "../operations/invoices.ts";
import { cancelNow, hasEnded, scheduleEnd } from "../operations/subscriptions.ts";
import type { StripeService } from "../service.ts";
import { liveCustomer, walletOf } from "../state.ts";
import { button, missingPage, stripePage, subscriptionText } from "./pages.ts";

type Visit = { session: Stripe.BillingPortal.Session; customer: Stripe.Customer };

/** What each button does; returns the message to show. */
const COMMANDS: Record<
  string,
  (service: StripeService, subscription: Stripe.Subscription) => string
> = {
  cancel(service, subscription) {
    scheduleEnd(service, subscription, "period_end");
    return "Your plan will be cancelled at the end of the period.";
  },
  keep(service, subscription) {
    scheduleEnd(service, subscription, null);
    return "Your plan continues.";
  },
  end(service, subscription) {
    cancelNow(service, subscription);
    return "Your plan is cancelled.";
  },
  pay(service, subscription) {
    return payOpenInvoices(service, subscription.id)
      ? "Thank you, the invoice is paid."
      : "Your card was declined. The invoice is still open.";
  },
};

export function portalPages(service: StripeService): Hono {
  const app = new Hono();
  const { state } = service;

  function visitWith(id: string): Visit | null {
    const session = state.portals.get(id);
    const customer = liveCustomer(state, session?.customer);
    return session && customer ? { session, customer } : null;
  }

  app.get("/:id", (c) => {
    const visit = visitWith(c.req.param("id"));
    const message = c.req.query("said");
    return visit ? c.html(portalPage(service, visit, message)) : c.html(missingPage(), 404);
  });

  app.post("/:id/:command", async (c) => {
    const visit = visitWith(c.req.param("id"));
    const name = c.req.param("command");
    if (!visit) return c.html(missingPage(), 404);
    const form = new URLSearchParams(await c.req.text());
    const back = (message: string) =>
      c.redirect(
        `/stripe/portal/${visit.session.id}?${new URLSearchParams({ said: message })}`,
        303,
      );
    if (name === "card") {
      const card = form.get("card") === "declined" ? "declined" : "works";
      changeCard(service, visit.customer, card);
      return back(`You now pay with a card that ${card === "works" ? "works" : "is declined"}.`);
    }
    const subscription = state.subscriptions.get(form.get("subscription") ?? "");
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command || subscription?.customer !== visit.customer.id) return c.html(missingPage(), 404);
    // A page that was left open may still have buttons for an ended plan.
    if (hasEnded(subscription)) return back("This plan has ended.");
    return back(command(service, subscription));
  });

  return app;
}

function portalPage(
  service: StripeService,
  { session, customer }: Visit,
  message: string | undefined,
): Markup {
  const { state } = service;
  const own = [...state.subscriptions.values()]
    .filter((subscription) => subscription.customer === customer.id)
    .reverse();
  const card = walletOf(state, customer.id).card;
  return stripePage(
    "Manage your subscription",
    html`<h1>Manage your subscription</h1>
<p class="quiet">${customer.email ?? customer.id}</p>
${message ? html`<p role="status"><strong>${message}</strong></p>` : ""}
${own.map((subscription) => plan(service, session.id, subscription))}
${own.length === 0 ? html`<p>You have no subscriptions.</p>` : ""}
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
${
  session.return_url
    ? html`<div class="keys"><a class="button" href="${session.return_url}">Back to Fivefold</a></div>`
    : ""
}`,
  );
}

function plan(service: StripeService, portal: string, subscription: Stripe.Subscription): Markup {
  const owed = openInvoices(service, subscription.id).reduce(
    (sum, invoice) => sum + invoice.amount_remaining,
    0,
  );
  const press = (command: string, label: string, plain = true) =>
    button(`/stripe/portal/${portal}/${command}`, label, {
      fields: { subscription: subscription.id },
      plain,
    });
  return html`<section class="card">${subscriptionText(subscription)}
${
  hasEnded(subscription)
    ? ""
    : html`<div class="keys">
${owed > 0 ? press("pay", `Pay the open invoice (${dollars(owed)})`, false) : ""}
${subscription.cancel_at === null ? press("cancel", "Cancel plan") : press("keep", "Don't cancel plan", false)}
${press("end", "Cancel immediately")}
</div>`
}</section>`;
}
