import { type MailBody, type MailFrame, renderMail } from "./mail";
import { counted } from "./wording";

/**
 * Asks whether an e-mail address is its giver's own (design section 4, "Identity and e-mail").
 * `url` confirms it, for so many `hours`.
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
        { kind: "heading", text: "Is this your address?" },
        {
          kind: "paragraph",
          runs: [
            "Fivefold was given the address ",
            { own: address },
            " for mails about new ratings. Please confirm that it is yours.",
          ],
        },
        { kind: "button", label: "Confirm my address", url },
        {
          kind: "paragraph",
          runs: [
            `The link works for ${counted(hours, "hour")}. If it was not you, there is nothing to do: without your confirmation we do not use the address.`,
          ],
        },
        { kind: "address", label: "Should the button not work, open this address", url },
      ],
      why: "You get this mail because this address was entered at Fivefold.",
    },
    frame,
  );
}

/**
 * The address is unproven: a stranger may have entered it, with an advertisement for a name.
 * Mail clients make links of whatever looks like one, so such a name is left out.
 */
const mayBecomeLink = /:\/|@|\S\.\p{L}{2}/u;
