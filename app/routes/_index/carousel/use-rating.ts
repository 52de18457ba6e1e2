import { useNavigate, useNavigation, useRevalidator } from "@remix-run/react";
import { type FormEvent, useRef, useState } from "react";
import { isReachable } from "~/components/form/use-fresh-data";

const unreachable =
  "Fivefold could not be reached, and your rating may not have arrived. Please try again.";
const counted = "Your rating has counted. The next screen cannot be read right now: please reload.";
/** How long the server may take, in milliseconds. */
const timeoutMs = 15_000;

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
  const { revalidate } = useRevalidator();

  async function post(form: HTMLFormElement, rated: string) {
    const body = new URLSearchParams({ score: String(new FormData(form).get("score")) });
    const headers = { Accept: "application/json" };
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(form.action, { method: "POST", headers, body, signal });
      if (response.ok) {
        // Asked first, because a read that fails would put an error page in the screen's place.
        if (!(await isReachable())) return counted;
        navigate(`/?rated=${encodeURIComponent(rated)}`, { replace: true });
        return null;
      }
      // Rated before, from another tab or by an answer that was lost: the screen must show it.
      if (response.status === 409) revalidate();
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
