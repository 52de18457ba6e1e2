import type { ListenView } from "~/domain/views";
import { Notice } from "~/ui/notice";
import { counted } from "~/ui/plural";

/** Whole seconds from `now` until `unlocksAt` (both epoch milliseconds), never below 0. */
export function secondsUntil(unlocksAt: number, now: number): number {
  return Math.max(0, Math.ceil((unlocksAt - now) / 1000));
}

/** The listen as a page without JavaScript tells it; the route adds the refresh it speaks of. */
export function ListenStatus({
  listen,
  now,
}: {
  listen: Pick<ListenView, "unlocksAt">;
  now: number;
}) {
  const seconds = secondsUntil(listen.unlocksAt, now);
  return seconds > 0 ? (
    <Notice tone="info">
      {`You can rate this song in ${counted(seconds, "second")}. This page refreshes itself.`}
    </Notice>
  ) : (
    <Notice tone="ok">
      Great, now you can rate this song in its box below! Then click 'Play Song' for the next song.
    </Notice>
  );
}
