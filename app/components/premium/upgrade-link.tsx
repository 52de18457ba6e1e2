import { Link, useLocation } from "@remix-run/react";
import type { MouseEvent, ReactNode } from "react";

export const openSubscription = "openSubscription";

export function subscribePath(next: string): string {
  return next === "/" ? "/subscribe" : `/subscribe?next=${encodeURIComponent(next)}`;
}

/**
 * Opens the dialog if the page has one, otherwise leads to /subscribe. After the checkout `next` is opened;
 * if its query has `unlocked`, as soon as the checkout is paid.
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
