/** A sandbox and a sender of mails, for the tests of the mail stand-in. */
import { API_KEY } from "../../../sandbox/mail/service.ts";
import { startSandbox } from "../../../sandbox/server.ts";

type Json = Record<string, unknown>;
type Options = Omit<Parameters<typeof startSandbox>[0], "port">;

export interface SentMail extends Json {
  id: string;
  to: string[];
  subject: string;
}

/** Everything a mail needs, with whatever the test is about put in or left out (undefined). */
export function mailOf(more: Json = {}): Json {
  return {
    from: "Fivefold <mail@fivefold.example>",
    to: "mara-lind@musicians.example",
    subject: "A new rating",
    text: "Somebody rated your song.",
    ...more,
  };
}

export async function startMailRig(options: Options = {}) {
  const sandbox = await startSandbox({ port: 0, ...options });

  async function control<T = Json>(action: string, fields: Json = {}): Promise<T> {
    const response = await fetch(`${sandbox.origin}/control`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ action, ...fields }),
    });
    const answer = (await response.json()) as Json;
    if (!response.ok) throw new Error(String(answer.error));
    return answer as T;
  }

  function post(more: Json = {}, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${sandbox.origin}/resend/emails`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${API_KEY}`,
        "Content-Type": "application/json",
        ...headers,
      },
      body: JSON.stringify(mailOf(more)),
    });
  }

  return {
    sandbox,
    control,
    post,
    /** Sends, and answers the id. */
    async send(more: Json = {}, key?: string): Promise<string> {
      const response = await post(more, key === undefined ? {} : { "Idempotency-Key": key });
      const answer = (await response.json()) as { id?: string; message?: string };
      if (answer.id === undefined) throw new Error(answer.message);
      return answer.id;
    },
    get: (path: string, init: RequestInit = {}) =>
      fetch(`${sandbox.origin}/resend${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${API_KEY}` },
      }),
    /** A page of the sandbox. */
    page: async (path: string) => (await fetch(`${sandbox.origin}${path}`)).text(),
    async mails(filter: Json = {}): Promise<SentMail[]> {
      return (await control<{ mails: SentMail[] }>("mails", filter)).mails;
    },
    /** So that the tests of one file may send as fast as they like. */
    hurry: () => control("mailRateLimit", { limit: 10_000, windowSeconds: 1 }),
    close: () => sandbox.close(),
  };
}

export type MailRig = Awaited<ReturnType<typeof startMailRig>>;
