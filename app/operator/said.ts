import type { Decisions } from "./overview.server";

type Line = Decisions["lines"][number];

/** What an operator has just done, by the name of the button and what it was about. */
export interface Deed {
  action: string;
  target: string;
}

export interface Said {
  action: Line["action"];
  target: string;
  text: string;
}

/**
 * Says what a press has done. The log has to know of it, so that an address made up by somebody else says nothing.
 */
export function sayDeed(lines: Line[], operator: string, deed: Deed | null): Said | null {
  const line = lines.find(
    (one) => one.operator === operator && one.action === deed?.action && one.target === deed.target,
  );
  return line ? { action: line.action, target: line.target, text: textOf(line) } : null;
}

const byMail = "Its owner gets your reason by mail, and so does who reported it.";

function textOf({ action, title, name }: Line): string {
  const song = title ? `“${title}”` : "the song";
  const person = name ?? "Its owner";
  switch (action) {
    case "take_out":
      return `You have taken out ${song}: it is offered to nobody, and its reports are closed. ${byMail} You can put it back here.`;
    case "put_back":
      return `You have put back ${song}: it can be rated again, unless it waits for its owner. ${byMail}`;
    case "dismiss":
      return `You have dismissed what was said of ${song}. Nothing has changed for it, and its owner is not told. Who reported it gets your reason by mail.`;
    case "dismiss_notice":
      return "You have dismissed the notice. Who sent it gets your reason by mail.";
    case "uphold_notice":
      return "You have upheld the notice. Who sent it gets your reason by mail.";
    case "delete_file":
      return `You have deleted the files of ${song}: nobody can hear it here. ${byMail}`;
    case "lock":
      return `${person} is locked, and gets your reason by mail.`;
    case "unlock":
      return `${person} is unlocked, and gets your reason by mail.`;
    case "send_again":
      return "It is being sent again.";
    case "delete":
      return "The account is deleted.";
    case "export":
      return `The data of ${person} are on their way to their address.`;
    case "look":
      return "Done.";
  }
}
