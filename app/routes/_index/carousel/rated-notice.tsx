import { useEffect, useRef } from "react";
import { Notice } from "~/components/notice";
import { ratingLabel, type Score } from "~/domain/rating/scale";

/**
 * Says that a rating was counted. Takes the focus, which was on the rating form that is gone now;
 * the next song follows right after it.
 */
export function RatedNotice({ songId, score }: { songId: string; score: Score }) {
  const notice = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each song
  useEffect(() => {
    notice.current?.focus();
  }, [songId]);
  return (
    <div className="rated-notice" ref={notice} tabIndex={-1}>
      <Notice tone="ok">Song successfully rated with: {ratingLabel(score)}</Notice>
    </div>
  );
}
