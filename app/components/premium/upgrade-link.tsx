import { Link, useLocation } from "@remix-run/react";
import type { MouseEvent, ReactNode } from "react";

/** The window event that opens the subscription dialog. */
export const openSubscription = "openSubscription";

/** The path of the page with the dialog's content, which returns to a path of this site. */
export function subscribePath(next: string): string {
  return next === "/" ? "/subscribe" : `/subscribe?next=${encodeURIComponent(next)}`;
}

/**
 * 'Upgrade to Premium', or other words: opens the dialog if the page has one, otherwise leads to /subscribe.
 * @param next the path to return to after the checkout; this page by default. A path with `unlocked` in its
 *   query is opened as soon as the checkout is paid, and confirms it itself.
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
    // The dialog cancels the event when it opens.
    const request = new CustomEvent(openSubscription, { cancelable: true, detail: back });
    if (!window.dispatchEvent(request)) event.preventDefault();
  }
  return (
    <Link className={className} to={subscribePath(back)} onClick={open}>
      {children}
    </Link>
  );
}
