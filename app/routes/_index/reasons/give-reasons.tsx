import { Link } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { playlistPath } from "~/domain/playlist/finds";
import { ratingScale } from "~/domain/rating/scale";
import { aspects, maxReasons } from "~/domain/reasons/reasons";

const questions = [
  { name: "liked", text: "What did you like?" },
  { name: "improve", text: "What could be better?" },
] as const;

/**
 * What can follow a rating: to say why one rated a song so (design section 10), three aspects at most,
 * once; and after "Added to my playlist!" to put it into one (design section 11). Under the heading for
 * as long as that says that the rating counted, which is until the next song starts.
 */
export function GiveReasons({
  songId,
  score,
  reasons,
}: {
  songId: string;
  score: number;
  reasons: string | null;
}) {
  const [wasOpen] = useState(reasons === "open");
  const intoPlaylist =
    score === ratingScale.length ? (
      <p>
        <Link className="button plain" to={playlistPath(songId)}>
          Put it into a playlist
        </Link>
      </p>
    ) : null;
  return (
    <div className="after-rating">
      {intoPlaylist}
      {reasons === "open" ? <ReasonsForm songId={songId} /> : <Thanks takesFocus={wasOpen} />}
    </div>
  );
}

function ReasonsForm({ songId }: { songId: string }) {
  const id = encodeURIComponent(songId);
  const { busy, error, onSubmit } = usePost(() => `/?rated=${id}`);
  const [chosen, setChosen] = useState<[side: string, aspect: unknown][]>([]);
  return (
    <form
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
      <p className="quiet">
        <button className="button plain small" type="submit" aria-disabled={busy || undefined}>
          Send
        </button>
        If you like: three at most. Nobody learns that it was you.
      </p>
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
