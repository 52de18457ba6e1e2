import { useEffect, useRef, useState } from "react";
import { PremiumOffer } from "./premium-offer";
import { openSubscription } from "./upgrade-link";

/**
 * The subscription dialog: opened by the window event `openSubscription`, closed by its button, by a
 * click outside or by Escape (spec section 2, "Other overlays"). The browser keeps the focus inside.
 */
export function SubscriptionModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const modal = dialog.current;
    function show(event: Event) {
      event.preventDefault();
      setOpen(true);
      if (!modal?.open) modal?.showModal();
    }
    function closeOutside(event: MouseEvent) {
      // The content covers the whole dialog, so a click on the dialog itself is one on its backdrop.
      if (event.target === modal) modal?.close();
    }
    window.addEventListener(openSubscription, show);
    // Not `click`, which a text selection that starts inside and ends outside would trigger.
    modal?.addEventListener("pointerdown", closeOutside);
    return () => {
      window.removeEventListener(openSubscription, show);
      modal?.removeEventListener("pointerdown", closeOutside);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="modal"
      aria-labelledby="subscription-heading"
      onClose={() => setOpen(false)}
    >
      <div className="modal-body">
        <h2 id="subscription-heading">Fivefold Premium</h2>
        {/* Mounted anew each time, without an error from before. */}
        {open ? <PremiumOffer /> : null}
        <form className="modal-actions" method="dialog">
          <button className="button plain" type="submit">
            Close
          </button>
        </form>
      </div>
    </dialog>
  );
}
