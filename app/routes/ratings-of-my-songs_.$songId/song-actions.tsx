import { Link } from "@remix-run/react";
import { useFocusAfter } from "~/components/form/use-focus-after";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import { RestingSong } from "~/components/result/resting-song";
import { counted } from "~/platform/text";
import type { OwnSong } from "~/results/song-result.server";
import { ReleaseSong } from "./release-song";
import { SavePicture } from "./save-picture";
import { ShareSong } from "./share-song";

/**
 * The owner's actions on a song.
 * @param path of the song's page.
 * @param origin of the app, such as https://fivefold.example.
 */
export function SongActions({
  song,
  path,
  origin,
}: {
  song: OwnSong;
  path: string;
  origin: string;
}) {
  const heading = useFocusAfter(song.resting);
  const { songId, trackId, resting, takenOut, owed } = song;
  return (
    <>
      <section className="song-actions" aria-labelledby="actions">
        <h2 id="actions" ref={heading} tabIndex={-1}>
          What you can do
        </h2>
        {resting || takenOut !== null ? <RestingSong {...song} next={path} /> : null}
        {takenOut === null && trackId !== null ? (
          <Link
            className="button plain"
            to={`/?menu=addownsong&track=${encodeURIComponent(trackId)}`}
          >
            Submit this song again
          </Link>
        ) : null}
        {takenOut === null && trackId === null ? <NewMix songId={songId} owed={owed} /> : null}
        <a className="button plain" href={`${path}.csv`} download>
          Download as CSV
        </a>
        {owed > 0 && !resting ? <WithdrawSong songId={songId} owed={owed} path={path} /> : null}
      </section>
      {takenOut === null && trackId === null ? <ReleaseSong song={song} path={path} /> : null}
      <ShareSong song={song} path={path} origin={origin} />
      <SavePicture song={song} />
    </>
  );
}

function NewMix({ songId, owed }: { songId: string; owed: number }) {
  if (owed > 0) {
    return (
      <p className="quiet">
        Once all its ratings are in, you can submit a new mix of it and compare the two.
      </p>
    );
  }
  return (
    <Link className="button plain" to={`/?menu=addownsong&mix=${encodeURIComponent(songId)}`}>
      Submit a new mix
    </Link>
  );
}

/**
 * Takes a song out of the rotation.
 * @param path of the song's page.
 */
function WithdrawSong({ songId, owed, path }: { songId: string; owed: number; path: string }) {
  const { busy, error, onSubmit } = usePost(() => path, { preventScrollReset: true });
  return (
    <form
      method="post"
      action={`/songs/${encodeURIComponent(songId)}/withdraw`}
      onSubmit={onSubmit}
    >
      <button className="button plain" type="submit" aria-disabled={busy || undefined}>
        {busy ? "Taking it out..." : "Take it out of the rotation"}
      </button>
      <p className="quiet">
        {`It is still owed ${counted(owed, "rating")}, but nothing is refunded, and once you bring it back it goes to the end of the line. Whoever is listening to it right now can still rate it.`}
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}
