import { Tally } from "~/components/icons";

/** More would be a wall. */
const mostDrawn = 300;

/** A stroke each, five to a tally. */
export function Strokes({ count }: { count: number }) {
  if (count === 0 || count > mostDrawn) return null;
  const tallies = Array.from({ length: Math.ceil(count / 5) }, (_, n) =>
    Math.min(5, count - 5 * n),
  );
  return (
    <div className="strokes" aria-hidden="true">
      {tallies.map((strokes, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tallies have no id, and keep their order
        <Tally key={place} count={strokes} />
      ))}
    </div>
  );
}
