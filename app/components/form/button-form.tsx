import type { ReactNode } from "react";
import { Notice } from "~/components/notice";
import type { PostAnswer } from "./post-form";
import { usePost } from "./use-post";

/** A form with a single button, sent in the background where scripts run. */
export function ButtonForm({
  action,
  fields = {},
  to,
  small = false,
  accented = false,
  children,
}: {
  action: string;
  fields?: Record<string, string>;
  /** The path of the next screen, or a function that takes it from the server's answer. */
  to: string | ((data: PostAnswer["data"]) => string);
  small?: boolean;
  /** True if the button is the page's next step. */
  accented?: boolean;
  /** The button's label. */
  children: ReactNode;
}) {
  const { busy, error, onSubmit } = usePost(typeof to === "string" ? () => to : to);
  return (
    <form method="post" action={action} onSubmit={onSubmit}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button
        className={`button${accented ? "" : " plain"}${small ? " small" : ""}`}
        type="submit"
        aria-disabled={busy || undefined}
      >
        {children}
      </button>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}
