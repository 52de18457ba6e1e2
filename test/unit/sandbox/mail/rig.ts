/** A sandbox and a sender of mails, for the tests of the mail stand-in. */
import { API_KEY } from "../../../sandbox/mail/service.ts";
import { type Json, type SandboxOptions, startRig } from "../rig.ts";

interface SentMail extends Json {
  id: string;
  to: string[];
  subject: string;
}

/** A valid mail with the given fields; a field set to undefined is left out. */
function mailWith(fields: Json = {}): Json {
  return {
    from: "Fivefold <mail@fivefold.example>",
    to: "mara-lind@musicians.example",
    subject: "A new rating",
    text: "Somebody rated your song.",
    ...fields,
  };
}

export async function startMailRig(options: SandboxOptions = {}) {
  const rig = await startRig(options);
  const { sandbox, control } = rig;

  function post(fields: Json = {}, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${sandbox.origin}/resend/emails`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${API_KEY}`,
        "Content-Type": "application/json",
        ...headers,
      },
      body: JSON.stringify(mailWith(fields)),
    });
  }

  return {
    ...rig,
    post,
    /** Sends a mail and returns its id. */
    async send(fields: Json = {}, key?: string): Promise<string> {
      const response = await post(fields, key === undefined ? {} : { "Idempotency-Key": key });
      const answer = (await response.json()) as { id?: string; message?: string };
      if (answer.id === undefined) throw new Error(answer.message);
      return answer.id;
    },
    get: (path: string, init: RequestInit = {}) =>
      fetch(`${sandbox.origin}/resend${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${API_KEY}` },
      }),
    async mails(filter: Json = {}): Promise<SentMail[]> {
      return (await control<{ mails: SentMail[] }>("mails", filter)).mails;
    },
    /** Raises the rate limit above what the tests of one file send. */
    raiseRateLimit: () => control("mailRateLimit", { limit: 10_000, windowSeconds: 1 }),
  };
}

export type MailRig = Awaited<ReturnType<typeof startMailRig>>;
