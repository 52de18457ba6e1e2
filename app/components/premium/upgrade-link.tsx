import { Link } from "@remix-run/react";
import type { MouseEvent } from "react";

/** The window event that opens the subscription dialog (spec section 2, "Other overlays"). */
export const openSubscription = "openSubscription";

/** 'Upgrade to Premium': opens the dialog if the page has one, and otherwise leads to /subscribe. */
export function UpgradeLink() {
  function open(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    // A dialog that opens cancels the event.
    const request = new Event(openSubscription, { cancelable: true });
    if (!window.dispatchEvent(request)) event.preventDefault();
  }
  return (
    <Link className="button" to="/subscribe" onClick={open}>
      Upgrade to Premium
    </Link>
  );
}
