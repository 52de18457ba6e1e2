/** Stands for all failed mails in the place of an id. */
export const everyMail = "all";
