import type { ReactNode } from "react";
import { strokes } from "~/components/five-marks";

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
      <svg className="five-marks" viewBox="0 0 322 184" role="img" aria-label={`Step ${step} of 4`}>
        {strokes.map(({ bare }, place) => (
          <path key={bare} className={place < step ? "stroke" : "mark-awaited"} d={bare} />
        ))}
      </svg>
      <div className="prose">
        <h1>{heading}</h1>
        {children}
      </div>
    </div>
  );
}
