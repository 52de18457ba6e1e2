import { useNavigate, useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { postForm } from "~/components/form/post-form";
import { isReachable } from "~/components/form/use-fresh-data";

const unsent =
  "Fivefold could not be reached, and your rating may not have arrived. We will send it again by ourselves.";

/** How long to wait before a rating is sent again, in milliseconds; from the last one on, always that. */
const waitsMs = [2_000, 5_000, 10_000, 20_000, 30_000];

/** A rating that is not over yet. */
interface OpenRating {
  songId: string;
  action: string;
  score: string;
  /** How often it has been sent. */
  tries: number;
  /** The server has counted it; what is left is to load the next screen. */
  counted: boolean;
}

export interface RatingInFlight {
  /** The song whose rating is being sent, or whose next screen is being loaded; else null. */
  songId: string | null;
  /** Why the last rating was not accepted or has not arrived, and of which song; else null. */
  failure: { songId: string; text: string } | null;
  /** The last rating has been counted, but the next screen could not be loaded. */
  stuck: boolean;
  /** Sends a rating form without leaving the page. */
  send(form: HTMLFormElement, songId: string): void;
}

/**
 * Sends ratings in the background, so that the music goes on and a network failure costs no more
 * than a message. One at a time, however often one is chosen. A rating that does not arrive is sent
 * again until it does, also while another screen is shown; the server counts it once.
 */
export function useRating(): RatingInFlight {
  const [songId, setSongId] = useState<string | null>(null);
  const [failure, setFailure] = useState<RatingInFlight["failure"]>(null);
  const [stuck, setStuck] = useState(false);
  const open = useRef<OpenRating | null>(null);
  const busy = useRef(false);
  const shown = useRef(true);
  const timer = useRef(0);
  const navigate = useNavigate();
  const navigation = useNavigation();
  const { revalidate } = useRevalidator();

  /** @returns the text of an answer that ends it, or null if it has to be tried again. */
  async function post(rating: OpenRating): Promise<string | null> {
    rating.tries += 1;
    if (!rating.counted) {
      const answer = await postForm(rating.action, { score: rating.score });
      const { status } = answer;
      if (!status || status === 429 || status >= 500) {
        setFailure({ songId: rating.songId, text: answer.error ?? unsent });
        return null;
      }
      if (!answer.ok) {
        // Counted already, from another tab or by a request whose answer was lost: show that.
        if (status === 409 && rating.tries === 1) revalidate();
        else if (status === 409) showRated(rating);
        return answer.error ?? unsent;
      }
      rating.counted = true;
      setFailure(null);
    }
    // Checked first, because a failed reload would replace the screen with an error page.
    const reachable = await isReachable();
    setStuck(!reachable);
    if (!reachable) return null;
    showRated(rating);
    return "";
  }

  function showRated({ songId: rated }: OpenRating): void {
    if (shown.current) navigate(`/?rated=${encodeURIComponent(rated)}`, { replace: true });
  }

  const attempt = useRef(() => {});
  attempt.current = async () => {
    const rating = open.current;
    if (!rating || busy.current) return;
    window.clearTimeout(timer.current);
    busy.current = true;
    setSongId(rating.songId);
    const ending = await post(rating);
    busy.current = false;
    if (ending === null) {
      const wait = waitsMs[Math.min(rating.tries, waitsMs.length) - 1];
      timer.current = window.setTimeout(() => attempt.current(), wait);
    } else {
      open.current = null;
      if (ending) setFailure({ songId: rating.songId, text: ending });
    }
    // While the next screen is still to come, the rating stays on its way.
    if (ending !== "" && !rating.counted) setSongId(null);
  };
  useEffect(() => {
    shown.current = true;
    const again = () => attempt.current();
    window.addEventListener("online", again);
    return () => {
      shown.current = false;
      window.removeEventListener("online", again);
    };
  }, []);

  function send(form: HTMLFormElement, rated: string) {
    if (busy.current || open.current?.counted) return;
    const score = String(new FormData(form).get("score"));
    open.current = { songId: rated, action: form.action, score, tries: 0, counted: false };
    setFailure(null);
    attempt.current();
  }

  const loading = navigation.state === "loading";
  return { songId: busy.current || stuck || loading ? songId : null, failure, stuck, send };
}
