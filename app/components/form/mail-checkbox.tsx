import { type ReactNode, useEffect, useRef } from "react";
import { Notice } from "~/components/notice";
import { useSavedChoice } from "./use-choice";

/** The fields of /email-preference that are checkboxes. */
export type MailChoice = "receiveRatingEmails" | "receiveSubscriptionEmails";

/**
 * A checkbox in a MailForm that turns some of the mails on or off. With a script each change is saved at
 * once, and reverted if that fails.
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
  /** True if there is no address to send mails to. */
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
    // A change from before the script arrived has not been saved yet.
    if (box.current && box.current.checked !== wanted) choose(box.current.checked);
  }, []);
  return (
    <div className="checkbox-form">
      {/* Browsers leave out unchecked boxes; this value stands in. */}
      <input type="hidden" name={field} value="false" />
      <label>
        <input
          ref={box}
          type="checkbox"
          // Otherwise the browser restores an unsaved choice on the way back.
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
