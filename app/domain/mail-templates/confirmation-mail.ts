import { counted } from "~/platform/text";
import { button, copyableLink, heading, paragraph } from "./blocks";
import type { MailBody, MailFrame } from "./mail";
import { renderMail } from "./render";

/**
 * Asks whether an e-mail address belongs to the user who gave it (design section 4, "Identity and
 * e-mail"). Opening `url` confirms it, within `hours`.
 */
export function confirmationMail(
  name: string,
  { address, url, hours }: { address: string; url: string; hours: number },
  frame: MailFrame,
): MailBody {
  return renderMail(
    {
      subject: "Confirm your e-mail address for Fivefold",
      preview: `The link works for ${counted(hours, "hour")}.`,
      name: mayBecomeLink.test(name) ? "" : name,
      blocks: [
        heading("Is this your address?"),
        paragraph(
          "The address ",
          { own: address },
          " was entered on Fivefold to get e-mails about new ratings. Please confirm that it is yours.",
        ),
        button("Confirm my address", url),
        paragraph(
          `The link works for ${counted(hours, "hour")}. If it was not you, you need not do anything: we do not use an address that is not confirmed.`,
        ),
        copyableLink("If the button does not work, open this address", url),
      ],
      why: "You are receiving this e-mail because this address was entered on Fivefold.",
    },
    frame,
  );
}

/**
 * Nobody has proved yet that the address is theirs: a stranger may have entered it and chosen a name
 * that advertises something. Mail clients turn whatever looks like a link into one, so the mail
 * leaves such a name out.
 */
const mayBecomeLink = /:\/|@|\S\.\p{L}{2}/u;
