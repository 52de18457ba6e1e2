import type { MouseEvent } from "react";

/** The window event that opens the subscription dialog (spec section 2, "Other overlays"). */
export const openSubscription = "openSubscription";

/** 'Upgrade to Premium': opens the dialog where one listens, else leads to the page of its content. */
export function UpgradeLink() {
  function open(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    // A dialog that opens takes the event for itself.
    const asked = new Event(openSubscription, { cancelable: true });
    if (!window.dispatchEvent(asked)) event.preventDefault();
  }
  return (
    <a className="button" href="/subscribe" onClick={open}>
      Upgrade to Premium
    </a>
  );
}
