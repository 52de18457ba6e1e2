import type { ReactNode } from "react";

export function ActionForm({
  fields,
  children,
}: {
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

export function Reason({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{children}</label>
      <textarea id={id} name="reason" rows={2} required />
    </div>
  );
}

/** A button of an `ActionForm`, by the name of what it does. */
export function Do({
  what,
  look = "plain",
  children,
}: {
  what: string;
  look?: "plain" | "plain small" | "danger";
  children: ReactNode;
}) {
  return (
    <button className={`button ${look}`} name="do" value={what} type="submit">
      {children}
    </button>
  );
}

/** What a decision against somebody rests on. */
export function Ground() {
  return (
    <label className="operation-sure">
      <input type="checkbox" name="ground" value="law" />
      <span>It is against the law, and not only against our terms</span>
    </label>
  );
}

const formId = "look";

/** The form of all `LookButton`s of the page. A look is posted, because it is written down. */
export function LookForm() {
  return (
    <form id={formId} method="post" action="/operator/act" hidden>
      <input type="hidden" name="do" value="look" />
    </form>
  );
}

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
