import { useNavigate } from "@remix-run/react";
import { type FormEvent, type MutableRefObject, useEffect, useRef, useState } from "react";
import { type PostAnswer, postForm, unreachable } from "./post-form";

/** A form that a script sends. */
export interface Post {
  /** It was sent, and the answer or the next screen is on its way. */
  busy: boolean;
  /** Why the server did not accept it, or null. */
  error: string | null;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
}

/**
 * Sends a plain form in the background and then shows the screen that it leads to, so that a song
 * plays on and a refusal costs no more than a message. Pressed twice, it is sent once.
 * @param to the path of that screen, from the server's answer. If it is this screen, it has no fragment,
 *   or nothing would be loaded anew.
 * @param options.preventScrollReset for a form that leads to the screen that it is on.
 */
export function usePost(
  to: (data: PostAnswer["data"]) => string,
  options: { preventScrollReset?: true } = {},
): Post {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const navigate = useNavigate();
  const shown = useShown();
  return {
    busy,
    error,
    onSubmit(event) {
      event.preventDefault();
      if (busy) return;
      setBusy(true);
      setError(null);
      const form = event.currentTarget;
      const fields = [...new FormData(form)] as [string, string][];
      postForm(form.action, fields).then((answer) => {
        // Who has gone on to another screen stays there. Back leads to what was there before the form.
        if (!shown.current) return;
        if (answer.ok) navigate(to(answer.data), { ...options, replace: true });
        // Only the document can lead to a login, and back to where the form can be sent again.
        else if (answer.status === 401) form.submit();
        else setError(answer.error ?? unreachable);
        setBusy(false);
      });
    },
  };
}

/** Whether the screen is still shown: what a request ends in must not lead away from another one. */
export function useShown(): MutableRefObject<boolean> {
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return shown;
}
