import { useNavigate } from "@remix-run/react";
import { type FormEvent, type MutableRefObject, useEffect, useRef, useState } from "react";
import { type PostAnswer, postForm, unreachable } from "./post-form";

/** The state of a form that a script sends. */
export interface Post {
  /** True from the press until the answer or the next screen has arrived. */
  busy: boolean;
  /** The reason for a refusal; null if there was none. */
  error: string | null;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
}

/** Options to reload the current screen. */
const reload = { replace: true, preventScrollReset: true } as const;

/**
 * Sends a form in the background, once even if pressed twice. A user who has meanwhile moved to another
 * screen stays there; one whose login has ended is sent to the login.
 * @param accept runs once the server has accepted the form. It may return a message if the answer turns out
 *   to be unusable.
 * @param options.explain the message for an unusable answer.
 * @param options.timeoutMs time limit for the server, in milliseconds.
 */
export function useSend(
  accept: (answer: PostAnswer, form: HTMLFormElement) => string | undefined,
  options: { explain?: (answer: PostAnswer) => string; timeoutMs?: number } = {},
): Post {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const shown = useShown();
  // Error pages have no router data to revalidate.
  const navigate = useNavigate();
  useEffect(() => {
    // The browser's Back may restore this page from its cache.
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
        // Only a document can go to the login and return to resend the form.
        if (answer.data.loginAgain) return form.submit();
        setError((answer.ok ? accept(answer, form) : explain(answer)) ?? null);
        // If the login has ended, the reloaded screen says so.
        if (answer.status === 401) navigate(location.pathname + location.search, reload);
        setBusy(false);
      });
    },
  };
}

/**
 * Sends a form in the background and then shows the next screen. The browser's Back skips the form.
 * @param to the path of that screen, from the server's answer; without a fragment if it is the current
 *   screen, which otherwise would not be reloaded.
 * @param options.preventScrollReset for a form that leads back to its own screen.
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

/**
 * A ref that is true while the screen is shown, so that a late answer does not navigate away from another
 * one.
 */
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
