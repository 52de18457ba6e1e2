import { type ReactNode, useEffect, useRef, useState } from "react";
import { useUntouched } from "~/components/form/use-untouched";
import { Notice } from "~/components/notice";

/**
 * Says what has become of a rating or a pass, until the next song is started. Takes the focus, which was on
 * the form that is gone now; the next song follows right after it. Rendered anew for each of them.
 */
export function RatedNotice({
  tone = "ok",
  reached = false,
  children,
  playerSongId,
}: {
  tone?: "ok" | "error";
  /** With this rating the viewer may submit a song: the goal fills once more (carousel.css). */
  reached?: boolean;
  children: ReactNode;
  /** The player's song: at first the rated one, another one that plays, or none. */
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
