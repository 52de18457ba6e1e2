import { Tally } from "~/components/icons";

/** For more than these groups of five strokes, the number alone says enough. */
const maxGroups = 3;

export function ReceivedTally({
  received,
  entitled,
  drawn = false,
  more,
}: {
  received: number;
  entitled: number;
  /** Draws the last five stroke by stroke (result.css). */
  drawn?: boolean;
  more?: string | null;
}) {
  const groups = Array.from({ length: Math.ceil(received / 5) }, (_, group) =>
    Math.min(5, received - group * 5),
  );
  const last = groups.lastIndexOf(5);
  return (
    <span className="received">
      {groups.length > maxGroups
        ? null
        : groups.map((count, group) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: groups have no id, and keep their order
            <span key={group} className={drawn && group === last ? "drawn" : undefined}>
              <Tally count={count} />
            </span>
          ))}
      <span>
        {(received > entitled ? `${received} ratings` : `${received} of ${entitled} ratings`) +
          (more ?? "")}
      </span>
    </span>
  );
}
