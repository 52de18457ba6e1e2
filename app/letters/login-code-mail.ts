import type { MailBody } from "~/outbox/mailer";
import { counted } from "~/platform/text";
import { button, copyableLink, heading, paragraph } from "./blocks";
import type { MailFrame } from "./mail";
import { renderMail } from "./render";

/**
 * The code of a login, and a link for who does not want to type it. The mail is the same whether the address has an
 * account or not, and names nobody.
 */
export function loginCodeMail(
  { code, url, minutes }: { code: string; url: string; minutes: number },
  frame: MailFrame,
): MailBody {
  return renderMail(
    {
      subject: `${code} is your code for Fivefold`,
      preview: `${code} is your code. It works for ${counted(minutes, "minute")}.`,
      name: "",
      lead: [heading(`Your code is ${code}`)],
      blocks: [
        paragraph(
          `Type it where you asked for it. It works for ${counted(minutes, "minute")}. Or log in by this button, in whatever browser it opens:`,
        ),
        button("Log in to Fivefold", url),
        paragraph(
          "Give the code to nobody. If you did not ask for it, just ignore this e-mail: without it nobody can log in.",
        ),
        copyableLink("If the button does not work, open this address", url),
      ],
      why: "You are receiving this e-mail because somebody entered this address on Fivefold to log in.",
    },
    frame,
  );
}
