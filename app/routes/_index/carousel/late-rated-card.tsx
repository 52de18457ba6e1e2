import { type ComponentProps, lazy, Suspense, useState } from "react";
import type { RatedCardIsland } from "./rated-card.client";

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

/**
 * Most visits rate nothing, and so do not fetch it.
 * @param InDocument the card, only on the server.
 */
export function LateRatedCard({
  InDocument,
  ...props
}: ComponentProps<Card> & { InDocument: Card | undefined }) {
  const [Shown] = useState(() => InDocument ?? loaded ?? LazyCard);
  return (
    <Suspense fallback={<div className="skeleton" />}>
      <Shown {...props} />
    </Suspense>
  );
}
