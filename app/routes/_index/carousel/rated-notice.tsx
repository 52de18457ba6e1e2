import { useEffect, useRef, useState } from "react";
import { Notice } from "~/components/notice";
import { ratingLabel, type Score } from "~/domain/rating/scale";

/**
 * Says that a rating was counted, until the next song is started. Takes the focus, which was on the
 * rating form that is gone now; the next song follows right after it. Rendered anew for each rating.
 */
export function RatedNotice({
  score,
  playerSongId,
}: {
  score: Score;
  /** The player's song: at first the rated one, another one that plays, or none. */
  playerSongId: string | null;
}) {
  const notice = useRef<HTMLDivElement>(null);
  const [firstSongId] = useState(playerSongId);
  useEffect(() => notice.current?.focus(), []);
  if (playerSongId !== null && playerSongId !== firstSongId) return null;
  return (
    <div className="rated-notice" ref={notice} tabIndex={-1}>
      <Notice tone="ok">Song successfully rated with: {ratingLabel(score)}</Notice>
    </div>
  );
}
