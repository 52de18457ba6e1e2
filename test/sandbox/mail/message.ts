/** The body of POST /emails, read and refused as Resend does. */
import { invalid, MailFailure } from "./errors.ts";

/** A mail as it was posted. Recipients are "a@b.example" or "Name <a@b.example>". */
export interface Message {
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string[];
  subject: string;
  html: string | null;
  text: string | null;
  headers: Record<string, string>;
  tags: Record<string, string>;
}

type Fields = Record<string, unknown>;

const MAX_RECIPIENTS = 50;
const FORMAT =
  "The email address needs to follow the `email@example.com` or `Name <email@example.com>` format.";

const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+";
const ADDRESS = new RegExp(`^${ATOM}(\\.${ATOM})*@([a-z0-9-]+\\.)+[a-z0-9-]{2,}$`, "i");
const LINE_BREAK = /[\r\n]/;

/** Throws MailFailure if the mail cannot be sent. */
export function readMessage(body: unknown): Message {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new MailFailure("validation_error");
  }
  const fields = body as Fields;
  for (const name of ["from", "to", "subject"]) {
    if (isEmpty(fields[name])) {
      throw new MailFailure("missing_required_field", `Missing \`${name}\` field.`);
    }
  }
  const html = text(fields, "html");
  const plain = text(fields, "text");
  if (!html && !plain) throw invalid("Missing `html` or `text` field.");
  const { from } = fields;
  if (typeof from !== "string" || addressIn(from) === null) {
    throw new MailFailure("invalid_from_address", `Invalid \`from\` field. ${FORMAT}`);
  }
  const to = addresses(fields, "to");
  if (to.length > MAX_RECIPIENTS) {
    throw invalid(`Invalid \`to\` field. It takes at most ${MAX_RECIPIENTS} recipients.`);
  }
  const subject = text(fields, "subject") ?? "";
  if (LINE_BREAK.test(subject)) throw invalid("The `\\n` is not allowed in the `subject` field.");
  return {
    from,
    to,
    cc: addresses(fields, "cc"),
    bcc: addresses(fields, "bcc"),
    replyTo: addresses(fields, "reply_to"),
    subject,
    html,
    text: plain,
    headers: headersIn(fields.headers),
    tags: tagsIn(fields.tags),
  };
}

/** The address without the name; null if the entry is malformed. */
export function addressIn(entry: string): string | null {
  const match = /^(?:[^<>\r\n]*<([^<>]+)>|([^<>]+))$/.exec(entry);
  const address = match?.[1] ?? match?.[2] ?? "";
  return ADDRESS.test(address) ? address : null;
}

/** The addresses of all recipients, copies included, in lower case. */
export function recipients({ to, cc, bcc }: Message): string[] {
  return [...to, ...cc, ...bcc].map((entry) => (addressIn(entry) ?? entry).toLowerCase());
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || String(value).trim() === "";
}

function text(fields: Fields, name: string): string | null {
  const value = fields[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") throw invalid(`The \`${name}\` field must be a \`string\`.`);
  return value;
}

function addresses(fields: Fields, name: string): string[] {
  const value = fields[name] ?? [];
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  return entries.map((entry) => {
    const address = typeof entry === "string" ? addressIn(entry) : null;
    if (address === null) throw invalid(`Invalid \`${name}\` field. ${FORMAT}`);
    // These domains receive no mail; Resend refuses them to avoid bounces.
    if (name !== "reply_to" && /@(example|test)\.(com|net|org)$/i.test(address)) {
      throw invalid(
        `Invalid \`${name}\` field. Please use our testing email address instead of domains like \`example.com\`.`,
      );
    }
    return String(entry);
  });
}

function headersIn(value: unknown): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    throw invalid("The `headers` field must be an `object`.");
  }
  for (const [name, content] of Object.entries(value)) {
    // RFC 5322: a name is printable ASCII without the colon.
    if (!/^[!-9;-~]+$/.test(name)) throw invalid("Invalid header name in the `headers` field.");
    if (typeof content !== "string" || LINE_BREAK.test(content)) {
      throw invalid(`Invalid value of \`${name}\` in the \`headers\` field.`);
    }
  }
  return value as Record<string, string>;
}

function tagsIn(value: unknown): Record<string, string> {
  if (value === undefined || value === null) return {};
  const valid = (part: unknown) => typeof part === "string" && /^[\w-]{1,256}$/.test(part);
  const tags: unknown[] = Array.isArray(value) ? value : [value];
  for (const tag of tags) {
    const { name, value: content } = (tag ?? {}) as Fields;
    if (valid(name) && valid(content)) continue;
    throw invalid("Tags should only contain ASCII letters, numbers, underscores, or dashes.");
  }
  return Object.fromEntries(
    (tags as { name: string; value: string }[]).map((tag) => [tag.name, tag.value]),
  );
}
