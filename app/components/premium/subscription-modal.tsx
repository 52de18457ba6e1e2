import { useEffect, useRef, useState } from "react";
import { PremiumOffer } from "./premium-offer";
import { openSubscription } from "./upgrade-link";

/**
 * The subscription dialog: opened by the window event `openSubscription`, closed by its button, a
 * click outside or Escape; the browser keeps the focus inside and gives it back.
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
      // On the dialog itself: outside of what is in it.
      if (event.target === modal) modal?.close();
    }
    window.addEventListener(openSubscription, show);
    // Not on click: a text selected inside may end outside.
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
        {/* Made anew each time: an error of the last time is over. */}
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
