import type { ReactElement, ReactNode } from "react";
import { Notice } from "~/components/notice";
import type { PostAnswer } from "./post-form";
import { type Post, usePost } from "./use-post";

export function ButtonForm({
  action,
  fields,
  to,
  small = false,
  accented = false,
  before = null,
  children,
}: {
  action: string;
  fields?: Record<string, string>;
  /** The path of the next screen, or a function that takes it from the server's answer. */
  to: string | ((data: PostAnswer["data"]) => string);
  small?: boolean;
  accented?: boolean;
  /** What stands before the button. */
  before?: ReactElement | null | undefined;
  children: ReactNode;
}) {
  return (
    <PostedForm
      post={usePost(typeof to === "string" ? () => to : to)}
      action={action}
      fields={fields}
      before={before}
      className={before ? "prose" : undefined}
      button={`button${accented ? "" : " plain"}${small ? " small" : ""}`}
    >
      {children}
    </PostedForm>
  );
}

/** The form alone, for callers that need to know whether it is being sent. */
export function PostedForm({
  post: { busy, error, onSubmit },
  action,
  fields = {},
  className,
  button = "button plain",
  before,
  children,
}: {
  post: Post;
  action: string;
  fields?: Record<string, string> | undefined;
  className?: string | undefined;
  button?: string;
  before?: ReactElement | null | undefined;
  children: ReactNode;
}) {
  return (
    <form className={className} method="post" action={action} onSubmit={onSubmit}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {before}
      <button className={button} type="submit" aria-disabled={busy || undefined}>
        {children}
      </button>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}
