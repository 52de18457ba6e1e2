import type { ComponentProps } from "react";
import { RatedCard } from "./rated-card";

/** For documents. Browsers load the card as a rating is sent (`late-rated-card.tsx`). */
export function RatedCardDocument(props: ComponentProps<typeof RatedCard>) {
  return <RatedCard {...props} />;
}
