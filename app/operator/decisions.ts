import type { MailKind } from "~/outbox/owe-mail.server";

export const maxReasonLength = 1000;

export const songDecisions = ["dismiss", "take_out", "put_back", "delete_file"] as const;
export type SongDecision = (typeof songDecisions)[number];

/**
 * Whoever gets such a mail had nothing left to rate, the operator's songs included, or has rated or reported the song
 * that it is about.
 */
export const kindsThatTell: MailKind[] = [
  "songs_again",
  "release",
  "round_ends",
  "round_open",
  "report_decision",
];

/** In the place of a mail's id. */
export const everyMail = "all";

export const decisionErrors = {
  own: "This is your own song or account. Another operator has to decide about it.",
  gone: "It is gone: its owner has deleted the song or the account.",
  late: "Somebody else has decided about it in the meantime. Nothing was changed. Look again.",
  noAddress: "We have no address to which their data could be mailed.",
  notMailed: "The mail could not be sent. Try again later.",
  nothing: "There is nothing left to decide. Nothing was changed. Look again.",
} as const;
