import { dayMs } from "~/platform/dates";

/** What can be declared without a login (rule 50, cancelling). */
export type DeclarationKind = "cancel" | "withdraw";

/** So long after it was made, one can withdraw from a contract. */
export const withdrawalDays = 14;

export const withdrawalMs = withdrawalDays * dayMs;

/** As a noun, in pages and mails. */
export const declarationName: Record<DeclarationKind, string> = {
  cancel: "cancellation",
  withdraw: "withdrawal",
};

export const declarationPurpose = "declaration";
