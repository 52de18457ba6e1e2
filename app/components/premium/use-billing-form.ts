import { type FormEvent, useEffect, useState } from "react";
import { type PostAnswer, postForm } from "~/components/form/post-form";

/** A form whose answer is the address of a page of the payment provider. */
export interface BillingForm {
  /** The form was sent, or the browser is on its way to the page. */
  busy: boolean;
  error: string | null;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
}

/** How long the server may take, including its calls to Stripe, in milliseconds. */
const timeoutMs = 30_000;
/** How long the browser may take to open the page, in milliseconds. */
const redirectMs = 10_000;

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
    const fields = new FormData(form).entries();
    const texts = [...fields].map(([name, value]) => [name, String(value)]);
    const answer = await postForm(form.action, Object.fromEntries(texts), { timeoutMs });
    const { url } = answer.data;
    if (answer.ok && typeof url === "string" && url !== "") {
      window.location.assign(url);
      // A user who stops the browser on the way can press the button again.
      window.setTimeout(() => setBusy(false), redirectMs);
      return;
    }
    setError(explain(answer));
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
