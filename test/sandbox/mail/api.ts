/** api.resend.com: sending and retrieving mails. */
import { type Context, Hono } from "hono";
import { applyFaults, bearerToken, logCall } from "../http.ts";
import { invalid, MailFailure } from "./errors.ts";
import { happen, heldBack } from "./feedback.ts";
import { createIdempotency } from "./idempotency.ts";
import { type Mail, musicianOfRecipient } from "./mailbox.ts";
import { readMessage, recipients } from "./message.ts";
import { checkSender } from "./sender.ts";
import { API_KEY, type MailService, SENDING_KEY } from "./service.ts";

/** `mountedAt` is the prefix that the real service's paths do not have. */
export function apiRoutes(service: MailService, mountedAt: string): Hono {
  const app = new Hono();
  const { context, mailbox } = service;
  const idempotency = createIdempotency(service);

  app.all("*", async (c) => {
    const path = c.req.path.slice(mountedAt.length);
    const body = await c.req.text();
    const musician = musicianOfCall(service, path, body);
    const response = await respond(c, path, body, musician);
    const idempotencyKey = c.req.header("Idempotency-Key") ?? null;
    await logCall(context, c, {
      service: "resend",
      musician,
      path,
      body,
      response,
      idempotencyKey,
    });
    return response;
  });

  async function respond(
    c: Context,
    path: string,
    body: string,
    musician: string | null,
  ): Promise<Response> {
    // Resend's edge refuses these calls before its API sees them.
    if (!c.req.header("User-Agent")) return c.text("error code: 1010", 403);
    const refusal = checkKey(c, path);
    if (refusal) return failed(c, refusal);
    const { passes, headers } = service.rateLimit.take(context.now());
    const response = passes
      ? await serve(c, path, body, musician)
      : failed(c, new MailFailure("rate_limit_exceeded"));
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  }

  async function serve(
    c: Context,
    path: string,
    body: string,
    musician: string | null,
  ): Promise<Response> {
    const sends = isSending(c, path);
    const key = sends ? (c.req.header("Idempotency-Key") ?? null) : null;
    let release = () => {};
    try {
      release = idempotency.hold(key);
      const failure = await applyFaults(c, context.faults, path, musician);
      if (failure) return failure;
      const answer = sends ? { id: send(key, body) } : retrieve(c.req.method, path);
      return (await applyFaults(c, service.lostAnswers, path, musician)) ?? c.json(answer);
    } catch (error) {
      if (error instanceof MailFailure) return failed(c, error);
      throw error;
    } finally {
      release();
    }
  }

  /** Sends the mail, unless that was done before under the same key. Returns its id. */
  function send(key: string | null, body: string): string {
    const sentBefore = idempotency.sent(key, body);
    if (sentBefore !== null) return sentBefore;
    const message = readMessage(parsed(body));
    checkSender(message);
    if (recipients(message).some((address) => service.refused.has(address))) {
      throw invalid("Invalid `to` field. This recipient is refused.");
    }
    const isHeldBack = heldBack(service, message).length > 0;
    const mail = mailbox.add(message, key, isHeldBack ? "suppressed" : "delivered");
    idempotency.remember(key, body, mail.id);
    if (isHeldBack) void happen(service, mail, "email.suppressed");
    return mail.id;
  }

  function retrieve(method: string, path: string): object {
    const id = mailIdIn(path);
    if (path !== "/emails" && id === null) throw new MailFailure("not_found");
    if (id === null || method !== "GET") throw new MailFailure("method_not_allowed");
    const mail = mailbox.get(id);
    if (!mail) throw new MailFailure("not_found", "Email not found");
    return mailObject(mail);
  }

  return app;
}

function mailObject(mail: Mail): object {
  const { id, to, from, at, subject, html, text, bcc, cc, replyTo, lastEvent } = mail;
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
    last_event: lastEvent,
  };
}

function failed(c: Context, { body }: MailFailure): Response {
  return c.json(body, body.statusCode as 400);
}

/** null if the API key may make this call. */
function checkKey(c: Context, path: string): MailFailure | null {
  const key = bearerToken(c);
  if (key === null) return new MailFailure("missing_api_key");
  if (key === SENDING_KEY) return isSending(c, path) ? null : new MailFailure("restricted_api_key");
  return key === API_KEY ? null : new MailFailure("invalid_api_key");
}

function isSending(c: Context, path: string): boolean {
  return c.req.method === "POST" && path === "/emails";
}

/** The musician who is the first recipient of the mail that is sent or asked for. */
function musicianOfCall({ mailbox }: MailService, path: string, body: string): string | null {
  const id = mailIdIn(path);
  if (id !== null) return mailbox.get(id)?.musician ?? null;
  const to = (parsed(body) as { to?: unknown } | null)?.to;
  const first: unknown = Array.isArray(to) ? to[0] : to;
  return typeof first === "string" ? musicianOfRecipient(first) : null;
}

function mailIdIn(path: string): string | null {
  return /^\/emails\/([^/]+)$/.exec(path)?.[1] ?? null;
}

/** null if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
