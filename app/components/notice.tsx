import type { ReactNode } from "react";

/** Screen readers announce errors at once, other messages at the next pause. */
export function Notice({ tone, children }: { tone: "ok" | "error" | "info"; children: ReactNode }) {
  return (
    <p className={`notice ${tone}`} role={tone === "error" ? "alert" : "status"}>
      {children}
    </p>
  );
}
