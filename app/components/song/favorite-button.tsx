import { useEffect, useRef, useState } from "react";
import { useSend } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import type { Track } from "~/sources/song";
import { songName } from "./song-title";

const addedMs = 3000;

/**
 * The songs that are in the viewer's library at Spotify; undefined until fetched, null if Spotify does not
 * tell.
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

export function FavoriteButton({
  song,
  saved = song.favorited,
  justAdded = false,
  next,
}: {
  song: Pick<Track, "artists" | "title"> & { songId: string; favorited: boolean };
  /** Undefined while only clicks on this page are known. */
  saved: boolean | undefined;
  justAdded?: boolean;
  next?: string;
}) {
  const [justChanged, setJustChanged] = useState(justAdded);
  /** The choice on this page is newer than Spotify's answer. */
  const [chosen, setChosen] = useState<boolean>();
  const status = useRef<HTMLParagraphElement>(null);
  const isSaved = chosen ?? saved;
  const { busy, error, onSubmit } = useSend((_answer, form) => {
    // The button disappears, so the focus moves to the message that replaces it.
    if (form.contains(document.activeElement)) status.current?.focus();
    setJustChanged(true);
    setChosen(!isSaved);
    return undefined;
  });
  useEffect(() => {
    if (!justChanged) return;
    const timer = window.setTimeout(() => setJustChanged(false), addedMs);
    return () => window.clearTimeout(timer);
  }, [justChanged]);

  return (
    <div className="favorite">
      {justChanged ? null : (
        <form
          method="post"
          action={`/songs/${song.songId}/${isSaved ? "un" : ""}favorite`}
          onSubmit={onSubmit}
        >
          {isSaved ? <span>In my favorites </span> : null}
          {/* Not `disabled`, which would lose the focus. */}
          <button type="submit" aria-disabled={busy || undefined}>
            <span>{isSaved ? "Remove" : busy ? "Adding..." : "Add to my favorites"}</span>
            <span className="visually-hidden">{`: ${songName(song)}`}</span>
          </button>
          {next ? <input type="hidden" name="next" value={next} /> : null}
        </form>
      )}
      {/* Present before its text, so that screen readers announce it, and after it, to hold the focus. */}
      <p ref={status} role="status" tabIndex={-1}>
        {justChanged ? (isSaved ? "Added!" : "Removed.") : ""}
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </div>
  );
}

/** In the place of the way into a playlist. */
export function InPlaylist({ name }: { name: string }) {
  return (
    <p className="quiet">
      <span>In </span>
      <bdi>{name}</bdi>
    </p>
  );
}
