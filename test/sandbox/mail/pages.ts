/** The mailbox pages: the mails as their recipients would see them. */
import { Hono } from "hono";
import { html, type Markup, page } from "../html.ts";
import { happen, heldBack } from "./feedback.ts";
import { headersOf } from "./headers.ts";
import type { Mail } from "./mailbox.ts";
import { isLoopback, oneClickUrl, unsubscribe } from "./one-click.ts";
import type { MailService } from "./service.ts";

const MAX_LISTED = 200;
const NO_SCRIPTS = "script-src 'none'; object-src 'none'; base-uri 'none'";
const STYLE = `
h1 { overflow-wrap: anywhere; }
form.filter { display: flex; gap: .75rem; align-items: end; flex-wrap: wrap; margin: 1rem 0; }
.filter label { flex: 1 1 14rem; } .filter input { display: block; width: 100%; margin-top: .25rem; font: inherit;
  min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--quiet); border-radius: 8px;
  background: var(--ground); color: var(--text); }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 1rem 0; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
iframe { width: 100%; height: 36rem; resize: vertical; border: 0; border-radius: 8px; background: #fff; }
pre { background: var(--raised); border-radius: 8px; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

export function mailboxPages(service: MailService): Hono {
  const { mailbox } = service;
  const singlePage = (mail: Mail, notice?: string) =>
    mailWithButtons(mail, heldBack(service, mail), notice);
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header("Content-Security-Policy", NO_SCRIPTS);
  });
  const missing = () => mailPage("Not found", html`<h1>There is no such mail</h1>${linkToAll()}`);

  app.get("/", (c) => {
    const to = c.req.query("to")?.trim() ?? "";
    const mails = mailbox.list(to === "" ? {} : { to }).reverse();
    return c.html(listPage(mails, to));
  });

  app.get("/:id", (c) => {
    const mail = mailbox.get(c.req.param("id"));
    return mail ? c.html(singlePage(mail)) : c.html(missing(), 404);
  });

  app.get("/:id/html", (c) => {
    const content = mailbox.get(c.req.param("id"))?.html;
    return content ? c.html(content) : c.html(missing(), 404);
  });

  app.get("/:id/text", (c) => {
    const content = mailbox.get(c.req.param("id"))?.text;
    return content ? c.text(content) : c.html(missing(), 404);
  });

  for (const [path, type] of [
    ["bounce", "email.bounced"],
    ["complain", "email.complained"],
  ] as const) {
    app.post(`/:id/${path}`, async (c) => {
      const mail = mailbox.get(c.req.param("id"));
      if (!mail) return c.html(missing(), 404);
      const { status } = await happen(service, mail, type);
      return c.html(singlePage(mail, `${type}: ${answerOf(status)}.`));
    });
  }

  app.post("/:id/allow", (c) => {
    const mail = mailbox.get(c.req.param("id"));
    if (!mail) return c.html(missing(), 404);
    for (const address of heldBack(service, mail)) service.suppressed.delete(address);
    return c.html(singlePage(mail, "Mails are sent there again."));
  });

  app.post("/:id/unsubscribe", async (c) => {
    const mail = mailbox.get(c.req.param("id"));
    const url = mail ? oneClickUrl(mail) : null;
    if (!mail || !url) return c.html(missing(), 404);
    if (!isLoopback(url)) {
      return c.html(
        singlePage(mail, `${url.host} is not on this machine, so nothing was posted.`),
        400,
      );
    }
    const status = await unsubscribe(url);
    const result = status === null ? "did not answer" : `answered ${status}`;
    return c.html(singlePage(mail, `${url.host} ${result}.`));
  });

  return app;
}

function mailPage(title: string, body: Markup): Markup {
  return page(title, body, { style: STYLE });
}

function linkToAll(): Markup {
  return html`<p><a href="/mail">All mails</a></p>`;
}

/** `mails` newest first; `to` is the filter, "" for none. */
function listPage(mails: Mail[], to: string): Markup {
  return mailPage(
    "Mailbox",
    html`<h1>Mailbox</h1>
<form class="filter" action="/mail"><label>Recipient
<input type="text" inputmode="email" name="to" value="${to}" autocomplete="off"></label>
<button type="submit">Show</button></form>
${to === "" ? "" : linkToAll()}
${
  mails.length === 0
    ? html`<p>${to === "" ? "No mail has been sent yet." : html`No mail for <bdi>${to}</bdi>.`}</p>`
    : html`<ul class="list">${mails.slice(0, MAX_LISTED).map(row)}</ul>`
}
${mails.length > MAX_LISTED ? html`<p class="quiet">${mails.length - MAX_LISTED} older mails are not listed.</p>` : ""}
<p><a href="/">Front page of the sandbox</a></p>`,
  );
}

function row(mail: Mail): Markup {
  return html`<li><a class="row" href="/mail/${mail.id}"><span><bdi>${mail.subject}</bdi>
<small><bdi>${mail.to.join(", ")}</bdi> · ${time(mail)}</small></span></a></li>`;
}

function time({ at }: Mail): Markup {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")} UTC</time>`;
}

/** The answer to an event in words. */
function answerOf(status: number | null): string {
  if (status === null) return "events are sent nowhere";
  return status === 0 ? "the app did not answer" : `the app answered ${status}`;
}

/** `held` are its recipients that nothing is sent to; `notice` is the result of a button. */
function mailWithButtons(mail: Mail, held: string[], notice?: string): Markup {
  const { id, subject, idempotencyKey, lastEvent } = mail;
  return mailPage(
    subject,
    html`<h1><bdi>${subject}</bdi></h1>
${notice === undefined ? "" : html`<p role="status">${notice}</p>`}
<dl>${headersOf(mail).map(
      ([name, value]) => html`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`,
    )}</dl>
<p class="quiet">Resend says: ${lastEvent}</p>
${idempotencyKey === null ? "" : html`<p class="quiet">Idempotency key: ${idempotencyKey}</p>`}
${
  oneClickUrl(mail)
    ? html`<form method="post" action="/mail/${id}/unsubscribe">
<button type="submit" class="plain">One-click unsubscribe, as a mail client does</button></form>`
    : ""
}
<form method="post" action="/mail/${id}/bounce">
<button type="submit" class="plain">Bounce, as the recipient's server does</button></form>
<form method="post" action="/mail/${id}/complain">
<button type="submit" class="plain">Report as spam, as its reader does</button></form>
${
  held.length > 0
    ? html`<p>Nothing is sent to <bdi>${held.join(", ")}</bdi>.</p>
<form method="post" action="/mail/${id}/allow">
<button type="submit" class="plain">Take it off Resend's suppression list, as the operator can</button></form>`
    : ""
}
${
  mail.html
    ? html`<h2>HTML</h2>
<iframe title="The mail's HTML" srcdoc="${`<base target="_top">${mail.html}`}"
sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"></iframe>
<p><a href="/mail/${id}/html">Only the HTML</a></p>`
    : ""
}
${
  mail.text
    ? html`<h2>Text</h2><pre>${mail.text}</pre><p><a href="/mail/${id}/text">Only the text</a></p>`
    : ""
}
${linkToAll()}`,
  );
}
