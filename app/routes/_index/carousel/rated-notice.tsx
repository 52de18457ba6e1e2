import { type ReactNode, useEffect, useRef, useState } from "react";
import { useUntouched } from "~/components/form/use-untouched";
import { Notice } from "~/components/notice";

/**
 * The outcome of a rating or a pass, shown until the next song starts. Takes the focus from the form that is
 * gone; the next song follows right after it. Each outcome is rendered anew.
 */
export function RatedNotice({
  tone = "ok",
  reached = false,
  children,
  playerSongId,
}: {
  tone?: "ok" | "error";
  /** True if this rating earned the next submission: the goal fills once more (carousel.css). */
  reached?: boolean;
  children: ReactNode;
  /** The player's song, or null: at first the rated one. */
  playerSongId: string | null;
}) {
  const notice = useRef<HTMLDivElement>(null);
  const untouched = useUntouched();
  const [firstSongId] = useState(playerSongId);
  useEffect(() => notice.current?.focus(), []);
  if (playerSongId !== null && playerSongId !== firstSongId) return null;
  return (
    <div
      className={`rated-notice${reached && untouched ? " reached" : ""}`}
      ref={notice}
      tabIndex={-1}
    >
      <Notice tone={tone}>{children}</Notice>
    </div>
  );
}
