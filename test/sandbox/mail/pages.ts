/** The mailbox pages: the mails as their recipients would see them. */
import { Hono } from "hono";
import { html, type Markup, page } from "../html.ts";
import type { Mail, Mailbox } from "./mailbox.ts";

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

export function mailboxPages(mailbox: Mailbox): Hono {
  const { mails, suppressed, heldBack } = mailbox;
  const singlePage = (mail: Mail, notice?: string) => mailWithButtons(mail, heldBack(mail), notice);
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header("Content-Security-Policy", NO_SCRIPTS);
  });
  app.notFound((c) =>
    c.html(mailPage("Not found", html`<h1>There is no such mail</h1>${linkToAll()}`), 404),
  );

  app.get("/", (c) => {
    const to = c.req.query("to")?.trim() ?? "";
    return c.html(listPage(mailbox.list(to || undefined).reverse(), to));
  });

  app.get("/:id", (c) => {
    const mail = mails.get(c.req.param("id"));
    return mail ? c.html(singlePage(mail)) : c.notFound();
  });

  app.get("/:id/html", (c) => {
    const mail = mails.get(c.req.param("id"));
    return mail?.html ? c.html(mail.html) : c.notFound();
  });

  app.post("/:id/:command", async (c) => {
    const mail = mails.get(c.req.param("id"));
    if (!mail) return c.notFound();
    const command = c.req.param("command");
    if (command === "allow") {
      for (const address of heldBack(mail)) suppressed.delete(address);
      return c.html(singlePage(mail, "Mails are sent there again."));
    }
    if (command === "unsubscribe") {
      const status = await unsubscribe(oneClickUrl(mail));
      const result = status === null ? "did not answer" : `answered ${status}`;
      return c.html(singlePage(mail, `The app ${result}.`));
    }
    const type = command === "bounce" ? "email.bounced" : "email.complained";
    const { status } = await mailbox.happen(mail, type);
    const answer = status === null ? "events are sent nowhere" : `the app answered ${status}`;
    return c.html(singlePage(mail, `${type}: ${answer}.`));
  });

  return app;
}

function headersOf({ from, to, bcc, replyTo, subject, headers }: Mail): [string, string][] {
  const fields: [string, string][] = [
    ["From", from],
    ["To", to.join(", ")],
    ["Bcc", bcc.join(", ")],
    ["Reply-To", replyTo.join(", ")],
    ["Subject", subject],
  ];
  return [...fields.filter(([, value]) => value !== ""), ...Object.entries(headers)];
}

const ONE_CLICK = "List-Unsubscribe=One-Click";

/** The URL to which a mail client posts a one-click unsubscribe (RFC 8058); null if there is none. */
function oneClickUrl({ headers }: Mail): string | null {
  if (headers["List-Unsubscribe-Post"] !== ONE_CLICK) return null;
  return /<(https?:[^>\s]+)>/.exec(headers["List-Unsubscribe"] ?? "")?.[1] ?? null;
}

async function unsubscribe(url: string | null): Promise<number | null> {
  // The sandbox sends nothing to other machines.
  if (!url || !/^(localhost|\[::1\]|127\.[\d.]+)$/.test(new URL(url).hostname)) return null;
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: ONE_CLICK,
    redirect: "manual",
  }).catch(() => null);
  return answer?.status ?? null;
}

function mailPage(title: string, body: Markup): Markup {
  return page(title, body, { style: STYLE });
}

function linkToAll(): Markup {
  return html`<p><a href="/mail">All mails</a></p>`;
}

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

/** `held` are its recipients that nothing is sent to; `notice` is the result of a button. */
function mailWithButtons(mail: Mail, held: string[], notice?: string): Markup {
  const { id, subject, lastEvent } = mail;
  return mailPage(
    subject,
    html`<h1><bdi>${subject}</bdi></h1>
${notice === undefined ? "" : html`<p role="status">${notice}</p>`}
<dl>${headersOf(mail).map(
      ([name, value]) => html`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`,
    )}</dl>
<p class="quiet">Resend says: ${lastEvent}</p>
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
${mail.text ? html`<h2>Text</h2><pre>${mail.text}</pre>` : ""}
${linkToAll()}`,
  );
}
