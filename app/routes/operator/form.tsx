import type { ReactNode } from "react";
import { maxReasonLength } from "~/operator/decisions";

/** A form on the operator's page; its buttons send their action as `do`. */
export function ActionForm({
  fields,
  children,
}: {
  /** Hidden fields. */
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
