import { expect, type Page } from "@playwright/test";
import { order } from "./control.ts";

/** A mail as it arrived. */
export interface ArrivedMail {
  id: string;
  to: string[];
  subject: string;
  text: string;
}

/** The mails to an address that name something, oldest first. */
export async function mailsTo(address: string, naming: string): Promise<ArrivedMail[]> {
  const { mails } = await order("mails", { to: address });
  return (mails as ArrivedMail[]).filter(({ text }) => text.includes(naming));
}

/** Waits for a mail to an address that names something. */
export async function mailTo(address: string, naming: string): Promise<ArrivedMail> {
  const arrived = () => mailsTo(address, naming);
  await expect.poll(async () => (await arrived()).length).toBeGreaterThan(0);
  const mail = (await arrived()).at(-1);
  if (!mail) throw new Error("no mail");
  return mail;
}

/** Opens a mail in the mailbox. */
export async function openMail(page: Page, { id }: ArrivedMail): Promise<void> {
  await page.goto(`${process.env.E2E_SANDBOX_ORIGIN}/mail/${id}`);
}

/** Reads a mail as a page of its own. */
export async function readMail(page: Page, { id }: ArrivedMail): Promise<void> {
  await page.goto(`${process.env.E2E_SANDBOX_ORIGIN}/mail/${id}/html`);
}
