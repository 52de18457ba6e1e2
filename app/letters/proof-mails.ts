import type { MailBody } from "~/outbox/mailer";
import { counted } from "~/platform/text";
import { button, copyableLink, heading, paragraph } from "./blocks";
import type { MailFrame } from "./mail";
import { renderMail } from "./render";

/**
 * Asks whether an address belongs to the user who gave it. The mail does not repeat the address, because a
 * stranger may have written something into it.
 */
export function confirmationMail(
  name: string,
  { url, hours }: { url: string; hours: number },
  frame: MailFrame,
): MailBody {
  const lifetime = `The link works for ${counted(hours, "hour")}.`;
  return proofMail(url, frame, {
    subject: "Confirm your e-mail address for Fivefold",
    preview: lifetime,
    name,
    title: "Is this your address?",
    ask: "This address was entered on Fivefold to get e-mails about new ratings. Confirm that it is yours.",
    press: "Confirm my address",
    otherwise: `${lifetime} If that was not you, just ignore this e-mail: unless you confirm the address, nothing changes.`,
    why: "You are receiving this e-mail because this address was entered on Fivefold.",
  });
}

/**
 * The code of a login, and a link for who does not want to type it. The mail is the same whether the address has an
 * account or not, and names nobody.
 */
export function loginCodeMail(
  { code, url, minutes }: { code: string; url: string; minutes: number },
  frame: MailFrame,
): MailBody {
  const lifetime = `It works for ${counted(minutes, "minute")}.`;
  return proofMail(url, frame, {
    subject: `${code} is your code for Fivefold`,
    preview: `${code} is your code. ${lifetime}`,
    name: "",
    title: `Your code is ${code}`,
    ask: `Type it where you asked for it. ${lifetime} Or log in by this button, in whatever browser it opens:`,
    press: "Log in to Fivefold",
    otherwise:
      "Give the code to nobody. If you did not ask for it, just ignore this e-mail: without it nobody can log in.",
    why: "You are receiving this e-mail because somebody entered this address on Fivefold to log in.",
  });
}

type Words = Record<
  "subject" | "preview" | "name" | "title" | "ask" | "press" | "otherwise" | "why",
  string
>;

function proofMail(
  url: string,
  frame: MailFrame,
  { title, ask, press, otherwise, ...words }: Words,
): MailBody {
  const blocks = [
    ...[paragraph(ask), button(press, url), paragraph(otherwise)],
    copyableLink("If the button does not work, open this address", url),
  ];
  return renderMail({ ...words, lead: [heading(title)], blocks }, frame);
}
