import { useLocation } from "@remix-run/react";
import { Notice } from "~/components/notice";
import { noEmailText } from "~/premium/no-email-text";
import { useBillingForm } from "./use-billing-form";

/** The button that opens the management of the subscription, which leads back to this page. */
export function ManageSubscription({ label = "Manage Subscription" }: { label?: string }) {
  const { pathname } = useLocation();
  const { busy, error, onSubmit } = useBillingForm(({ status, error }) => {
    if (error && (status === 401 || error === noEmailText)) return error;
    const next = status === 404 ? "Please contact support." : "Please try again.";
    return `Failed to open subscription management. ${next}`;
  });
  return (
    <form className="billing" method="post" action="/portal-session" onSubmit={onSubmit}>
      <input type="hidden" name="next" value={pathname} />
      <button className="button plain" type="submit" aria-disabled={busy || undefined}>
        {busy ? "Loading..." : label}
      </button>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}
