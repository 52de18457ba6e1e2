/** api.resend.com: sending mails. */
import { type Context, Hono } from "hono";
import { applyFaults, bearerToken, logCall } from "../http.ts";
import { MailFailure } from "./errors.ts";
import { type Mailbox, musicianOfRecipient } from "./mailbox.ts";
import { addressesOf, addressIn, type Message, readMessage } from "./message.ts";

const API_KEY = "re_sandbox_development_only";

export function apiRoutes(mailbox: Mailbox): Hono {
  const app = new Hono();
  const { context } = mailbox;
  /** The idempotency keys of the calls under way. */
  const inUse = new Set<string>();

  app.post("/emails", async (c) => {
    const body = await c.req.text();
    const path = "/emails";
    const to: unknown = [parsed(body)?.to].flat()[0];
    const musician = typeof to === "string" ? musicianOfRecipient(to) : null;
    const idempotencyKey = c.req.header("Idempotency-Key") ?? null;
    const response = await respond(c, body, musician, idempotencyKey);
    const call = { service: "resend" as const, musician, path, body, response };
    await logCall(context, c, { ...call, idempotencyKey });
    return response;
  });

  async function respond(
    c: Context,
    body: string,
    musician: string | null,
    key: string | null,
  ): Promise<Response> {
    // Resend's edge refuses these calls before its API sees them.
    if (!c.req.header("User-Agent")) return c.text("error code: 1010", 403);
    if (key !== null && inUse.has(key)) {
      return failed(c, new MailFailure("concurrent_idempotent_requests"));
    }
    if (key !== null) inUse.add(key);
    try {
      const token = bearerToken(c);
      if (token !== API_KEY) {
        throw new MailFailure(token === null ? "missing_api_key" : "invalid_api_key");
      }
      const failure = await applyFaults(c, context.faults, "/emails", musician);
      if (failure) return failure;
      const id = send(key, body);
      const lost = await applyFaults(c, mailbox.lostAnswers, "/emails", musician);
      return lost ?? c.json({ id });
    } catch (error) {
      if (error instanceof MailFailure) return failed(c, error);
      throw error;
    } finally {
      inUse.delete(key ?? "");
    }
  }

  /** Sends the mail, unless that was done before under the same key. Returns its id. */
  function send(key: string | null, body: string): string {
    const before = key === null ? undefined : mailbox.keys.get(key);
    if (before !== undefined && before !== body) {
      throw new MailFailure("invalid_idempotent_request");
    }
    if (before !== undefined) {
      return mailbox.list().find(({ idempotencyKey }) => idempotencyKey === key)?.id ?? "";
    }
    const message = readMessage(parsed(body));
    checkSender(message);
    if (addressesOf(message.to).some((address) => mailbox.refused.has(address))) {
      throw new MailFailure("validation_error", "Invalid `to` field. This recipient is refused.");
    }
    if (key !== null) mailbox.keys.set(key, body);
    return mailbox.add(message, key).id;
  }

  return app;
}

/** Throws Resend's 403 if the sender's domain is not verified. That of Resend may send tests alone. */
function checkSender({ from }: Message): void {
  const domain = addressIn(from)?.split("@")[1]?.toLowerCase() ?? "";
  if (!["unverified.example", "resend.dev"].includes(domain)) return;
  throw new MailFailure("validation_error", `The ${domain} domain is not verified.`, 403);
}

function failed(c: Context, { body }: MailFailure): Response {
  return c.json(body, body.statusCode as 400);
}

function parsed(text: string): { to?: unknown } | null {
  try {
    return JSON.parse(text) as { to?: unknown } | null;
  } catch {
    return null;
  }
}
