/** One to five tally strokes, the fifth across the others. Five are the product's logo. */
export function Tally({ count }: { count: number }) {
  return (
    <svg className="tally" viewBox={`0 0 ${count < 5 ? 2 + count * 6 : 32} 24`} aria-hidden="true">
      {[4, 10, 16, 22].slice(0, count).map((x) => (
        <path key={x} d={`M${x} 3v18`} />
      ))}
      {count >= 5 ? <path className="tally-fifth" d="M2 19 30 5" /> : null}
    </svg>
  );
}

/** A five-pointed star, for decoration only. */
export function Star() {
  return (
    <svg className="icon star" viewBox="0 0 24 24" aria-hidden="true">
      <path d="m12 2 3 6.8 7.4.7-5.6 4.9 1.7 7.2-6.5-3.8-6.5 3.8 1.7-7.2L1.6 9.5 9 8.8z" />
    </svg>
  );
}

/** A crown, for decoration only. */
export function Crown() {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 19h18l1.5-12-6 4L12 4l-4.5 7-6-4z" />
    </svg>
  );
}

/** The three lines of a menu button, for decoration only. */
export function MenuLines() {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 5h18v2H3zM3 11h18v2H3zM3 17h18v2H3z" />
    </svg>
  );
}
