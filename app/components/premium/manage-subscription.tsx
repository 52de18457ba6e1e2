import { utcDate } from "~/components/format/date";
import { Notice } from "~/components/notice";
import type { ViewerView } from "~/domain/session/views";
import { billingTexts } from "~/domain/subscription/texts";
import { useBillingForm } from "./use-billing-form";

/**
 * 'Manage Subscription', and the date on which it ends if a cancellation is scheduled (spec section
 * 2, "Carousel screen").
 */
export function ManageSubscription({ tier }: { tier: ViewerView["subscription"] }) {
  const { busy, error, onSubmit } = useBillingForm(({ status, error }) => {
    if (error && (status === 401 || error === billingTexts.noEmail)) return error;
    const next = status === 404 ? "Please contact support." : "Please try again.";
    return `Failed to open subscription management. ${next}`;
  });
  return (
    <form className="billing" method="post" action="/portal-session" onSubmit={onSubmit}>
      <button className="button plain" type="submit" aria-disabled={busy || undefined}>
        {busy ? "Loading..." : "Manage Subscription"}
      </button>
      {tier.cancelAt === null ? null : (
        <p className="quiet">
          Subscription will be cancelled on{" "}
          <time dateTime={new Date(tier.cancelAt).toISOString()}>{utcDate(tier.cancelAt)}</time>
        </p>
      )}
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}
