import { Link } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { playlistPath } from "~/domain/playlist/finds";
import { ratingScale, type Score } from "~/domain/rating/scale";
import { aspects, maxReasons } from "~/domain/reasons/reasons";

const questions = [
  { name: "liked", text: "What did you like?" },
  { name: "improve", text: "What could be better?" },
] as const;

/** Where the browser keeps that the question is not to open by itself. */
const storedAs = "reasons";

/**
 * What can follow a rating: to say why one rated a song so, three aspects at most, once; and after "Added
 * to my playlist!" to put it into one. A sheet over the place where the next song's rating will open, so
 * that nothing moves when it comes and when it goes: it stays for as long as the heading says that the
 * rating counted, which is until the next song starts. Whoever folds it up finds it folded up from then
 * on; on a low screen it comes folded up.
 */
export function GiveReasons({
  songId,
  score,
  reasons,
}: {
  songId: string;
  score: Score;
  reasons: string | null;
}) {
  const [wasOpen] = useState(reasons === "open");
  const intoPlaylist =
    score === ratingScale.length ? (
      <Link className="button plain small" to={playlistPath(songId)}>
        Put it into a playlist
      </Link>
    ) : null;
  if (reasons !== "open") {
    return (
      <div className="after-rating">
        <Thanks takesFocus={wasOpen} />
        {intoPlaylist}
      </div>
    );
  }
  return (
    <details
      className="after-rating"
      open
      ref={foldUp}
      onToggle={({ currentTarget }) => remember(currentTarget)}
    >
      <summary>
        Why this rating?
        <span className="quiet">If you like: up to three, no names</span>
      </summary>
      <ReasonsForm songId={songId} />
      {intoPlaylist}
    </details>
  );
}

function foldUp(sheet: HTMLDetailsElement | null): void {
  if (sheet && (isLow() || localStorage.getItem(storedAs))) sheet.open = false;
}

function remember({ open }: HTMLDetailsElement): void {
  if (isLow()) return;
  if (open) localStorage.removeItem(storedAs);
  else localStorage.setItem(storedAs, "folded");
}

/** Whether the screen is so low, as a phone's that lies on its side, that the sheet would cover PLAY SONG. */
function isLow(): boolean {
  return window.matchMedia("(height < 30rem)").matches;
}

function ReasonsForm({ songId }: { songId: string }) {
  const id = encodeURIComponent(songId);
  const { busy, error, onSubmit } = usePost(() => `/?rated=${id}`);
  const [chosen, setChosen] = useState<[side: string, aspect: unknown][]>([]);
  const form = useRef<HTMLFormElement>(null);
  // What was chosen before the script took over.
  useEffect(() => {
    if (form.current) setChosen([...new FormData(form.current)]);
  }, []);
  return (
    <form
      ref={form}
      className="reasons"
      method="post"
      action={`/songs/${id}/reasons`}
      aria-label="Reasons for your rating"
      onSubmit={onSubmit}
      onChange={({ currentTarget }) => setChosen([...new FormData(currentTarget)])}
    >
      {questions.map(({ name, text }) => (
        <fieldset key={name}>
          <legend>{text}</legend>
          {aspects.map((aspect) => {
            const side = chosen.find(([, one]) => one === aspect)?.[0];
            return (
              <label key={aspect}>
                <input
                  type="checkbox"
                  name={name}
                  value={aspect}
                  disabled={side ? side !== name : chosen.length >= maxReasons}
                />
                {aspect}
              </label>
            );
          })}
        </fieldset>
      ))}
      <button className="button plain small" type="submit" aria-disabled={busy || undefined}>
        Send
      </button>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}

/** Takes the focus of the form that it follows. */
function Thanks({ takesFocus }: { takesFocus: boolean }) {
  const thanks = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (takesFocus) thanks.current?.focus();
  }, [takesFocus]);
  return (
    <p className="quiet" role="status" ref={thanks} tabIndex={-1}>
      Thank you for saying why. It helps to make the next song better.
    </p>
  );
}
