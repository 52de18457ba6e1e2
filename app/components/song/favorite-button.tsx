import { useEffect, useRef, useState } from "react";
import type { Track } from "~/adapters/spotify/track";
import { useSend } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { songName } from "./song-title";

/** How long 'Added!' stays, in milliseconds. */
const saidMs = 3000;

/**
 * Which songs of a screen are in the viewer's library at Spotify, asked once they are shown; null if
 * Spotify does not tell.
 * @param known what the screen came with; by default nothing, so that it is undefined until Spotify tells.
 */
export function useSaved(
  songs: { songId: string }[],
  known?: string[] | null,
): string[] | null | undefined {
  const [saved, setSaved] = useState(known);
  const ids = songs.map(({ songId }) => songId).join();
  useEffect(() => {
    if (ids) {
      fetch(`/favorites?songs=${ids}`)
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
  justAdded = false,
  next,
}: {
  song: Pick<Track, "artists" | "title"> & { songId: string; favorited: boolean };
  /** Whether it is in the viewer's library; undefined if only what was done here is known. */
  saved: boolean | undefined;
  /** The plain form has just added this song; 'Added!' is shown. */
  justAdded?: boolean;
  /** The path of the screen that the plain form leads back to, if that is not the carousel. */
  next?: string;
}) {
  /** A press of a moment ago has done what it says. */
  const [isDone, setDone] = useState(justAdded);
  /** What was done here, which is newer than what Spotify has told. */
  const [chosen, setChosen] = useState<boolean>();
  const status = useRef<HTMLParagraphElement>(null);
  const isSaved = chosen ?? saved;
  const { busy, error, onSubmit } = useSend((_answer, form) => {
    // The button disappears; keyboard users go on from the message that takes its place.
    if (form.contains(document.activeElement)) status.current?.focus();
    setDone(true);
    setChosen(!isSaved);
    return undefined;
  });
  useEffect(() => {
    if (!isDone) return;
    const timer = window.setTimeout(() => setDone(false), saidMs);
    return () => window.clearTimeout(timer);
  }, [isDone]);

  return (
    <div className="favorite">
      {isDone ? null : (
        <form
          method="post"
          action={`/songs/${song.songId}/${isSaved ? "un" : ""}favorite`}
          onSubmit={onSubmit}
        >
          {isSaved ? <span>In my favorites </span> : null}
          {/* Not `disabled`, which would take the focus away. */}
          <button type="submit" aria-disabled={busy || undefined}>
            {isSaved ? "Remove" : busy ? "Adding..." : "Add to my favorites"}
            <span className="visually-hidden">: {songName(song)}</span>
          </button>
          {next ? <input type="hidden" name="next" value={next} /> : null}
        </form>
      )}
      {/* In the page before its text, so that screen readers announce it, and after it, for the focus. */}
      <p ref={status} role="status" tabIndex={-1}>
        {isDone ? (isSaved ? "Added!" : "Removed.") : ""}
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </div>
  );
}
