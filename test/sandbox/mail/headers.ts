/** A mail's headers as its recipient gets them. */
import type { Mail } from "./mailbox.ts";

/** The headers made from the fields of the call, then those given in its `headers`. */
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
  const isGiven = (name: string) => headerOf(mail, name) !== undefined;
  return [
    ...fields.filter(([name, value]) => value !== "" && !isGiven(name)),
    ...Object.entries(mail.headers),
  ];
}

/** A header given in the call's `headers`; the case of the name does not matter. */
export function headerOf(mail: Mail, name: string): string | undefined {
  return Object.entries(mail.headers).find(
    ([given]) => given.toLowerCase() === name.toLowerCase(),
  )?.[1];
}
