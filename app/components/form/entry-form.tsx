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
      <input
        id={id}
        name={name}
        type="text"
        {...input}
        // Where the answer is a document, the field is what it is about.
        // biome-ignore lint/a11y/noAutofocus: somebody has just sent this field
        autoFocus={error ? true : undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        required
      />
      {children}
      {error ? (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      ) : null}
      <button
        className={plain ? "button plain" : "button"}
        type="submit"
        aria-disabled={busy || undefined}
      >
        {press}
      </button>
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
