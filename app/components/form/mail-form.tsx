import { type ReactNode, useEffect, useState } from "react";

/**
 * The choices about mails of a screen. With a script each is saved by itself; without a script there is one
 * button for all of them.
 */
export function MailForm({
  disabled,
  next,
  children,
}: {
  /** There is no address to send mails to. */
  disabled: boolean;
  /** The path of the screen that the button leads back to. */
  next: string;
  /** Checkboxes and the like, each with what it needs so that all can be sent at once. */
  children: ReactNode;
}) {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <form className="checkbox-form prose" method="post" action="/email-preference">
      <input type="hidden" name="next" value={next} />
      {children}
      {ready || disabled ? null : (
        <button className="button plain" type="submit">
          Save
        </button>
      )}
    </form>
  );
}
