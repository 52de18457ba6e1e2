import { type ComponentProps, lazy, Suspense, useState } from "react";
import type { RatedCardIsland } from "./rated-card.client";
import { RatedCardDocument } from "./rated-card.server";

type Card = typeof RatedCardIsland;

let loaded: Card | null = null;

/** Called as a rating is sent, so that the card is there when the answer is. */
export async function loadRatedCard(): Promise<{ default: Card }> {
  try {
    loaded = (await import("./rated-card.client")).RatedCardIsland;
    return { default: loaded };
  } catch {
    // The rating counts all the same.
    return { default: () => <></> };
  }
}

const LazyCard = lazy(loadRatedCard);

/** Most visits rate nothing, and so do not fetch it. */
export function LateRatedCard(props: ComponentProps<Card>) {
  const [Shown] = useState(() =>
    typeof document === "undefined" ? RatedCardDocument : (loaded ?? LazyCard),
  );
  return (
    <Suspense fallback={<div className="skeleton" />}>
      <Shown {...props} />
    </Suspense>
  );
}
