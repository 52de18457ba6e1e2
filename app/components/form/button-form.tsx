import type { ReactNode } from "react";
import { Notice } from "~/components/notice";
import type { PostAnswer } from "./post-form";
import { usePost } from "./use-post";

/** A plain form with a single button, which a script sends in the background. */
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
  /** The path of the screen that is shown once the server has accepted the form, or how its answer says it. */
  to: string | ((data: PostAnswer["data"]) => string);
  small?: boolean;
  /** It is the page's next step. */
  accented?: boolean;
  /** What the button says. */
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
