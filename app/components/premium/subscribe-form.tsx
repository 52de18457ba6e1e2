import { Notice } from "~/components/notice";
import { billingTexts } from "~/premium/texts";
import { useBillingForm } from "./use-billing-form";

/** The button to the checkout. */
export function SubscribeForm({ next }: { next: string | null }) {
  const { busy, error, onSubmit } = useBillingForm(({ status, error }) => {
    if (error) return error;
    if (status === 0) return billingTexts.checkoutFailed;
    return status < 400 ? billingTexts.noUrl : `Server error: ${status}`;
  });
  return (
    <form className="billing" method="post" action="/checkout-session" onSubmit={onSubmit}>
      {next === null ? null : <input type="hidden" name="next" value={next} />}
      <button className="button" type="submit" aria-disabled={busy || undefined}>
        {busy ? "Processing..." : "Subscribe"}
      </button>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}
