import { Link } from "@remix-run/react";

export interface UploadProps {
  /** What the artist is called, unless they say otherwise. */
  artist: string;
  /** Uploaded, and not submitted yet. */
  drafts: { recordingId: string; title: string }[];
}

/** The form with which members upload a recording of their own. It works without JavaScript. */
export function Upload({ artist, drafts }: UploadProps) {
  return (
    <section>
      <h2>Or upload a recording of yours</h2>
      <p className="quiet">
        It need not be out yet. MP3, M4A (AAC), FLAC or WAV, up to 40 MB and ten minutes.
      </p>
      {drafts.length > 0 ? (
        <ul>
          {drafts.map(({ recordingId, title }) => (
            <li key={recordingId}>
              <Link to={`/recordings/${recordingId}`}>
                <span>Not submitted yet: </span>
                <bdi>{title}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      <form method="post" action="/recordings" encType="multipart/form-data">
        <p>
          <label>
            Title <input type="text" name="title" required maxLength={200} autoComplete="off" />
          </label>
        </p>
        <p>
          <label>
            Artist <input type="text" name="artist" defaultValue={artist} maxLength={200} />
          </label>
        </p>
        <p>
          <label>
            File{" "}
            <input
              type="file"
              name="file"
              required
              accept=".mp3,.m4a,.flac,.wav,audio/mpeg,audio/mp4,audio/flac,audio/wav"
            />
          </label>
        </p>
        <p>
          <label>
            Cover, if you like{" "}
            <input type="file" name="cover" accept="image/jpeg,image/png,image/webp" />
          </label>
        </p>
        <p>
          <label>
            <input type="checkbox" name="rights" value="yes" required /> This recording is mine, or
            I may let others hear it.
          </label>
        </p>
        <button className="button" type="submit">
          Upload
        </button>
      </form>
    </section>
  );
}
