/** api.resend.com: sending and retrieving mails, from the edge to the log. */
import { type Context, Hono } from "hono";
import { readable } from "../request-log.ts";
import { strike } from "../spotify/strike.ts";
import { invalid, MailFailure } from "./errors.ts";
import { createIdempotency } from "./idempotency.ts";
import { type Mail, ownerOf } from "./mailbox.ts";
import { readMessage, recipients } from "./message.ts";
import { API_KEY, type MailService } from "./service.ts";

/** `mountedAt` is what comes before the paths of the real service. */
export function apiRoutes(service: MailService, mountedAt: string): Hono {
  const app = new Hono();
  const { context, mailbox } = service;
  const idempotency = createIdempotency(service);

  app.all("*", async (c) => {
    const path = c.req.path.slice(mountedAt.length);
    const text = await c.req.text();
    const musician = callerOf(service, path, text);
    const key = c.req.header("Idempotency-Key");
    const type = c.req.header("Content-Type") ?? "";
    const response = await respond(c, path, text, musician);
    context.log.add({
      at: context.now(),
      service: "resend",
      musician,
      method: c.req.method,
      path,
      query: c.req.query(),
      headers: {
        ...(type === "" ? {} : { "content-type": type }),
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      body: readable(text, type),
      status: response.status === 599 ? 0 : response.status,
      responseBody: readable(
        await response.clone().text(),
        response.headers.get("Content-Type") ?? "",
      ),
    });
    return response;
  });

  async function respond(
    c: Context,
    path: string,
    text: string,
    musician: string | null,
  ): Promise<Response> {
    // Refused at the edge, before the service itself sees it.
    if (!c.req.header("User-Agent")) return c.text("error code: 1010", 403);
    const refusal = keyRefusal(c);
    if (refusal) return failed(c, refusal);
    const { passes, headers } = service.rateLimit.take(context.now());
    const response = passes
      ? await serve(c, path, text, musician)
      : failed(c, new MailFailure("rate_limit_exceeded"));
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  }

  async function serve(
    c: Context,
    path: string,
    text: string,
    musician: string | null,
  ): Promise<Response> {
    const sends = c.req.method === "POST" && path === "/emails";
    const key = sends ? (c.req.header("Idempotency-Key") ?? null) : null;
    let release = () => {};
    try {
      release = idempotency.hold(key);
      const struck = await strike(c, context.faults, path, musician);
      if (struck) return struck;
      const body = sends ? { id: send(key, text) } : retrieve(c.req.method, path);
      return (await strike(c, service.lostAnswers, path, musician)) ?? c.json(body);
    } catch (error) {
      if (error instanceof MailFailure) return failed(c, error);
      throw error;
    } finally {
      release();
    }
  }

  /** The id of the mail sent, now or before under the same key. */
  function send(key: string | null, text: string): string {
    const before = idempotency.sent(key, text);
    if (before !== null) return before;
    const message = readMessage(parsed(text));
    if (recipients(message).some((address) => service.refused.has(address))) {
      throw invalid("Invalid `to` field. This recipient is refused.");
    }
    const { id } = mailbox.add(message, key);
    idempotency.remember(key, text, id);
    return id;
  }

  function retrieve(method: string, path: string): object {
    const id = idIn(path);
    if (path !== "/emails" && id === null) throw new MailFailure("not_found");
    if (id === null || method !== "GET") throw new MailFailure("method_not_allowed");
    const mail = mailbox.get(id);
    if (!mail) throw new MailFailure("not_found", "Email not found");
    return mailObject(mail);
  }

  return app;
}

function mailObject(mail: Mail): object {
  const { id, to, from, at, subject, html, text, bcc, cc, replyTo } = mail;
  return {
    object: "email",
    id,
    to,
    from,
    created_at: new Date(at).toISOString().replace("Z", "+00:00"),
    subject,
    html,
    text,
    bcc,
    cc,
    reply_to: replyTo,
    last_event: "delivered",
  };
}

function failed(c: Context, { body }: MailFailure): Response {
  return c.json(body, body.statusCode as 400);
}

function keyRefusal(c: Context): MailFailure | null {
  const key = /^Bearer (\S+)$/i.exec(c.req.header("Authorization") ?? "")?.[1];
  if (key === undefined) return new MailFailure("missing_api_key");
  return key === API_KEY ? null : new MailFailure("invalid_api_key");
}

/** Whose call it is: that of the first recipient, or of the mail asked for. */
function callerOf({ mailbox }: MailService, path: string, text: string): string | null {
  const id = idIn(path);
  if (id !== null) return mailbox.get(id)?.musician ?? null;
  const to = (parsed(text) as { to?: unknown } | null)?.to;
  const first: unknown = Array.isArray(to) ? to[0] : to;
  return typeof first === "string" ? ownerOf(first) : null;
}

function idIn(path: string): string | null {
  return /^\/emails\/([^/]+)$/.exec(path)?.[1] ?? null;
}

/** null where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
