/** One-click unsubscription as a mail client does it (RFC 8058). */
import { headerOf } from "./headers.ts";
import type { Mail } from "./mailbox.ts";

const FORM = "List-Unsubscribe=One-Click";
const PATIENCE_MS = 10_000;

/** Where the mail lets itself be unsubscribed by one click; null where it does not. */
export function oneClickUrl(mail: Mail): URL | null {
  if (headerOf(mail, "List-Unsubscribe-Post")?.trim() !== FORM) return null;
  const address = /<\s*(https?:[^>\s]+)\s*>/i.exec(headerOf(mail, "List-Unsubscribe") ?? "")?.[1];
  return address !== undefined && URL.canParse(address) ? new URL(address) : null;
}

/** The status of the answer, redirects not followed; null without one. */
export async function unsubscribe(url: URL): Promise<number | null> {
  try {
    const { status } = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: FORM,
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return status;
  } catch {
    return null;
  }
}

/** Nothing of the sandbox leaves this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname);
}
