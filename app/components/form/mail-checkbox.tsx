import { type ReactNode, useEffect, useRef, useState } from "react";
import { Notice } from "~/components/notice";
import { useRefresh } from "./use-fresh-data";

const failed = "Your choice was not saved. Please try again.";
/** How long the server may take, in milliseconds. */
const timeoutMs = 15_000;

/**
 * Whether some mails are wanted. Saved at once where there is a script, which goes back to what is
 * saved where that fails (spec section 4, "Notification mail"); by a button where there is none.
 */
export function MailCheckbox({
  field,
  label,
  wanted,
  disabled,
  next,
  children,
}: {
  /** The field of /email-preference. */
  field: "receiveRatingEmails" | "receiveSubscriptionEmails";
  label: string;
  /** As it is saved. */
  wanted: boolean;
  /** There is no address to write to. */
  disabled: boolean;
  /** The screen that the button leads back to. */
  next: string;
  children?: ReactNode;
}) {
  const { checked, status, error, choose } = useSaved(field, wanted);
  const box = useRef<HTMLInputElement>(null);
  const [ready, setReady] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the script has arrived
  useEffect(() => {
    setReady(true);
    // Chosen before: there was nobody to save it.
    if (box.current && box.current.checked !== wanted) choose(box.current.checked);
  }, []);
  return (
    <form className="mail-choice" method="post" action="/email-preference">
      <input type="hidden" name="next" value={next} />
      {/* What an empty box says: it is not sent itself. */}
      <input type="hidden" name={field} value="false" />
      <label>
        <input
          ref={box}
          type="checkbox"
          // Else the browser brings back what was chosen when the page was left, saved or not.
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

/** A choice that is saved in the background: one request at a time, the last choice counts. */
function useSaved(field: string, initial: boolean) {
  const [saved, setSaved] = useState(initial);
  const [checked, setChecked] = useState(initial);
  const [status, setStatus] = useState("");
  const [error, setError] = useState<string | null>(null);
  const wish = useRef(initial);
  const busy = useRef(false);
  const { refresh } = useRefresh();
  // Changed elsewhere, and read anew.
  useEffect(() => {
    if (busy.current) return;
    wish.current = initial;
    setSaved(initial);
    setChecked(initial);
  }, [initial]);

  async function save(before: boolean) {
    busy.current = true;
    setStatus("Saving...");
    setError(null);
    let kept = before;
    let fault: string | null = null;
    while (!fault && kept !== wish.current) {
      const value = wish.current;
      fault = await post(field, value);
      if (!fault) kept = value;
    }
    busy.current = false;
    wish.current = kept;
    setSaved(kept);
    setChecked(kept);
    setStatus(fault ? "" : "Saved.");
    setError(fault);
    // The server's word decides: an answer that was lost may have been a yes.
    refresh();
  }

  function choose(value: boolean) {
    wish.current = value;
    setChecked(value);
    if (!busy.current) void save(saved);
  }

  return { checked, status, error, choose };
}

/** Why it was not saved, or null. */
async function post(field: string, value: boolean): Promise<string | null> {
  try {
    const response = await fetch("/email-preference", {
      method: "POST",
      headers: { Accept: "application/json", "Content-Type": "application/json" },
      body: JSON.stringify({ [field]: value }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) return null;
    const answer = (await response.json()) as { error?: string };
    return answer.error ?? failed;
  } catch {
    return failed;
  }
}
