import { dateAndTime, dayMs, fullDate } from "~/platform/dates";
import { type DeclarationKind, declarationName, withdrawalDays } from "~/premium/declaration";
import { button, copyableLink, paragraph, quietParagraph } from "./blocks";
import type { MailContent } from "./mail";
import { unlinkable } from "./wording";

export interface Declaration {
  id: string;
  kind: DeclarationKind;
  address: string;
  createdAt: number;
  isDone: boolean;
  /** Exactly one subscription is known under its address. */
  isKnown: boolean;
}

const asks: Record<DeclarationKind, string> = {
  cancel: "It ends with what you have paid for, and does not renew.",
  withdraw: "It ends at once, and we pay back what you have paid.",
};

/** By then the operator has acted where the mail's link was not pressed. */
function deadlineOf({ kind, createdAt }: Declaration): string {
  return fullDate(createdAt + (kind === "withdraw" ? withdrawalDays : 2) * dayMs);
}

/** Says at once what was declared and when (rule 50, cancelling). */
export function declarationMail(declared: Declaration, url: string): MailContent {
  const name = declarationName[declared.kind];
  const byPerson = `a person will look at it by ${deadlineOf(declared)}.`;
  return {
    subject: `We have your ${name} of Fivefold Premium`,
    preview: `It came in on ${dateAndTime(declared.createdAt)}.`,
    title: `We have your ${name}`,
    blocks: [
      `On ${dateAndTime(declared.createdAt)}, the ${name} of Fivefold Premium was declared for this address.`,
      ...(declared.isKnown
        ? [
            asks[declared.kind],
            "Confirm that it was you. Then Stripe is told at once:",
            button(`Confirm the ${name}`, url),
            quietParagraph(`If you do not, ${byPerson}`),
            copyableLink(url),
          ]
        : [
            `No subscription that it applies to is known here under this address, so ${byPerson} If you have paid with another address, answer this e-mail and tell us which.`,
          ]),
      quietParagraph(
        "Keep this e-mail. If this was not you, just ignore it: nobody ends anything by this address alone.",
      ),
    ],
    why: "You are receiving this e-mail because this address was entered on Fivefold.",
  };
}

/** Asks the operator to do what nobody has confirmed. */
export function openDeclarationMail(declared: Declaration): MailContent {
  const name = declarationName[declared.kind];
  const address = unlinkable(declared.address.replaceAll(/[@.]/g, " ")) ? declared.address : "";
  return {
    subject: `A ${name} waits for you, until ${deadlineOf(declared)}`,
    preview: "Somebody has declared it without a login.",
    title: `A ${name} waits for you`,
    blocks: [
      `On ${dateAndTime(declared.createdAt)}, somebody declared the ${name} of Fivefold Premium, and has not confirmed it by the link that we mailed them. Their address:`,
      paragraph({ own: address || "It is in the table declarations." }),
      `Look for their subscription in Stripe's dashboard by ${deadlineOf(declared)}. ${asks[declared.kind]} If you are not sure that it is theirs, write to them first.`,
      quietParagraph(`Its id is ${declared.id}.`),
    ],
    why: "You are receiving this e-mail because this is the address of the people who run Fivefold.",
  };
}
