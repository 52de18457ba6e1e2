import { type ReactNode, useEffect, useRef } from "react";
import { Notice } from "~/components/notice";
import { useSavedChoice } from "./use-choice";

/** The switches among the fields of /email-preference. */
export type MailChoice = "receiveRatingEmails" | "receiveSubscriptionEmails";

/**
 * A checkbox for some of the mails, in a MailForm. With a script each change is saved at once, and undone
 * if it cannot be saved.
 */
export function MailCheckbox({
  field,
  label,
  wanted,
  disabled,
  children,
}: {
  field: MailChoice;
  label: string;
  /** The saved choice. */
  wanted: boolean;
  /** There is no address to send mails to. */
  disabled: boolean;
  children?: ReactNode;
}) {
  const {
    value: checked,
    status,
    error,
    choose,
  } = useSavedChoice(wanted, "/email-preference", (choice) => [[field, String(choice)]], {
    refreshes: true,
  });
  const box = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the script has arrived
  useEffect(() => {
    // The box was changed before the script arrived, so nothing has saved that yet.
    if (box.current && box.current.checked !== wanted) choose(box.current.checked);
  }, []);
  return (
    <div className="checkbox-form">
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
      <p className="quiet" role="status">
        {status}
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </div>
  );
}
