/** checkout.stripe.com: the page for paying. Works without JavaScript. */
import { Hono } from "hono";
import { html, type Markup } from "../../html.ts";
import { amountOf, dollars, nameOf, priceOf } from "../objects/prices.ts";
import { knownEmail, pay, successUrl } from "../operations/checkout.ts";
import { expireDue } from "../operations/expiry.ts";
import type { StripeService } from "../service.ts";
import type { Checkout } from "../state.ts";
import { missingPage, stripePage } from "./pages.ts";

export function checkoutPages(service: StripeService): Hono {
  const app = new Hono();
  const { sessions } = service.state;

  app.use(async (_, next) => {
    expireDue(service);
    await next();
  });

  app.get("/:id", (c) => {
    const checkout = sessions.get(c.req.param("id"));
    return checkout ? c.html(checkoutPage(service, checkout)) : c.html(missingPage(), 404);
  });

  app.post("/:id", async (c) => {
    const checkout = sessions.get(c.req.param("id"));
    if (!checkout) return c.html(missingPage(), 404);
    const form = new URLSearchParams(await c.req.text());
    const email = form.get("email") ?? undefined;
    const card = form.get("card") === "declined" ? "declined" : "works";
    const result = pay(service, checkout, card, email);
    // The second press of a double click leads to the same page as the first.
    if (result === "complete") return c.redirect(successUrl(checkout.session), 303);
    if (result === "expired") return c.html(checkoutPage(service, checkout), 410);
    const problem =
      result === "email"
        ? "Enter an e-mail address."
        : "Your card was declined. Nothing was charged.";
    return c.html(
      checkoutPage(service, checkout, { problem, email }),
      result === "email" ? 422 : 402,
    );
  });

  return app;
}

function checkoutPage(
  service: StripeService,
  { session, lines }: Checkout,
  { problem, email }: { problem?: string; email?: string | undefined } = {},
): Markup {
  const names = lines.map(({ price }) => nameOf(priceOf(price))).join(", ");
  const title = `Subscribe to ${names}`;
  const back = (label: string) =>
    session.cancel_url
      ? html`<a class="button plain" href="${session.cancel_url}">${label}</a>`
      : "";
  if (session.status === "complete") {
    return stripePage(
      title,
      html`<h1>You have already paid</h1><p>This checkout is complete. Nothing more will be charged.</p>
<div class="keys"><a class="button" href="${successUrl(session)}">Continue</a></div>`,
    );
  }
  if (session.status !== "open") {
    return stripePage(
      title,
      html`<h1>This checkout has expired</h1><p>Nothing was charged. Go back and start again.</p>
<div class="keys">${back("Back")}</div>`,
    );
  }
  const customer = service.state.customers.get(String(session.customer));
  return stripePage(
    title,
    html`<h1>${title}</h1>
<p><span class="price">${dollars(amountOf(lines))}</span> per month</p>
${problem ? html`<p class="bad" role="alert" id="problem">${problem}</p>` : ""}
<form method="post" action="/stripe/checkout/${session.id}">
${
  customer?.email
    ? html`<p>E-mail: <strong>${customer.email}</strong></p>`
    : html`<label class="field">E-mail
<input type="email" name="email" autocomplete="email" required value="${email ?? knownEmail(service, session) ?? ""}"></label>`
}
<div class="keys">
<button type="submit" name="card" value="works">Pay</button>
<button type="submit" name="card" value="declined" class="plain">Pay with a card that is declined</button>
${back("Back")}
</div>
</form>`,
  );
}
