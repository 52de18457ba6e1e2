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

/** The name of the form with which the names of people on the page lead to them. */
const formId = "look";

/** The form of all `LookButton`s of the page. A look is posted, because it is written down. */
export function LookForm() {
  return (
    <form id={formId} method="post" action="/operator/act" hidden>
      <input type="hidden" name="do" value="look" />
    </form>
  );
}

/** A line with a button that leads to somebody's account. */
export function LookButton({ userId, name }: { userId: string; name: string }) {
  return (
    <p>
      <button
        className="button plain small"
        form={formId}
        name="person"
        value={userId}
        type="submit"
      >
        Look at <bdi>{name}</bdi>
      </button>
    </p>
  );
}
