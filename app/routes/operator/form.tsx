import type { ReactNode } from "react";
import { maxReasonLength } from "~/domain/operator/decisions";

/** A form of the operator's, whose buttons say what they do (`do`). */
export function ActionForm({
  fields,
  children,
}: {
  /** What goes along with it. */
  fields: Record<string, string | number>;
  children: ReactNode;
}) {
  return (
    <form className="operation-form" method="post" action="/operator/act">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

/** The field for a reason. */
export function Reason({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{children}</label>
      <textarea id={id} name="reason" rows={2} maxLength={maxReasonLength} required />
    </div>
  );
}
