/** One-click unsubscribe, as a mail client does it (RFC 8058). */
import { headerOf } from "./headers.ts";
import type { Mail } from "./mailbox.ts";

const FORM = "List-Unsubscribe=One-Click";
const TIMEOUT_MS = 10_000;

/** The URL to which a one-click unsubscribe is posted; null if the mail does not offer it. */
export function oneClickUrl(mail: Mail): URL | null {
  if (headerOf(mail, "List-Unsubscribe-Post")?.trim() !== FORM) return null;
  const address = /<\s*(https?:[^>\s]+)\s*>/i.exec(headerOf(mail, "List-Unsubscribe") ?? "")?.[1];
  return address !== undefined && URL.canParse(address) ? new URL(address) : null;
}

/** The status of the response, without following redirects; null if there was no response. */
export async function unsubscribe(url: URL): Promise<number | null> {
  try {
    const { status } = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: FORM,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return status;
  } catch {
    return null;
  }
}

/** The sandbox sends nothing to other machines. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname);
}
