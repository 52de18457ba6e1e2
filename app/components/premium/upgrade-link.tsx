import { Link, useLocation } from "@remix-run/react";
import type { MouseEvent, ReactNode } from "react";

/** The window event that opens the subscription dialog. */
export const openSubscription = "openSubscription";

/** The page with the dialog's content, which leads back to a path of this site. */
export function subscribePath(next: string): string {
  return next === "/" ? "/subscribe" : `/subscribe?next=${encodeURIComponent(next)}`;
}

/**
 * 'Upgrade to Premium', or other words: opens the dialog if the page has one, and otherwise leads to
 * /subscribe.
 * @param next the path of this site that the checkout leads back to; this page without it. A path with
 *   `unlocked` in its query is opened as soon as it is paid, and says thanks itself.
 */
export function UpgradeLink({
  next,
  className = "button",
  children = "Upgrade to Premium",
}: {
  next?: string;
  className?: string;
  children?: ReactNode;
}) {
  const { pathname } = useLocation();
  const back = next ?? pathname;
  function open(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    // A dialog that opens cancels the event.
    const request = new CustomEvent(openSubscription, { cancelable: true, detail: back });
    if (!window.dispatchEvent(request)) event.preventDefault();
  }
  return (
    <Link className={className} to={subscribePath(back)} onClick={open}>
      {children}
    </Link>
  );
}
