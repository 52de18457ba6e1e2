import type { ReactNode } from "react";

/** A message to the user. Errors interrupt a screen reader, the others wait for a pause. */
export function Notice({ tone, children }: { tone: "ok" | "error" | "info"; children: ReactNode }) {
  return (
    <p className={`notice ${tone}`} role={tone === "error" ? "alert" : "status"}>
      {children}
    </p>
  );
}
