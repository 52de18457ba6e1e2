import type { MailContent } from "./mail";

/** Brings somebody who cannot log in the data of their account, which are attached. */
export const exportMail: MailContent = {
  subject: "Your data on Fivefold",
  preview: "Everything that is stored about you is attached.",
  title: "Your data are attached",
  blocks: [
    "The attached file has everything that Fivefold has stored about you, as JSON. Any text editor opens it.",
  ],
  why: "You are receiving this e-mail because you have asked us for your data.",
};
