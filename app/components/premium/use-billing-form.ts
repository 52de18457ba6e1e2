import { type FormEvent, useEffect, useState } from "react";

/** A form whose answer is the address of a page of the payment provider. */
export interface BillingForm {
  /** It has been sent, or the browser is on its way. */
  busy: boolean;
  error: string | null;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
}

/** How long the server may take with all that it asks of Stripe, and the browser with the way there. */
const timeoutMs = 30_000;
const wayMs = 10_000;

/**
 * Sends the form in the background and goes where the answer leads; on an error the form is idle
 * again. Without a script the form goes there by itself.
 * @param explain the message for an answer without an address: its status, or 0 where none came,
 *   and the server's text, if it gave one.
 */
export function useBillingForm(
  explain: (status: number, text: string | null) => string,
): BillingForm {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    // Back from there the page may be the very same one, as it was left.
    const wake = () => setBusy(false);
    window.addEventListener("pageshow", wake);
    return () => window.removeEventListener("pageshow", wake);
  }, []);

  async function send(action: string): Promise<void> {
    let status = 0;
    try {
      const headers = { Accept: "application/json" };
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(action, { method: "POST", headers, signal });
      status = response.status;
      const answer = (await response.json()) as { url?: string; error?: string };
      if (response.ok && answer.url) {
        window.location.assign(answer.url);
        // Who stops on the way may press again.
        window.setTimeout(() => setBusy(false), wayMs);
        return;
      }
      setError(explain(status, answer.error ?? null));
    } catch {
      setError(explain(status, null));
    }
    setBusy(false);
  }

  return {
    busy,
    error,
    onSubmit(event) {
      event.preventDefault();
      if (busy) return;
      setBusy(true);
      setError(null);
      void send(event.currentTarget.action);
    },
  };
}
