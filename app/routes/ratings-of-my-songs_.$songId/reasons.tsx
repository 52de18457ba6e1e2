import { Tally } from "~/components/icons";
import type { ReasonCounts, Reasons } from "~/exchange/rating/reasons";

const sides = { liked: "They liked", improve: "Could be better" } as const;

/** What listeners named, as tallies; null until three of them have. */
export function ReasonTallies({ counts }: { counts: ReasonCounts | null }) {
  if (counts === null || counts.aspects.length === 0) {
    return (
      <>
        <p className="lead">Shows once three agree.</p>
        <p className="quiet">
          After rating a song, listeners may say what they liked and what could be better.
        </p>
      </>
    );
  }
  return (
    <>
      <div className="reasons">
        {(["liked", "improve"] as const).map((side) => (
          <Side key={side} side={side} counts={counts} />
        ))}
      </div>
      <p className="quiet">{`From the first ${counts.ratings} ratings that say why. You see what at least three of them name; the next three are counted together.`}</p>
    </>
  );
}

function Side({ side, counts }: { side: keyof Reasons; counts: ReasonCounts }) {
  const named = counts.aspects
    .flatMap(({ aspect, [side]: count }) => (count === null ? [] : [{ aspect, count }]))
    .sort((a, b) => b.count - a.count);
  return (
    <div>
      <h3>{sides[side]}</h3>
      {named.length === 0 ? <p className="quiet">Shows once three agree.</p> : null}
      <ul>
        {named.map(({ aspect, count }) => (
          <li key={aspect}>
            <span>{aspect}</span>
            <Strokes count={count} />
            <b>{count}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** For more than these, the number alone says enough. */
const mostStrokes = 15;

function Strokes({ count }: { count: number }) {
  if (count > mostStrokes) return null;
  const fives = Array.from({ length: Math.ceil(count / 5) }, (_, five) => five);
  return (
    <span>
      {fives.map((five) => (
        <Tally key={five} count={Math.min(5, count - five * 5)} />
      ))}
    </span>
  );
}
