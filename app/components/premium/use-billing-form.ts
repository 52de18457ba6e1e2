import { type FormEvent, useEffect, useState } from "react";
import type { PostAnswer } from "~/components/form/post-form";

/** A form whose answer is the address of a page of the payment provider. */
export interface BillingForm {
  /** The form was sent, or the browser is on its way to the page. */
  busy: boolean;
  error: string | null;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
}

/**
 * Sends the form in the background and opens the page that the answer names; after an error the
 * form can be sent again. Without a script the form is a plain one and leads to the same page.
 * @param explain the message for an answer that names no page.
 */
export function useBillingForm(explain: (answer: PostAnswer) => string): BillingForm {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    // After the Back button the browser may show this page just as it was left.
    const reset = () => setBusy(false);
    window.addEventListener("pageshow", reset);
    return () => window.removeEventListener("pageshow", reset);
  }, []);

  async function send(form: HTMLFormElement): Promise<void> {
    // Few press the button, and the carousel has it.
    const openBillingPage = await import("./open-billing-page").then(
      (billing) => billing.openBillingPage,
      () => null,
    );
    // After a deployment the script may be gone.
    if (!openBillingPage) return form.submit();
    try {
      const answer = await openBillingPage(form, () => setBusy(false));
      if (!answer) return;
      setError(explain(answer));
    } catch {
      setError(explain({ ok: false, status: 0, data: {}, error: null }));
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
      void send(event.currentTarget);
    },
  };
}
