import { counted } from "~/platform/text";
import { button, copyableLink } from "./blocks";
import type { MailContent } from "./mail";

/**
 * Asks whether an address belongs to the user who gave it. The mail does not repeat the address, because a
 * stranger may have written something into it.
 */
export function confirmationMail({ url, hours }: { url: string; hours: number }): MailContent {
  const lifetime = `The link works for ${counted(hours, "hour")}.`;
  return {
    subject: "Confirm your e-mail address for Fivefold",
    preview: lifetime,
    title: "Is this your address?",
    blocks: [
      "This address was entered on Fivefold to get e-mails about new ratings. Confirm that it is yours.",
      button("Confirm my address", url),
      `${lifetime} If that was not you, just ignore this e-mail: unless you confirm the address, nothing changes.`,
      copyableLink(url),
    ],
    why: "You are receiving this e-mail because this address was entered on Fivefold.",
  };
}

/**
 * The code of a login, and a link for who does not want to type it. The mail is the same whether the address has an
 * account or not, and names nobody.
 */
export function loginCodeMail({
  code,
  url,
  minutes,
}: {
  code: string;
  url: string;
  minutes: number;
}): MailContent {
  const lifetime = `It works for ${counted(minutes, "minute")}.`;
  return {
    subject: `${code} is your code for Fivefold`,
    preview: `${code} is your code. ${lifetime}`,
    title: `Your code is ${code}`,
    blocks: [
      `Type it where you asked for it. ${lifetime} Or log in by this button, in whatever browser it opens:`,
      button("Log in to Fivefold", url),
      "Give the code to nobody. If you did not ask for it, just ignore this e-mail: without it nobody can log in.",
      copyableLink(url),
    ],
    why: "You are receiving this e-mail because somebody entered this address on Fivefold to log in.",
  };
}
