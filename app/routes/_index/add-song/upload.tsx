import { Link } from "@remix-run/react";
import { Notice } from "~/components/notice";
import { Cover } from "~/components/song/cover";
import { MadeChoice, RightsBox } from "~/components/song/made-choice";
import { counted, megabytes } from "~/platform/text";
import { Slash } from "~/player/alone/slash";
import { maxDrafts, tooManyDrafts } from "~/sources/files/upload-fields";
import { useDrawnCover } from "./use-drawn-cover";
import { useUpload } from "./use-upload";

export interface UploadProps {
  /** What the artist is called, unless they say otherwise. */
  artist: string;
  takesGenerated: boolean;
  /** Uploaded, and not submitted yet. */
  drafts: { recordingId: string; title: string }[];
  /** The song that it is to be a new mix of. */
  mix: { songId: string; title: string; artist: string } | null;
}

export function Upload({ drafts, ...form }: UploadProps) {
  const { mix } = form;
  return (
    <section>
      <h2>{mix ? "Upload the new mix" : "Upload your own recording"}</h2>
      <p className="quiet">
        {mix
          ? "Its ratings stand beside those of the mix before."
          : "A demo, a mix, a song that is not out yet. You hear it once more before you submit it."}
      </p>
      <Drafts drafts={drafts} />
      {drafts.length < maxDrafts ? (
        <UploadForm {...form} />
      ) : (
        <Notice tone="info">{tooManyDrafts.error}</Notice>
      )}
    </section>
  );
}

export function Drafts({ drafts }: Pick<UploadProps, "drafts">) {
  if (drafts.length === 0) return null;
  return (
    <ul className="dated-list">
      {drafts.map(({ recordingId, title }) => (
        <li key={recordingId}>
          <Link to={`/recordings/${recordingId}`}>
            <span>Not submitted yet: </span>
            <bdi>{title}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The form with which members upload a recording of their own. It works without JavaScript. */
function UploadForm({ artist, mix, takesGenerated }: Omit<UploadProps, "drafts">) {
  const upload = useUpload(takesGenerated);
  const { form, file, phase, progress, note, fault, hasCover, ...act } = upload;
  const cover = useDrawnCover(form, hasCover ? null : file);
  const isOut = progress.all > 0 && progress.sent >= progress.all;
  const isUnderWay = phase === "going" || phase === "gone";
  const faultAt = (...fields: string[]) =>
    fault && fields.includes(fault.field) ? <Notice tone="error">{fault.error}</Notice> : null;
  return (
    <form
      ref={form}
      className="prose"
      method="post"
      action="/recordings"
      encType="multipart/form-data"
      onSubmit={act.onSubmit}
      onChange={act.onChange}
    >
      <input type="hidden" name="song" value={mix?.songId ?? ""} />
      {phase === "idle" ? null : (
        <div className="going">
          {cover ? <Cover track={{ ...cover, smallerArt: {} }} first="5.5rem" /> : null}
          <div role="status" style={{ gridColumn: hasCover ? "1 / 3" : 2 }}>
            <h3>{phase === "going" && isOut ? "Reading your song..." : headings[phase]}</h3>
            <p className="quiet">{`${megabytes(progress.sent)} of ${megabytes(progress.all)} MB`}</p>
            <p className="quiet">
              {phase === "going" && !isOut ? timeLeft(progress, upload.since) : ""}
            </p>
          </div>
          {phase === "going" && isOut ? null : (
            <button
              className="button plain small"
              type="button"
              onClick={{ broken: act.again, here: act.another }[phase as string] ?? act.stop}
            >
              {buttons[phase]}
            </button>
          )}
          <Slash of={progress.sent / (progress.all || 1)} label="Uploaded" />
        </div>
      )}
      {faultAt("file")}
      {upload.isSilent ? <Notice tone="info">This file is silent.</Notice> : null}
      <label className="drop" hidden={phase !== "idle"}>
        <span className={file ? "button plain" : "button"}>
          {file || fault?.field === "file" ? "Choose another file" : "Choose a file"}
        </span>
        <input
          type="file"
          name="file"
          aria-label="Choose a file"
          required
          // Android knows some of them by other names.
          accept=".mp3,.m4a,.wav,audio/mpeg,audio/mp4,audio/x-m4a,audio/aac,audio/wav,audio/x-wav"
        />
        <span className="quiet">
          MP3, M4A (AAC) or WAV, up to 40 MB and ten minutes. Or drop it here.
        </span>
      </label>
      <div className={fault && fault.field !== "file" ? "prose" : "prose after-file"}>
        {faultAt("title")}
        <p className="field">
          <label>
            Title{" "}
            <input type="text" name="title" defaultValue={mix?.title} required autoComplete="off" />
          </label>
        </p>
        {faultAt("artist")}
        <p className="field">
          <label>
            Artist <input type="text" name="artist" defaultValue={mix?.artist ?? artist} />
          </label>
        </p>
        <div>
          <p className="quiet">A cover is drawn from your recording.</p>
          <details>
            <summary className="link-button">Use a picture of mine</summary>
            <input
              type="file"
              name="cover"
              aria-label="Cover"
              accept="image/jpeg,image/png,image/webp"
            />
            {hasCover ? (
              <button className="link-button" type="button" onClick={act.leaveCoverOut}>
                Take the picture away
              </button>
            ) : null}
          </details>
        </div>
        {faultAt("cover", "rights")}
        <RightsBox />
        {faultAt("made")}
        <MadeChoice />
        {faultAt("")}
        <p role="status">{(isUnderWay && note) || "\u00a0"}</p>
        <button className="button" type="submit" aria-disabled={isUnderWay || undefined}>
          Listen, then submit
        </button>
      </div>
      <p role="status">{isUnderWay ? "" : note}</p>
    </form>
  );
}

const headings = {
  going: "Uploading...",
  gone: "The line is gone. It goes on by itself.",
  broken: "It did not arrive.",
  here: "It is here.",
};
const buttons = { going: "Stop", gone: "Stop", broken: "Try again", here: "Take another" };

/** Known once some of it has left. */
function timeLeft({ sent, all }: { sent: number; all: number }, since: number): string {
  const seconds = ((Date.now() - since) / 1000) * (all / sent - 1);
  if (sent < all / 50 || !Number.isFinite(seconds)) return "";
  return seconds < 60
    ? `about ${5 * Math.ceil(seconds / 5)} s left`
    : `about ${counted(Math.round(seconds / 60), "minute")} left`;
}
