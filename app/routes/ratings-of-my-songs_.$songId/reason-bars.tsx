import type { ReasonCounts } from "~/exchange/rating/reasons";

export function ReasonBars({ ratings, aspects }: ReasonCounts) {
  if (aspects.length === 0) {
    return <p>{`Of the first ${ratings} ratings that say why, no three name the same.`}</p>;
  }
  return (
    <>
      <table className="reason-bars">
        <thead>
          <tr>
            <th scope="col">Liked</th>
            <td />
            <th scope="col">Could be better</th>
          </tr>
        </thead>
        <tbody>
          {aspects.map(({ aspect, liked, improve }) => (
            <tr key={aspect}>
              <td className="liked">
                <Bar count={liked} of={ratings} leftward />
              </td>
              <th scope="row">{aspect}</th>
              <td>
                <Bar count={improve} of={ratings} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet">{`From the first ${ratings} ratings that say why. You see what at least three of them name; the next three are counted together.`}</p>
    </>
  );
}

function Bar({
  count,
  of,
  leftward = false,
}: {
  count: number | null;
  of: number;
  leftward?: boolean;
}) {
  if (count === null) return <span className="visually-hidden">fewer than three</span>;
  const length = Math.round((100 * count) / of);
  return (
    <span>
      <b>{count}</b>
      <svg width="100%" height="0.75rem" aria-hidden="true">
        <rect x={leftward ? `${100 - length}%` : 0} width={`${length}%`} height="100%" rx="4" />
      </svg>
    </span>
  );
}
