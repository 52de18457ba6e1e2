import { type ReactNode, useEffect, useRef, useState } from "react";
import { Notice } from "~/components/notice";

/**
 * Says what has become of a rating or a pass, until the next song is started. Takes the focus, which was on
 * the form that is gone now; the next song follows right after it. Rendered anew for each of them.
 */
export function RatedNotice({
  tone = "ok",
  children,
  playerSongId,
}: {
  tone?: "ok" | "error";
  children: ReactNode;
  /** The player's song: at first the rated one, another one that plays, or none. */
  playerSongId: string | null;
}) {
  const notice = useRef<HTMLDivElement>(null);
  const [firstSongId] = useState(playerSongId);
  useEffect(() => notice.current?.focus(), []);
  if (playerSongId !== null && playerSongId !== firstSongId) return null;
  return (
    <div className="rated-notice" ref={notice} tabIndex={-1}>
      <Notice tone={tone}>{children}</Notice>
    </div>
  );
}
