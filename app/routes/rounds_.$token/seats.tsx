import { ofAll } from "~/exchange/round/round";

/** From as many on, a picture of them says nothing. */
const mostDrawn = 24;
const upright = [3, 11, 19, 27];
const across = "M-2 21 33 7";

/** A stroke for each seat, five to a tally: dashed while it is free. */
export function Seats({ taken, of }: { taken: number; of: number }) {
  if (of > mostDrawn) return null;
  const groups = Array.from({ length: Math.ceil(of / 5) }, (_, group) => group * 5);
  return (
    <div
      className={of > 12 ? "seats many" : of > 8 ? "seats more" : "seats"}
      role="img"
      aria-label={`${ofAll(taken, of)} seats`}
    >
      {groups.map((before) => {
        const seats = Math.min(5, of - before);
        const isDue = (place: number) => (before + place >= taken ? "due" : undefined);
        const width = seats === 5 ? 40 : seats * 8 + 1;
        return (
          <svg key={before} className="tally" viewBox={`-4 0 ${width} 28`} aria-hidden="true">
            {upright.slice(0, seats).map((x, place) => (
              <path key={x} className={isDue(place)} d={`M${x} 3V25`} />
            ))}
            {seats === 5 ? (
              <>
                {isDue(4) ? null : <path className="slash-edge" d={across} />}
                <path className={isDue(4) ?? "slash"} d={across} />
              </>
            ) : null}
          </svg>
        );
      })}
    </div>
  );
}
