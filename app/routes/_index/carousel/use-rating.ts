import { useNavigate, useNavigation, useRevalidator } from "@remix-run/react";
import { type FormEvent, useRef, useState } from "react";
import { postForm } from "~/components/form/post-form";
import { isReachable } from "~/components/form/use-fresh-data";

const unreachable =
  "Fivefold could not be reached, and your rating may not have arrived. Please try again.";
const notReloaded =
  "Your rating has been counted. The next screen cannot be loaded right now: please reload.";

/** A rating that is being sent. */
export interface RatingInFlight {
  /** The song whose rating is being sent, or whose next screen is being loaded; else null. */
  songId: string | null;
  /** Why the last rating was not accepted, or null. */
  error: string | null;
  /** Sends a rating form without leaving the page. */
  send(event: FormEvent<HTMLFormElement>, songId: string): void;
}

/**
 * Sends ratings in the background, so that the music goes on and a network failure costs no more
 * than a message. One at a time, however often the button is pressed.
 */
export function useRating(): RatingInFlight {
  const [error, setError] = useState<string | null>(null);
  const [songId, setSongId] = useState<string | null>(null);
  const busy = useRef(false);
  const navigate = useNavigate();
  const navigation = useNavigation();
  const { revalidate } = useRevalidator();

  /** @returns what went wrong, or null. */
  async function rate(form: HTMLFormElement, rated: string): Promise<string | null> {
    const score = String(new FormData(form).get("score"));
    const answer = await postForm(form.action, { score });
    if (answer.ok) {
      // Checked first, because a failed reload would replace the screen with an error page.
      if (!(await isReachable())) return notReloaded;
      navigate(`/?rated=${encodeURIComponent(rated)}`, { replace: true });
      return null;
    }
    // Rated already, in another tab or by a request whose answer was lost: show that.
    if (answer.status === 409) revalidate();
    return answer.error ?? unreachable;
  }

  function send(event: FormEvent<HTMLFormElement>, rated: string) {
    event.preventDefault();
    if (busy.current) return;
    busy.current = true;
    setSongId(rated);
    setError(null);
    rate(event.currentTarget, rated).then((failure) => {
      busy.current = false;
      setError(failure);
      if (failure) setSongId(null);
    });
  }

  const loading = navigation.state === "loading";
  return { songId: busy.current || loading ? songId : null, error, send };
}
