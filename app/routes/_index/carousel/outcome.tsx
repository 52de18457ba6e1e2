import { type ReactNode, useEffect, useRef } from "react";

/** What a press has led to. Takes the focus from the form that is gone. */
export function Outcome({ children }: { children: ReactNode }) {
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => outcome.current?.focus(), []);
  return (
    <div className="rated-notice" ref={outcome} tabIndex={-1}>
      {children}
    </div>
  );
}
