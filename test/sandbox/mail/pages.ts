/** The mailbox pages: the mails as their recipients would see them. */
import { Hono } from "hono";
import { html, type Markup, page } from "../html.ts";
import type { Mail, Mailbox } from "./mailbox.ts";

const NO_SCRIPTS = "script-src 'none'; object-src 'none'; base-uri 'none'";
export function mailboxPages(mailbox: Mailbox): Hono {
  const { mails, suppressed, heldBack } = mailbox;
  const singlePage = (mail: Mail, notice?: string) => mailWithButtons(mail, heldBack(mail), notice);
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header("Content-Security-Policy", NO_SCRIPTS);
  });
  app.get("/", (c) => {
    const to = c.req.query("to")?.trim();
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

function listPage(mails: Mail[], to = ""): Markup {
  return page(
    "Mailbox",
    html`<h1>Mailbox</h1>
<form action="/mail"><label>Recipient <input name="to" value="${to}"></label> <button>Show</button></form>
<ul class="list">${mails.slice(0, 200).map(
      (mail) => html`<li><a class="row" href="/mail/${mail.id}"><span><bdi>${mail.subject}</bdi>
<small><bdi>${mail.to.join(", ")}</bdi> · ${new Date(mail.at).toISOString()}</small></span></a></li>`,
    )}</ul>`,
  );
}

/** `held` are its recipients that nothing is sent to; `notice` is the result of a button. */
function mailWithButtons(mail: Mail, held: string[], notice = ""): Markup {
  const { id, subject, lastEvent } = mail;
  const button = (command: string, label: string) =>
    html`<form method="post" action="/mail/${id}/${command}"><button class="plain">${label}</button></form>`;
  return page(
    subject,
    html`<h1><bdi>${subject}</bdi></h1>
<p role="status">${notice}</p>
${headersOf(mail).map(([name, value]) => html`<p>${name}: <bdi>${value}</bdi></p>`)}
<p class="quiet">Resend says: ${lastEvent}</p>
${oneClickUrl(mail) ? button("unsubscribe", "One-click unsubscribe, as a mail client does") : ""}
${button("bounce", "Bounce, as the recipient's server does")}
${button("complain", "Report as spam, as its reader does")}
${
  held.length > 0
    ? html`<p>Nothing is sent to <bdi>${held.join(", ")}</bdi>.</p>
${button("allow", "Take it off Resend's suppression list, as the operator can")}`
    : ""
}
<iframe title="The mail's HTML" srcdoc="${`<base target="_top">${mail.html}`}" style="width: 100%; height: 36rem; background: #fff"
sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"></iframe>
<p><a href="/mail/${id}/html">Only the HTML</a></p>
<pre style="white-space: pre-wrap">${mail.text}</pre>
<p><a href="/mail">All mails</a></p>`,
  );
}
