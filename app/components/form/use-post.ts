import { useNavigate } from "@remix-run/react";
import { type FormEvent, type MutableRefObject, useEffect, useRef, useState } from "react";
import { type PostAnswer, postForm, tellOtherTabs, unreachable } from "./post-form";

export interface Post {
  busy: boolean;
  error: string | null;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
}

const reload = { replace: true, preventScrollReset: true } as const;

/**
 * Sends a form in the background, once even if pressed twice. Nothing happens after the answer if the user
 * has moved to another screen by then. `accept` may return an error message; `explain` words a refusal.
 */
export function useSend(
  accept: (answer: PostAnswer, form: HTMLFormElement) => string | undefined,
  options: { explain?: (answer: PostAnswer) => string; timeoutMs?: number } = {},
): Post {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const shown = useShown();
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
 * Sends a form in the background and then shows the screen at the path `to`, without a fragment if it is the
 * current screen, which otherwise would not be reloaded. The browser's Back skips the form.
 */
export function usePost(
  to: (data: PostAnswer["data"]) => string,
  options: { preventScrollReset?: true } = {},
): Post {
  const navigate = useNavigate();
  return useSend(({ data }) => {
    tellOtherTabs();
    navigate(to(data), { ...options, replace: true });
    return undefined;
  });
}

/** True while the screen is shown, so that a late answer does not navigate away from another one. */
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
