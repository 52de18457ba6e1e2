/** A mail's headers as its reader gets them. */
import type { Mail } from "./mailbox.ts";

/** Those made from the fields, then those that came with the mail. */
export function headersOf(mail: Mail): [name: string, value: string][] {
  const fields: [string, string][] = [
    ["From", mail.from],
    ["To", mail.to.join(", ")],
    ["Cc", mail.cc.join(", ")],
    ["Bcc", mail.bcc.join(", ")],
    ["Reply-To", mail.replyTo.join(", ")],
    ["Subject", mail.subject],
    ["Date", new Date(mail.at).toUTCString().replace("GMT", "+0000")],
    ["Message-ID", `<${mail.id}@mail.sandbox.invalid>`],
  ];
  const own = Object.entries(mail.headers);
  const isOwn = (name: string) => headerOf(mail, name) !== undefined;
  return [...fields.filter(([name, value]) => value !== "" && !isOwn(name)), ...own];
}

/** One of those that came with the mail, whatever the case of its name. */
export function headerOf(mail: Mail, name: string): string | undefined {
  return Object.entries(mail.headers).find(
    ([own]) => own.toLowerCase() === name.toLowerCase(),
  )?.[1];
}
