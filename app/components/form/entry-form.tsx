import type { ComponentProps } from "react";

interface EntryFormProps extends ComponentProps<"input"> {
  label: string;
  post: Pick<ComponentProps<"form">, "action" | "onSubmit">;
  press: string;
  plain?: boolean;
  busy?: boolean;
  error: string | null | undefined;
}

/** One field and its button, and why what was entered is refused. */
export function EntryForm({
  id,
  name,
  label,
  post,
  press,
  plain,
  busy,
  error,
  children,
  ...input
}: EntryFormProps) {
  return (
    <form className="field" method="post" {...post}>
      <label htmlFor={id}>{label}</label>
      <div className="field-row">
        <input
          id={id}
          name={name}
          type="text"
          {...input}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          required
        />
        {children}
        <button
          className={plain ? "button plain" : "button"}
          type="submit"
          aria-disabled={busy || undefined}
        >
          {press}
        </button>
      </div>
      {error ? (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      ) : null}
    </form>
  );
}

/** A field of text, so that what is pasted along with an address reaches the server, which takes it off. */
export const addressEntry = {
  inputMode: "email",
  autoComplete: "email",
  autoCapitalize: "none",
  spellCheck: false,
} as const;
