import { type FormEvent, useEffect, useRef, useState } from "react";
import { postForm, unreachable } from "~/components/form/post-form";
import { Notice } from "~/components/notice";
import { songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/domain/carousel/view";

/** How long 'Added!' stays (spec section 9, "Favorites message"), in milliseconds. */
const addedMs = 3000;

/**
 * 'Add to my favorites': after a click 'Added!' for 3 seconds, then nothing (spec section 4,
 * "Favorites button"). A plain form, which a script sends in the background. Shows nothing for a
 * song that is among the favorites already.
 */
export function FavoriteButton({
  song,
  justAdded,
}: {
  song: CarouselSong;
  /** The plain form has just added this song; 'Added!' is shown. */
  justAdded: boolean;
}) {
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
    postForm(form.action).then((answer) => {
      // The button disappears; keyboard users go on from the message that takes its place.
      if (answer.ok && form.contains(document.activeElement)) status.current?.focus();
      setError(answer.ok ? null : (answer.error ?? unreachable));
      setStage(answer.ok ? "added" : "offered");
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
            <span className="visually-hidden">: {songName(song)}</span>
          </button>
        </form>
      ) : null}
      {/* In the page before its text, so that screen readers announce it, and after it, for the focus. */}
      {stage === "offered" ? null : (
        <p ref={status} role="status" tabIndex={-1}>
          {stage === "added" ? "Added!" : ""}
        </p>
      )}
      {error ? <Notice tone="error">{error}</Notice> : null}
    </div>
  );
}
