/** In the place of a mail's id: all that have failed. */
export const everyMail = "all";
