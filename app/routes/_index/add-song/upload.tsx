import { Link } from "@remix-run/react";
import { Notice } from "~/components/notice";
import { megabytes } from "~/platform/text";
import { maxDrafts, tooManyDrafts } from "~/recordings/upload-fields";
import { useUpload } from "./use-upload";

export interface UploadProps {
  /** What the artist is called, unless they say otherwise. */
  artist: string;
  /** Uploaded, and not submitted yet. */
  drafts: { recordingId: string; title: string }[];
  /** The song that it is to be a new mix of. */
  mix: { songId: string; title: string; artist: string } | null;
}

export function Upload({ artist, drafts, mix }: UploadProps) {
  return (
    <section>
      <h2>{mix ? "Upload the new mix" : "Or upload a recording of yours"}</h2>
      <p className="quiet">
        <span>
          {mix ? "Its ratings stand beside those of the mix before." : "It need not be out yet."}
        </span>{" "}
        <span>MP3, M4A (AAC), FLAC or WAV, up to 40 MB and ten minutes.</span>
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
      {drafts.length < maxDrafts ? (
        <UploadForm artist={artist} mix={mix} />
      ) : (
        <Notice tone="info">{tooManyDrafts.error}</Notice>
      )}
    </section>
  );
}

/** The form with which members upload a recording of their own. It works without JavaScript. */
function UploadForm({ artist, mix }: Pick<UploadProps, "artist" | "mix">) {
  const { progress, note, error, isBroken, onSubmit, onChange, stop } = useUpload();
  const isOut = progress !== null && progress.all > 0 && progress.sent >= progress.all;
  return (
    <form
      className="prose"
      method="post"
      action="/recordings"
      encType="multipart/form-data"
      onSubmit={onSubmit}
      onChange={onChange}
    >
      <input type="hidden" name="song" value={mix?.songId ?? ""} />
      <p className="field">
        <label>
          Title{" "}
          <input
            type="text"
            name="title"
            defaultValue={mix?.title}
            required
            maxLength={200}
            autoComplete="off"
          />
        </label>
      </p>
      <p className="field">
        <label>
          Artist{" "}
          <input type="text" name="artist" defaultValue={mix?.artist ?? artist} maxLength={200} />
        </label>
      </p>
      <p className="field">
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
      <p className="field">
        <label>
          Cover, if you like{" "}
          <input type="file" name="cover" accept="image/jpeg,image/png,image/webp" />
        </label>
      </p>
      <p className="checkbox-form">
        <label>
          <input type="checkbox" name="rights" value="yes" required />
          <span>This recording is mine, or I may let others hear it.</span>
        </label>
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
      <button className="button" type="submit" aria-disabled={progress ? true : undefined}>
        {isBroken ? "Try again" : "Upload"}
      </button>
      <p role="status">{progress ? (isOut ? "Reading your song..." : "Uploading...") : note}</p>
      {progress ? (
        <p>
          <progress max={1} value={progress.sent / (progress.all || 1)} aria-label="Uploaded" />{" "}
          <span>{`${megabytes(progress.sent)} of ${megabytes(progress.all)} MB`}</span>
        </p>
      ) : null}
      {progress && !isOut ? (
        <button className="button plain" type="button" onClick={stop}>
          Stop
        </button>
      ) : null}
    </form>
  );
}
