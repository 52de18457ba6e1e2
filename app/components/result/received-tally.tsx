import type { ReactNode } from "react";
import { Tally } from "~/components/icons";

/** Beyond so many groups of five strokes, the number alone says more. */
const maxGroups = 3;

/** Tally of the promised ratings that have come in, as strokes and in words. */
export function ReceivedTally({
  received,
  entitled,
  children,
}: {
  received: number;
  entitled: number;
  /** More text on the same line. */
  children?: ReactNode;
}) {
  const groups = Array.from({ length: Math.ceil(received / 5) }, (_, group) =>
    Math.min(5, received - group * 5),
  );
  return (
    <span className="received">
      {groups.length > maxGroups
        ? null
        : groups.map((count, group) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: groups have no id, and keep their order
            <Tally key={group} count={count} />
          ))}
      {received > entitled ? `${received} received` : `${received} of ${entitled} received`}
      {children}
    </span>
  );
}
