import { Link } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { ButtonForm } from "~/components/form/button-form";
import { useSavedChoice } from "~/components/form/use-saved-choice";
import { Notice } from "~/components/notice";
import { Cover } from "~/components/song/cover";
import { Release } from "~/components/song/release";
import type { JustRated } from "~/exchange/carousel/view";
import { aspects, maxReasons, type Reasons } from "~/exchange/rating/reasons";
import { playlistScore, ratingLabel, ratingScale } from "~/exchange/rating/scale";
import { playlistPath } from "~/library/finds";

const questions = [
  { name: "liked", text: "What did you like?", note: null },
  { name: "improve", text: "What could be better?", note: "Optional, anonymous" },
] as const;

/** Key in the browser's storage, set once the user has closed the sheet. */
const storageKey = "reasons";

/**
 * Offers after a rating: to change it for a minute, to give reasons, and after "Added to my playlist!" to add
 * the song to a playlist. A sheet over the place where the next song's rating will open, so that nothing
 * moves when it appears and disappears, which is when the next song starts. Once closed by the user it comes
 * closed from then on, and so it does on a low screen.
 */
export function AfterRating({
  rating,
  hasPlaylists,
}: {
  rating: JustRated;
  hasPlaylists: boolean;
}) {
  const { songId, score, reasons } = rating;
  return (
    <details
      className="after-rating"
      open
      ref={foldUp}
      onToggle={({ currentTarget }) => remember(currentTarget)}
    >
      <summary>
        <Cover track={rating} />
        <span>
          <span>{`Why "${ratingLabel(score)}"?`}</span>
          <bdi className="quiet">{rating.title}</bdi>
        </span>
      </summary>
      <ChangeRating rating={rating} />
      {reasons ? <ReasonsForm songId={songId} reasons={reasons} /> : null}
      <Release song={rating} next={`/?rated=${encodeURIComponent(songId)}`} />
      {hasPlaylists && rating.spotifyUrl !== null && score === playlistScore ? (
        <Link className="button plain small" to={playlistPath(songId)}>
          Put it into a playlist
        </Link>
      ) : null}
    </details>
  );
}

function foldUp(sheet: HTMLDetailsElement | null): void {
  if (sheet && (isLow() || localStorage.getItem(storageKey))) sheet.open = false;
}

function remember({ open }: HTMLDetailsElement): void {
  if (isLow()) return;
  if (open) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, "folded");
}

/** Checks for a screen so low, such as a phone in landscape, that the sheet would cover PLAY SONG. */
function isLow(): boolean {
  return window.matchMedia("(max-height: 29.99rem)").matches;
}

function ChangeRating({ rating }: { rating: JustRated }) {
  const { songId, score, changeableMs } = rating;
  const [isFinal, setFinal] = useState(changeableMs === 0);
  useEffect(() => {
    const timer = window.setTimeout(() => setFinal(true), changeableMs);
    return () => window.clearTimeout(timer);
  }, [changeableMs]);
  if (isFinal) return null;
  const others = ratingScale.filter((one) => one.score !== score);
  const id = encodeURIComponent(songId);
  return (
    // Closes again after a change.
    <details className="change-rating" key={score}>
      <summary className="link-button">Change</summary>
      {others.map((other) => (
        <ButtonForm
          key={other.score}
          action={`/songs/${id}/rating`}
          fields={{ score: String(other.score) }}
          to={`/?rated=${id}`}
          small
        >
          {other.label}
        </ButtonForm>
      ))}
    </details>
  );
}

function choiceOf(reasons: Reasons): string {
  const named = questions.flatMap(({ name }) => reasons[name].map((aspect) => [name, aspect]));
  return new URLSearchParams(named).toString();
}

function ReasonsForm({ songId, reasons }: { songId: string; reasons: Reasons }) {
  const action = `/songs/${encodeURIComponent(songId)}/reasons`;
  const { value, status, error, choose } = useSavedChoice(choiceOf(reasons), action, (choice) => [
    ...new URLSearchParams(choice),
  ]);
  const form = useRef<HTMLFormElement>(null);
  const read = () => {
    const data = form.current ? new FormData(form.current) : new FormData();
    return choiceOf({ liked: data.getAll("liked"), improve: data.getAll("improve") } as Reasons);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the script has arrived
  useEffect(() => {
    // A choice from before the script arrived has not been saved yet.
    if (read() !== value) choose(read());
  }, []);
  // Older browsers' parameters tell neither their number nor whether they have a value.
  const chosen = [...new URLSearchParams(value)];
  const has = (name: string, aspect: string) =>
    chosen.some(([question, one]) => question === name && one === aspect);
  return (
    <form
      ref={form}
      className="reasons"
      method="post"
      action={action}
      aria-label="Reasons for your rating"
      onSubmit={(event) => event.preventDefault()}
    >
      {questions.map(({ name, text, note }) => (
        <fieldset key={name}>
          <legend>
            <span>{text}</span> <small className="quiet">{note}</small>
          </legend>
          {aspects.map((aspect) => {
            const isOther = questions.some(
              (other) => other.name !== name && has(other.name, aspect),
            );
            const isChosen = has(name, aspect);
            return (
              <label key={aspect}>
                <input
                  type="checkbox"
                  autoComplete="off"
                  name={name}
                  value={aspect}
                  checked={isChosen}
                  disabled={isOther || (!isChosen && chosen.length >= maxReasons)}
                  onChange={() => choose(read())}
                />
                <span>{aspect}</span>
              </label>
            );
          })}
        </fieldset>
      ))}
      <noscript>
        <button className="button plain small" type="submit">
          Send
        </button>
      </noscript>
      <p className="quiet" role="status">
        {status && chosen.length >= maxReasons
          ? `${status} That's three.`
          : status || (chosen.length > 0 ? thanks : "Pick up to three.")}
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}

const thanks = "Thank you for saying why.";
