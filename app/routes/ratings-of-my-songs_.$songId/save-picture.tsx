import { useEffect, useState } from "react";
import type { OwnSong } from "~/results/song-result.server";

/** A picture of what a shared page says, drawn by the browser when it is asked for. */
export function SavePicture({ song }: { song: OwnSong }) {
  const [isReady, setReady] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [status, setStatus] = useState("");
  useEffect(() => setReady(true), []);
  const { picture } = song;
  if (!isReady || !picture) return null;

  async function save(): Promise<void> {
    if (isBusy || !picture) return;
    setBusy(true);
    setStatus("Drawing...");
    try {
      const { drawPicture } = await import("./draw-picture.client");
      setStatus(await give(await drawPicture({ ...song, picture })));
    } catch {
      setStatus("The picture could not be drawn. Try again.");
    }
    setBusy(false);
  }

  return (
    <>
      <button
        className="link-button"
        type="button"
        aria-disabled={isBusy || undefined}
        onClick={save}
      >
        Save a picture for a story
      </button>
      <p className="quiet" role="status">
        {status}
      </p>
    </>
  );
}

/** Hands a picture to the phone's own sharing, or else saves it. @returns what to say of that. */
async function give(picture: Blob): Promise<string> {
  const file = new File([picture], "fivefold-story.png", { type: picture.type });
  const files = { files: [file] };
  if (typeof navigator.canShare === "function" && navigator.canShare(files)) {
    try {
      await navigator.share(files);
      return "";
    } catch (error) {
      // Closing the share sheet is no error; what the browser does not let out is saved.
      if (error instanceof DOMException && error.name === "AbortError") return "";
    }
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return "Saved.";
}
