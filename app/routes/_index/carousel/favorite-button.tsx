import { type FormEvent, useEffect, useRef, useState } from "react";
import { postForm, unreachable } from "~/components/form/post-form";
import { Notice } from "~/components/notice";
import { songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/domain/carousel/view";

/** How long 'Added!' stays, in milliseconds. */
const saidMs = 3000;

/**
 * Which songs of the package are in the viewer's library at Spotify, asked once the songs are shown;
 * undefined until then, and null if Spotify does not tell.
 */
export function useSaved(songs: CarouselSong[]): string[] | null | undefined {
  const [saved, setSaved] = useState<string[] | null>();
  const ids = songs.map(({ songId }) => songId).join();
  useEffect(() => {
    if (ids) {
      fetch("/favorites")
        .then((answer) => answer.json() as Promise<{ saved: string[] | null }>)
        .then((answer) => setSaved(answer.saved))
        .catch(() => {});
    }
  }, [ids]);
  return saved;
}

/**
 * 'Add to my favorites': after a click 'Added!' for 3 seconds, then a filled heart, and the way to take
 * it back, which works alike. A plain form, which a script sends in the background.
 */
export function FavoriteButton({
  song,
  saved = song.favorited,
  justAdded,
}: {
  song: CarouselSong;
  /** Whether it is in the viewer's library; undefined if only what was done here is known. */
  saved: boolean | undefined;
  /** The plain form has just added this song; 'Added!' is shown. */
  justAdded: boolean;
}) {
  const [stage, setStage] = useState<"sending" | "done" | null>(justAdded ? "done" : null);
  /** What was done here, which is newer than what Spotify has told. */
  const [chosen, setChosen] = useState<boolean>();
  const [error, setError] = useState<string | null>(null);
  const status = useRef<HTMLParagraphElement>(null);
  const isSaved = chosen ?? saved;
  useEffect(() => {
    if (stage !== "done") return;
    const timer = window.setTimeout(() => setStage(null), saidMs);
    return () => window.clearTimeout(timer);
  }, [stage]);

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (stage) return;
    const form = event.currentTarget;
    setStage("sending");
    setError(null);
    postForm(form.action).then((answer) => {
      // The button disappears; keyboard users go on from the message that takes its place.
      if (answer.ok && form.contains(document.activeElement)) status.current?.focus();
      setError(answer.ok ? null : (answer.error ?? unreachable));
      setStage(answer.ok ? "done" : null);
      if (answer.ok) setChosen(!isSaved);
    });
  }

  return (
    <div className="favorite">
      {stage === "done" ? null : (
        <form
          method="post"
          action={`/songs/${song.songId}/${isSaved ? "un" : ""}favorite`}
          onSubmit={send}
        >
          {isSaved ? <span>In my favorites </span> : null}
          {/* Not `disabled`, which would take the focus away. */}
          <button type="submit" aria-disabled={stage ? true : undefined}>
            {isSaved ? "Remove" : stage ? "Adding..." : "Add to my favorites"}
            <span className="visually-hidden">: {songName(song)}</span>
          </button>
        </form>
      )}
      {/* In the page before its text, so that screen readers announce it, and after it, for the focus. */}
      <p ref={status} role="status" tabIndex={-1}>
        {stage === "done" ? (isSaved ? "Added!" : "Removed.") : ""}
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </div>
  );
}
