import { useNavigate, useNavigation } from "@remix-run/react";
import { type FormEvent, useRef, useState } from "react";

const unreachable = "Fivefold could not be reached. Your rating was not sent; please try again.";

/** A rating on its way. */
export interface RatingInFlight {
  /** The song whose rating is being sent, or whose next screen is being read. */
  songId: string | null;
  /** Why the last one was not taken. */
  error: string | null;
  /** Sends a rating form without leaving the page. */
  send(event: FormEvent<HTMLFormElement>, songId: string): void;
}

/**
 * Sends ratings in the background: a page that plays music is not left, and a network that fails
 * costs a message. One at a time, however often the button is pressed.
 */
export function useRating(): RatingInFlight {
  const [error, setError] = useState<string | null>(null);
  const [songId, setSongId] = useState<string | null>(null);
  const busy = useRef(false);
  const navigate = useNavigate();
  const navigation = useNavigation();

  async function post(form: HTMLFormElement, rated: string) {
    const body = new URLSearchParams({ score: String(new FormData(form).get("score")) });
    const headers = { Accept: "application/json" };
    try {
      const response = await fetch(form.action, { method: "POST", headers, body });
      if (response.ok) {
        navigate(`/?rated=${encodeURIComponent(rated)}`, { replace: true });
        return null;
      }
      const answer = (await response.json()) as { error?: string };
      return answer.error ?? unreachable;
    } catch {
      return unreachable;
    }
  }

  function send(event: FormEvent<HTMLFormElement>, rated: string) {
    event.preventDefault();
    if (busy.current) return;
    busy.current = true;
    setSongId(rated);
    setError(null);
    post(event.currentTarget, rated).then((fault) => {
      busy.current = false;
      setError(fault);
      if (fault) setSongId(null);
    });
  }

  const reading = navigation.state === "loading";
  return { songId: busy.current || reading ? songId : null, error, send };
}
