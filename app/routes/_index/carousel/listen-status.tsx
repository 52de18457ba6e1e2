import { useFreshDataAfter } from "~/components/form/use-fresh-data";
import type { CarouselSong } from "~/exchange/carousel/view";
import type { ListenView } from "~/exchange/listening/listening";
import { secondsUntil } from "~/platform/dates";
import { counted } from "~/platform/text";
import { addressOf } from "~/player/sound";

/**
 * The progress of a listen that was begun without JavaScript or before a reload, so that this page's player
 * does not know it. Without a player the clock counts, and the page is reloaded at the unlock, by a script or
 * by the refresh that the route adds.
 */
export function ListenStatus({
  song,
  listen,
  now,
  hasPlayer,
}: {
  song: CarouselSong;
  listen: ListenView;
  now: number;
  hasPlayer: boolean;
}) {
  const isFinished = listen.finished || song.heard;
  useFreshDataAfter(isFinished || hasPlayer ? null : listen.unlocksAt - now);
  if (hasPlayer && !isFinished) {
    return <p className="status-line">The song stopped. Play it again to rate it.</p>;
  }
  const seconds = isFinished ? 0 : secondsUntil(listen.unlocksAt, now);
  if (song.trackId === null && !hasPlayer) return <PlainListen {...listen} seconds={seconds} />;
  if (seconds > 0) {
    return (
      <p className="status-line" role="status">
        {`You can rate this song in ${counted(seconds, "second")}. This page refreshes itself.`}
      </p>
    );
  }
  return <RateNow />;
}

function RateNow() {
  return (
    <p className="status-line ok" role="status">
      Great, now you can rate this song in its box below! Then click 'Play Song' for the next song.
    </p>
  );
}

/** An own recording plays in a page without scripts, which goes on where it was when it is loaded again. */
function PlainListen({ listenId, songId, positionMs, seconds }: ListenView & { seconds: number }) {
  return (
    <>
      {seconds > 0 ? (
        <p className="status-line" role="status">
          {`You can rate this song in ${counted(seconds, "second")}. Listen until then, and press "I have listened".`}
        </p>
      ) : (
        <RateNow />
      )}
      <noscript>
        {/* biome-ignore lint/a11y/useMediaCaption: music */}
        <audio
          controls
          autoPlay
          src={`${addressOf({ songId, trackId: null }, listenId)}#t=${positionMs / 1000}`}
        />
        {seconds > 0 ? (
          <form method="post" action={`/songs/${songId}/listened`}>
            <button className="button" type="submit">
              I have listened
            </button>
          </form>
        ) : null}
      </noscript>
    </>
  );
}

/**
 * Confirms a listen that no player knows, below its rating panel. A rating confirms it too, but only while
 * Spotify still reports the song; users who need more time have this button.
 */
export function ConfirmForm({ songId }: { songId: string }) {
  return (
    <form method="post" action={`/songs/${songId}/listened`}>
      <button className="button plain" type="submit">
        Let me rate it later
      </button>
      <p className="quiet">We remember that you heard the song, even after it has ended.</p>
    </form>
  );
}
