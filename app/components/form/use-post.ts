import { useNavigate } from "@remix-run/react";
import { type FormEvent, type MutableRefObject, useEffect, useRef, useState } from "react";
import { type PostAnswer, postForm, unreachable } from "./post-form";

/** A form that a script sends. */
export interface Post {
  /** It was sent, and the answer or the next screen is on its way. */
  busy: boolean;
  /** The server's reason for refusing, or null. */
  error: string | null;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
}

/** How a screen is loaded anew. */
const again = { replace: true, preventScrollReset: true } as const;

/**
 * Sends a plain form in the background. Pressed twice, it is sent once. Who has gone on to another
 * screen stays there, whatever the answer; who is not logged in any more is led to the login.
 * @param accept what follows once the server has accepted the form. It may return why the answer is of
 *   no use after all.
 * @param options.explain the message for an answer that is of no use.
 * @param options.timeoutMs how long the server may take, in milliseconds.
 */
export function useSend(
  accept: (answer: PostAnswer, form: HTMLFormElement) => string | undefined,
  options: { explain?: (answer: PostAnswer) => string; timeoutMs?: number } = {},
): Post {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const shown = useShown();
  // The pages that refuse have no router with data to revalidate.
  const navigate = useNavigate();
  useEffect(() => {
    // After the Back button the browser may show this page just as it was left.
    const reset = () => setBusy(false);
    window.addEventListener("pageshow", reset);
    return () => window.removeEventListener("pageshow", reset);
  }, []);
  return {
    busy,
    error,
    onSubmit(event) {
      event.preventDefault();
      if (busy) return;
      setBusy(true);
      setError(null);
      const form = event.currentTarget;
      const { explain = ({ error }) => error ?? unreachable, ...limits } = options;
      const fields = [...new FormData(form)] as [string, string][];
      postForm(form.action, fields, limits).then((answer) => {
        if (!shown.current) return;
        // Only the document can lead to a login, and back to where the form can be sent again.
        if (answer.data.loginAgain) return form.submit();
        setError((answer.ok ? accept(answer, form) : explain(answer)) ?? null);
        // Where the login has ended, the screen says so once it is loaded anew.
        if (answer.status === 401) navigate(location.pathname + location.search, again);
        setBusy(false);
      });
    },
  };
}

/**
 * Sends a plain form in the background and then shows the screen that it leads to. Back leads to what
 * was there before the form.
 * @param to the path of that screen, from the server's answer. If it is this screen, it has no fragment,
 *   or nothing would be loaded anew.
 * @param options.preventScrollReset for a form that leads to the screen that it is on.
 */
export function usePost(
  to: (data: PostAnswer["data"]) => string,
  options: { preventScrollReset?: true } = {},
): Post {
  const navigate = useNavigate();
  return useSend(({ data }) => {
    navigate(to(data), { ...options, replace: true });
    return undefined;
  });
}

/** True while the screen is shown: a late answer must not lead away from another one. */
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
