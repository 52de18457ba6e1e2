import { type FormEvent, useEffect, useRef, useState } from "react";
import { Notice } from "~/components/notice";
import { songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/domain/carousel/view";

/** How long 'Added!' stays (spec section 9, "Favorites message"), in milliseconds. */
const addedMs = 3000;
const unreachable = "Fivefold could not be reached. Please try again.";
/** How long the server may take, in milliseconds. */
const timeoutMs = 15_000;

/**
 * 'Add to my favorites': then 'Added!' for 3 seconds, then nothing (spec section 4, "Favorites
 * button"). A plain form, sent in the background where there is a script. For a song added before
 * there is nothing, but for the word of it where that was done just now.
 */
export function FavoriteButton({ song, justAdded }: { song: CarouselSong; justAdded: boolean }) {
  const initial = justAdded ? "added" : "offered";
  const [stage, setStage] = useState<"offered" | "sending" | "added" | "gone">(initial);
  const [error, setError] = useState<string | null>(null);
  const status = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (stage !== "added") return;
    const timer = window.setTimeout(() => setStage("gone"), addedMs);
    return () => window.clearTimeout(timer);
  }, [stage]);

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (stage === "sending") return;
    const form = event.currentTarget;
    setStage("sending");
    setError(null);
    post(form.action).then((fault) => {
      // The button is about to go. Who stands on it goes on from the same place.
      if (!fault && form.contains(document.activeElement)) status.current?.focus();
      setError(fault);
      setStage(fault ? "offered" : "added");
    });
  }

  if (stage === "offered" && song.favorited) return null;
  const sending = stage === "sending";
  return (
    <div className="favorite">
      {stage === "offered" || sending ? (
        <form method="post" action={`/songs/${song.songId}/favorite`} onSubmit={send}>
          {/* Not `disabled`, which would take the focus away. */}
          <button type="submit" aria-disabled={sending || undefined}>
            {sending ? "Adding..." : "Add to my favorites"}
            <span className="unseen">: {songName(song)}</span>
          </button>
        </form>
      ) : null}
      {/* There before its text, so that the text is read aloud, and after it for who stands on it. */}
      {stage === "offered" ? null : (
        <p ref={status} role="status" tabIndex={-1}>
          {stage === "added" ? "Added!" : ""}
        </p>
      )}
      {error ? <Notice tone="error">{error}</Notice> : null}
    </div>
  );
}

/** Why it could not be added, or null. */
async function post(action: string): Promise<string | null> {
  try {
    const headers = { Accept: "application/json" };
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(action, { method: "POST", headers, signal });
    if (response.ok) return null;
    const answer = (await response.json()) as { error?: string };
    return answer.error ?? unreachable;
  } catch {
    return unreachable;
  }
}
