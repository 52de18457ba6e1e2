/** The fifth stroke lies across the others. Five are the product's logo. */
export function Tally({ count }: { count: number }) {
  return (
    <svg className="tally" viewBox={`0 0 ${count < 5 ? 6 + count * 8 : 40} 28`} aria-hidden="true">
      {[7, 15, 23, 31].slice(0, count).map((x) => (
        <path key={x} d={`M${x} 3v22`} />
      ))}
      {count >= 5
        ? ["slash-edge", "slash"].map((name) => <path key={name} className={name} d="M3 21 37 7" />)
        : null}
    </svg>
  );
}

export function Icon({ path, className = "icon" }: { path: string; className?: string }) {
  return (
    <svg className={className} viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
