import type { ReactNode } from "react";
import { Icon } from "~/components/icons";

const star = "m12 2 3 6.8 7.4.7-5.6 4.9 1.7 7.2-6.5-3.8-6.5 3.8 1.7-7.2L1.6 9.5 9 8.8z";

export function StarHeading({ children }: { children: ReactNode }) {
  return (
    <h1 className="star-heading">
      <Icon className="icon star" path={star} />
      <span>{children}</span>
    </h1>
  );
}
