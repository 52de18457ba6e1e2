import { useNavigate, useNavigation, useRevalidator } from "@remix-run/react";
import { useRef, useState } from "react";
import { postForm, tellOtherTabs } from "~/components/form/post-form";
import { isReachable } from "~/components/form/use-fresh-data";
import { useShown } from "~/components/form/use-post";

const unsent =
  "Fivefold could not be reached, and your rating may not have arrived. We will keep trying to send it.";

/** Waits before each retry, in milliseconds; the last one repeats. */
const retryWaitsMs = [2_000, 5_000, 10_000, 20_000, 30_000];

interface OpenRating {
  songId: string;
  action: string;
  score: string;
  sending: boolean;
  /** True once the server has counted it, and only the next screen has to be loaded. */
  counted: boolean;
  /** True once another choice for the same song has replaced it. */
  replaced: boolean;
}

interface RatingInFlight {
  /** The song whose rating is being sent, or whose next screen is being loaded; else null. */
  songId: string | null;
  failure: { songId: string; text: string } | null;
  /** True if the last rating was counted, but the next screen could not be loaded. */
  stuck: boolean;
  send(form: HTMLFormElement, songId: string): void;
}

/**
 * Sends ratings in the background, so that the music goes on and a network failure only shows a message. One
 * at a time, however often one is chosen. A rating that does not arrive is sent again until it does, even
 * after the user has moved on to another song or screen; the server counts it once.
 */
export function useRating(): RatingInFlight {
  const [songId, setSongId] = useState<string | null>(null);
  const [failure, setFailure] = useState<RatingInFlight["failure"]>(null);
  const [stuck, setStuck] = useState(false);
  const latest = useRef<OpenRating | null>(null);
  const shown = useShown();
  const navigate = useNavigate();
  const navigation = useNavigation();
  const { revalidate } = useRevalidator();

  async function post(rating: OpenRating, tries: number): Promise<number | null> {
    const { songId: rated, action, score } = rating;
    const wait = retryWaitsMs[Math.min(tries, retryWaitsMs.length - 1)] ?? 0;
    if (!rating.counted) {
      const { ok, status, error, data } = await postForm(action, { score });
      const waitLeft = Number(data.secondsLeft) * 1000;
      if (!ok) setFailure({ songId: rated, text: error ?? unsent });
      if (!status || status === 429 || status >= 500 || waitLeft)
        return Math.max(wait, waitLeft || 0);
      // Counted before, by a request whose answer was lost or by another tab.
      rating.counted = ok || (status === 409 && tries > 0);
      // If the login has ended, the screen then says so.
      if (!rating.counted && (status === 409 || status === 401) && shown.current) revalidate();
      if (!rating.counted) return null;
      setFailure(null);
      tellOtherTabs();
    }
    if (!shown.current) return null;
    if (latest.current !== rating) {
      revalidate();
      return null;
    }
    // Checked first, because a failed reload would show an error page instead.
    const reachable = await isReachable();
    setStuck(!reachable);
    if (!reachable) return wait;
    if (shown.current) navigate(`/?rated=${encodeURIComponent(rated)}`, { replace: true });
    return null;
  }

  async function deliver(rating: OpenRating): Promise<void> {
    for (let tries = 0; !rating.replaced; tries += 1) {
      if (latest.current === rating) setSongId(rating.songId);
      rating.sending = true;
      const wait = await post(rating, tries);
      rating.sending = false;
      if (wait === null) return;
      await timeOrNetwork(wait);
    }
  }

  function send(form: HTMLFormElement, rated: string) {
    const last = latest.current;
    if (last?.sending || (last?.songId === rated && last.counted)) return;
    if (last?.songId === rated) last.replaced = true;
    const score = String(new FormData(form).get("score"));
    const flags = { sending: false, counted: false, replaced: false };
    latest.current = { songId: rated, action: form.action, score, ...flags };
    setFailure(null);
    void deliver(latest.current);
  }

  const loading = navigation.state === "loading";
  const isOpen = latest.current?.sending || stuck || loading;
  return { songId: isOpen ? songId : null, failure, stuck, send };
}

function timeOrNetwork(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, ms);
    window.addEventListener(
      "online",
      () => {
        window.clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
