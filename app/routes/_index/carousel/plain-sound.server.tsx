import type { ListenView } from "~/exchange/listening/listening";
import { addressOf } from "~/player/sound";

/** What an own recording is heard by where no script runs. Browsers that run some never render it. */
export function PlainSound({
  listenId,
  songId,
  positionMs,
  toBeHeard,
}: Pick<ListenView, "listenId" | "songId" | "positionMs"> & { toBeHeard: boolean }) {
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: music */}
      <audio
        controls
        autoPlay
        src={`${addressOf({ songId, trackId: null }, listenId)}#t=${positionMs / 1000}`}
      />
      {toBeHeard ? (
        <form method="post" action={`/songs/${songId}/listened`}>
          <button className="button" type="submit">
            I have listened
          </button>
        </form>
      ) : null}
    </>
  );
}
