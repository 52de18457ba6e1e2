import { useEffect, useRef } from "react";
import { PostedForm } from "~/components/form/button-form";
import type { SubscriptionView } from "~/members/subscription-view";
import { billingTexts } from "~/premium/texts";
import { ManageSubscription, useBillingForm } from "./manage-subscription";
import { SubscriptionLine } from "./subscription-state";
import { TierComparison } from "./tier-comparison";

interface OfferProps {
  subscription: SubscriptionView;
  next: string | null;
}

export function PremiumOffer({ subscription, next }: OfferProps) {
  const { manage } = subscription;
  return (
    <>
      <SubscriptionLine subscription={subscription} />
      {manage ? (
        <ManageSubscription label={manage} />
      ) : (
        <>
          <TierComparison />
          <SubscribeForm next={next} />
          <p className="quiet">
            <span>
              You pay at Stripe, and we never see your card. You can cancel at any time, and
              withdraw within 14 days. You still need Spotify Premium to play songs from Spotify. By
              subscribing you accept the
            </span>{" "}
            <a href="/terms">terms</a>.
          </p>
        </>
      )}
    </>
  );
}

function SubscribeForm({ next }: Pick<OfferProps, "next">) {
  const post = useBillingForm(({ status, error }) => {
    if (error) return error;
    if (status === 0) return billingTexts.checkoutFailed;
    return status < 400 ? billingTexts.noUrl : `Server error: ${status}`;
  });
  return (
    <PostedForm
      post={post}
      className="billing"
      action="/checkout-session"
      fields={next === null ? {} : { next }}
      button="button"
    >
      {post.busy ? "Processing..." : "Subscribe"}
    </PostedForm>
  );
}

export function SubscriptionModal({ onClose, ...offer }: OfferProps & { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const modal = dialog.current;
    function closeOutside(event: MouseEvent) {
      // The content covers the whole dialog, so a click on the dialog itself is on the backdrop.
      if (event.target === modal) modal?.close();
    }
    if (!modal?.open) modal?.showModal();
    // Not `click`, which also fires for a text selection that starts inside and ends outside.
    modal?.addEventListener("pointerdown", closeOutside);
    return () => modal?.removeEventListener("pointerdown", closeOutside);
  }, []);
  return (
    <dialog ref={dialog} className="modal" aria-labelledby="subscription-heading" onClose={onClose}>
      <div className="modal-body">
        <h2 id="subscription-heading">Fivefold Premium</h2>
        <PremiumOffer {...offer} />
        <form className="modal-actions" method="dialog">
          <button className="button plain" type="submit">
            Close
          </button>
        </form>
      </div>
    </dialog>
  );
}
