import { useEffect, useRef } from "react";
import type { SubscriptionView } from "~/members/subscription-view";
import { PremiumOffer } from "./premium-offer";

/**
 * The open subscription dialog. Its button, a click outside and Escape close it; the browser keeps the focus
 * inside.
 */
export function SubscriptionModal({
  subscription,
  next,
  onClose,
}: {
  subscription: SubscriptionView;
  /** The path to return to after the checkout. */
  next: string;
  onClose(): void;
}) {
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
        <PremiumOffer subscription={subscription} next={next} />
        <form className="modal-actions" method="dialog">
          <button className="button plain" type="submit">
            Close
          </button>
        </form>
      </div>
    </dialog>
  );
}
