/** The fifth stroke lies across the others. Five are the product's logo. */
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

export function Icon({ path, className = "icon" }: { path: string; className?: string }) {
  return (
    <svg className={className} viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
