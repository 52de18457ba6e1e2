import type { ReactNode } from "react";
import { Star } from "~/components/icons";

/** The starred heading of the ratings screens. */
export function StarHeading({ children }: { children: ReactNode }) {
  return (
    <h1 className="star-heading">
      <Star />
      {children}
    </h1>
  );
}
