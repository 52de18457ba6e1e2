import { type ReactNode, useEffect, useState } from "react";

/**
 * A screen's choices about mails. With a script each is saved by itself; without one, a single button saves
 * them all.
 */
export function MailForm({
  disabled,
  next,
  children,
}: {
  /** True if there is no address to send mails to. */
  disabled: boolean;
  /** The path of the screen to which the button returns. */
  next: string;
  /** The fields. */
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
