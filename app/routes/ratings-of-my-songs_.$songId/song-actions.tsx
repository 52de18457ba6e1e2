import { Link } from "@remix-run/react";
import { RestingSong } from "~/components/result/resting-song";
import type { OwnSong } from "~/domain/result/song-result.server";

/**
 * What the owner can do with a song.
 * @param path of the song's page.
 */
export function SongActions({ song, path }: { song: OwnSong; path: string }) {
  const { songId, trackId, resting, owed } = song;
  return (
    <section className="song-actions" aria-labelledby="actions">
      <h2 id="actions">What you can do</h2>
      {resting ? <RestingSong songId={songId} owed={owed} next={path} /> : null}
      <Link className="button plain" to={`/?menu=addownsong&track=${encodeURIComponent(trackId)}`}>
        Submit this song again
      </Link>
      <a className="button plain" href={`${path}.csv`} download>
        Download as CSV
      </a>
    </section>
  );
}
