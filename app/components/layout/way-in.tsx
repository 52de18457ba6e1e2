import type { ReactNode } from "react";

const strokes = ["M7 3v22", "M15 3v22", "M23 3v22", "M31 3v22", "M3 21 37 7"];

/** One step of coming in by e-mail: a stroke for each until now. The slash is the first song. */
export function WayIn({
  step,
  heading,
  children,
}: {
  step: 1 | 2 | 3;
  heading: string;
  children: ReactNode;
}) {
  return (
    <div className="way-in">
      <svg className="tally" viewBox="0 0 40 28" role="img" aria-label={`Step ${step} of 4`}>
        {strokes.map((stroke, place) => (
          <path
            key={stroke}
            d={stroke}
            {...(place < step ? {} : { strokeWidth: 1.5, opacity: 0.6 })}
          />
        ))}
      </svg>
      <div className="prose">
        <h1>{heading}</h1>
        {children}
      </div>
    </div>
  );
}
