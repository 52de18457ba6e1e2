import { Link } from "@remix-run/react";
import { PostedForm } from "~/components/form/button-form";
import { useFocusAfter } from "~/components/form/use-focus-after";
import { usePost } from "~/components/form/use-post";
import { RestingSong } from "~/components/result/resting-song";
import { listenersText } from "~/exchange/submission/question";
import { counted } from "~/platform/text";
import type { OwnSong } from "~/results/song-result.server";
import { ReleaseSong } from "./release-song";
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
  const withdrawal = usePost(() => path, { preventScrollReset: true });
  const { songId, trackId, resting, takenOut, owed } = song;
  return (
    <>
      {takenOut === null && trackId === null ? <NewMix song={song} path={path} /> : null}
      <ShareSong song={song} path={path} origin={origin} />
      {takenOut === null && trackId === null ? <ReleaseSong song={song} path={path} /> : null}
      <section aria-labelledby="actions">
        <h2 id="actions" ref={heading} tabIndex={-1}>
          What you can do
        </h2>
        {resting || takenOut !== null ? <RestingSong {...song} next={path} /> : null}
        <div className="actions">
          {takenOut === null && trackId !== null ? (
            <Link
              className="link-button"
              to={`/?menu=addownsong&track=${encodeURIComponent(trackId)}`}
            >
              Submit this song again
            </Link>
          ) : null}
          <a className="link-button" href={`${path}.csv`} download>
            Download as CSV
          </a>
        </div>
        {owed > 0 && !resting ? (
          <details className="asks">
            <summary className="link-button">Take it out of the rotation</summary>
            <p className="quiet">
              {`It is still owed ${counted(owed, "rating")}. Taken out, it gives nothing back that you did for it, and once you bring it back it goes to the end of the line. Whoever is listening to it right now can still rate it.`}
            </p>
            <PostedForm
              post={withdrawal}
              action={`/songs/${encodeURIComponent(songId)}/withdraw`}
              button="button plain small"
            >
              Yes, take it out
            </PostedForm>
          </details>
        ) : null}
      </section>
    </>
  );
}

/** Whether there are listeners is said before a new mix is uploaded, so that none is refused for it. */
function NewMix({ song, path }: { song: OwnSong; path: string }) {
  const { songId, listeners, isMixAsked } = song;
  const wish = usePost(() => path, { preventScrollReset: true });
  return (
    <section aria-labelledby="mix">
      <h2 id="mix">A new mix</h2>
      <p>
        {listeners
          ? listenersText(listeners)
          : "Once all its ratings are in, you can submit a new mix of it and compare the two."}
      </p>
      {listeners?.isReachedByAll ? (
        <PostedForm
          key={`${isMixAsked}`}
          post={wish}
          action={`/songs/${encodeURIComponent(songId)}/mix-wish`}
          fields={{ wanted: `${!isMixAsked}` }}
        >
          {isMixAsked ? "Do not tell me" : "Tell me when there are five"}
        </PostedForm>
      ) : listeners ? (
        <Link className="button plain" to={`/?menu=addownsong&mix=${encodeURIComponent(songId)}`}>
          Submit a new mix
        </Link>
      ) : null}
    </section>
  );
}
