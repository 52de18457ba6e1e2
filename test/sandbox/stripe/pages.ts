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
import { amountOf, dollars, linesOf, nameOf, periodOf, priceOf, vatIn } from "./objects.ts";
import { type Checkout, newest, type StripeService, walletOf } from "./state.ts";

const STATUS_WORDS: Record<string, string> = {
  active: "Active",
  past_due: "Past due: the last payment failed",
  canceled: "Cancelled",
};

export function stripePages(service: StripeService): Hono {
  const app = new Hono();
  const { context, state } = service;
  app.notFound((c) => c.html(page("Not found", html`<h1>There is nothing here</h1>`), 404));

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

function button(action: string, label: string, subscription = ""): Markup {
  return html`<form method="post" action="${action}">
<button name="subscription" value="${subscription}" class="plain">${label}</button></form>`;
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

function overview({ state }: StripeService): Markup {
  const running = newest(state.subscriptions).filter((one) => !hasEnded(one));
  return page(
    "Stripe",
    html`<h1>Subscriptions</h1>
${running.map((subscription) => {
  const customer = state.customers.get(String(subscription.customer));
  return html`<h2>${customer?.name ?? customer?.email}</h2>${subscriptionText(subscription)}
${button(`/stripe/subscriptions/${subscription.id}/end-period`, "End the period")}
${button(`/stripe/subscriptions/${subscription.id}/fail-next`, "Fail the next payment")}`;
})}`,
  );
}

function checkoutPage(
  service: StripeService,
  { session, lines, isTaxed }: Checkout,
  problem = "",
): Markup {
  const title = `Subscribe to ${lines.map(({ price }) => nameOf(priceOf(price))).join(", ")}`;
  const back = session.cancel_url
    ? html`<a class="button" href="${session.cancel_url}">Back</a>`
    : "";
  if (session.status === "expired")
    return page(title, html`<h1>This checkout has expired</h1>${back}`);
  if (session.status === "complete") {
    const next = html`<a class="button" href="${successUrl(session)}">Continue</a>`;
    return page(title, html`<h1>You have already paid</h1>${next}`);
  }
  const known = knownEmail(service, session);
  return page(
    title,
    html`<h1>${title}</h1>
<p>${dollars(amountOf(lines))} per month${isTaxed ? `, VAT of ${dollars(vatIn(amountOf(lines)))} included` : ""}</p>
<p class="bad" role="alert">${problem}</p>
<form method="post">
<p>${known ? html`E-mail: ${known}` : html`<label>E-mail <input type="email" name="email" required></label>`}</p>
<button name="card" value="works">Pay</button>
<button name="card" value="declined" class="plain">Pay with a card that is declined</button>
${back}
</form>`,
  );
}

function portalPage(
  service: StripeService,
  session: Stripe.BillingPortal.Session,
  customer: Stripe.Customer,
  message = "",
): Markup {
  const { state } = service;
  const own = newest(state.subscriptions).filter((one) => one.customer === customer.id);
  const { card } = walletOf(state, customer.id);
  return page(
    "Manage your subscription",
    html`<h1>Manage your subscription</h1>
<p class="quiet">${customer.email ?? customer.id}</p>
<p role="status">${message}</p>
${own.map((subscription) => plan(service, session.id, subscription))}
<form method="post" action="/stripe/portal/${session.id}/card">
${(["works", "declined"] as const).map(
  (
    kind,
  ) => html`<label class="row"><input type="radio" name="card" value="${kind}" ${kind === card ? "checked" : ""}>
A card that ${kind === "works" ? "works" : "is declined"}</label>`,
)}
<button class="plain">Save payment method</button>
</form>
<p><a class="button" href="${session.return_url ?? "/"}">Back to Fivefold</a></p>`,
  );
}

function plan(service: StripeService, portal: string, subscription: Stripe.Subscription): Markup {
  const { id, cancel_at } = subscription;
  const owed = openInvoices(service, id).reduce((sum, one) => sum + one.amount_remaining, 0);
  const key = (command: string, label: string) =>
    button(`/stripe/portal/${portal}/${command}`, label, id);
  if (hasEnded(subscription)) return subscriptionText(subscription);
  return html`${subscriptionText(subscription)}
${owed > 0 ? key("pay", `Pay the open invoice (${dollars(owed)})`) : ""}
${cancel_at === null ? key("cancel", "Cancel plan") : key("keep", "Don't cancel plan")}
${key("end", "Cancel immediately")}`;
}
