import type { ReactNode } from "react";
import { Star } from "~/components/icons";

/** A page heading with a star. */
export function StarHeading({ children }: { children: ReactNode }) {
  return (
    <h1 className="star-heading">
      <Star />
      <span>{children}</span>
    </h1>
  );
}
