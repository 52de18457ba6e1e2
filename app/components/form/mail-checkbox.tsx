import { type ReactNode, useEffect, useRef, useState } from "react";
import { Notice } from "~/components/notice";
import { type MailChoice, useMailChoice } from "./use-mail-choice";

/**
 * A checkbox for some of the mails. With a script each change is saved at once, and undone if it
 * cannot be saved (spec section 4, "Notification mail"); without a script there is a button.
 */
export function MailCheckbox({
  field,
  label,
  wanted,
  disabled,
  next,
  children,
}: {
  field: MailChoice;
  label: string;
  /** The saved choice. */
  wanted: boolean;
  /** There is no address to send mails to. */
  disabled: boolean;
  /** The path of the screen that the button leads back to. */
  next: string;
  children?: ReactNode;
}) {
  const { value: checked, status, error, choose } = useMailChoice(field, wanted);
  const box = useRef<HTMLInputElement>(null);
  const [ready, setReady] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the script has arrived
  useEffect(() => {
    setReady(true);
    // The box was changed before the script arrived, so nothing has saved that yet.
    if (box.current && box.current.checked !== wanted) choose(box.current.checked);
  }, []);
  return (
    <form className="checkbox-form" method="post" action="/email-preference">
      <input type="hidden" name="next" value={next} />
      {/* Browsers do not send unchecked boxes; then this value counts. */}
      <input type="hidden" name={field} value="false" />
      <label>
        <input
          ref={box}
          type="checkbox"
          // Otherwise the browser restores an unsaved choice when the user comes back to the page.
          autoComplete="off"
          name={field}
          value="true"
          checked={checked}
          disabled={disabled}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {children}
      {ready || disabled ? null : (
        <button className="button plain" type="submit">
          Save
        </button>
      )}
      <p className="quiet" role="status">
        {status}
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}
