import { Notice } from "~/components/notice";
import type { ListenView } from "~/domain/listening/listening";
import { counted } from "~/platform/text";

/** Whole seconds from `now` until `unlocksAt` (both epoch milliseconds), never below 0. */
export function secondsUntil(unlocksAt: number, now: number): number {
  return Math.max(0, Math.ceil((unlocksAt - now) / 1000));
}

/**
 * The listen as a page tells it where no player runs. The page's data is read anew at the unlock, by
 * script or by the refresh that the route adds. A rating confirms the listen by itself, but only
 * while Spotify still knows of it: who wants to think it over can have it confirmed before.
 */
export function ListenStatus({
  listen,
  now,
  inPage,
}: {
  listen: Pick<ListenView, "songId" | "unlocksAt" | "finished">;
  now: number;
  /** Songs play in the page, which this one does not. */
  inPage: boolean;
}) {
  if (inPage && !listen.finished) {
    return (
      <Notice tone="info">
        You began a song, and it does not play in this page any more. Please play it again, unless
        you hear it elsewhere.
      </Notice>
    );
  }
  const seconds = listen.finished ? 0 : secondsUntil(listen.unlocksAt, now);
  return seconds > 0 ? (
    <Notice tone="info">
      {`You can rate this song in ${counted(seconds, "second")}. This page refreshes itself.`}
    </Notice>
  ) : (
    <>
      <Notice tone="ok">
        Great, now you can rate this song in its box below! Then click 'Play Song' for the next
        song.
      </Notice>
      {listen.finished ? null : (
        <form className="keep-listen" method="post" action={`/songs/${listen.songId}/listened`}>
          <button className="button plain" type="submit">
            Let me rate it later
          </button>
          <p className="quiet">Keeps what you have heard, even when the song is over.</p>
        </form>
      )}
    </>
  );
}
