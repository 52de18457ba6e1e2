import { useLocation, useMatches } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { ViewerView } from "~/members/views";
import { openSubscription, subscribePath } from "./upgrade-link";

type Modal = typeof import("./premium-offer").SubscriptionModal;

/**
 * The dialog on every member's screen. The window event `openSubscription` opens it; its content is loaded
 * then.
 */
export function SubscriptionDialog() {
  const viewer = useMatches()
    .map(({ data }) => (data as { viewer?: ViewerView | null } | undefined)?.viewer)
    .find((one) => one);
  const [shown, setShown] = useState<{ Modal: Modal; next: string } | null>(null);
  const { key } = useLocation();
  const isMember = viewer !== undefined;
  useEffect(() => {
    async function open(event: Event) {
      // Without dialogs the link leads to the page.
      if (!("HTMLDialogElement" in window)) return;
      event.preventDefault();
      const { detail } = event as CustomEvent<unknown>;
      const next = typeof detail === "string" ? detail : window.location.pathname;
      try {
        const { SubscriptionModal } = await import("./premium-offer");
        setShown({ Modal: SubscriptionModal, next });
      } catch {
        window.location.assign(subscribePath(next));
      }
    }
    if (!isMember) return;
    window.addEventListener(openSubscription, open);
    return () => window.removeEventListener(openSubscription, open);
  }, [isMember]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen has another offer
  useEffect(() => setShown(null), [key]);
  if (!viewer || !shown) return null;
  const { Modal, next } = shown;
  return <Modal subscription={viewer.subscription} next={next} onClose={() => setShown(null)} />;
}
