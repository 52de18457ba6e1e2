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
  return renderMail(
    {
      subject: "Confirm your e-mail address for Fivefold",
      preview: `The link works for ${counted(hours, "hour")}.`,
      name,
      lead: [heading("Is this your address?")],
      blocks: [
        paragraph(
          "This address was entered on Fivefold to get e-mails about new ratings. Please confirm that it is yours.",
        ),
        button("Confirm my address", url),
        paragraph(
          `The link works for ${counted(hours, "hour")}. If that was not you, just ignore this e-mail: unless you confirm the address, nothing changes.`,
        ),
        copyableLink("If the button does not work, open this address", url),
      ],
      why: "You are receiving this e-mail because this address was entered on Fivefold.",
    },
    frame,
  );
}
