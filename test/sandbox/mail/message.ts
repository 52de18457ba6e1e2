/** The body of POST /emails, read and refused as Resend does. */
import { z } from "zod";
import { MailFailure } from "./errors.ts";

const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+";
const ADDRESS = new RegExp(`^${ATOM}(\\.${ATOM})*@([a-z0-9-]+\\.)+[a-z0-9-]{2,}$`, "i");

/** "a@b.example" or "Name <a@b.example>". Example.com and its like receive no mail and are refused. */
const entry = z.string().refine((value) => {
  const address = addressIn(value);
  return address !== null && !/@(example|test)\.(com|net|org)$/i.test(address);
});
const entries = z.union([entry.transform((one) => [one]), z.array(entry)]);
const line = z.string().regex(/^[^\r\n]*$/);
const tag = z.string().regex(/^[\w-]{1,256}$/);

const message = z
  .object({
    from: entry,
    to: entries.refine(({ length }) => length >= 1 && length <= 50),
    bcc: entries.default([]),
    reply_to: entries.default([]),
    subject: line.min(1),
    html: z.string().nullable().default(null),
    text: z.string().nullable().default(null),
    headers: z.record(z.string().regex(/^[!-9;-~]+$/), line).default({}),
    attachments: z
      .array(z.object({ filename: line.min(1), content: z.base64().min(1) }))
      .default([]),
    tags: z.array(z.object({ name: tag, value: tag })).default([]),
  })
  .refine(({ html, text }) => html || text, { path: ["text"] })
  .transform(({ reply_to: replyTo, tags, ...rest }) => ({
    ...rest,
    replyTo,
    tags: Object.fromEntries(tags.map(({ name, value }) => [name, value])),
  }));

export type Message = z.output<typeof message>;

export function readMessage(body: unknown): Message {
  const { data, error } = message.safeParse(body);
  if (data) return data;
  const field = String(error.issues[0]?.path[0]);
  const name = field === "from" ? "invalid_from_address" : "validation_error";
  throw new MailFailure(name, `Invalid \`${field}\` field.`);
}

/** The address without the name; null if the entry is malformed. */
export function addressIn(text: string): string | null {
  const match = /^(?:[^<>\r\n]*<([^<>]+)>|([^<>]+))$/.exec(text);
  const address = match?.[1] ?? match?.[2] ?? "";
  return ADDRESS.test(address) ? address : null;
}

export function addressesOf(recipients: string[]): string[] {
  return recipients.map((one) => (addressIn(one) ?? one).toLowerCase());
}
