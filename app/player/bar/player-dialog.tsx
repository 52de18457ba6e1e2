import { useLayoutEffect, useRef } from "react";
import type { PlayerState } from "~/player/machine/state";

export interface PlayerDialogProps {
  errorType: NonNullable<PlayerState["errorType"]>;
  appName: string;
  spotifyUrl: string | null;
  /** Whether the page could play songs too. */
  playsHere: boolean;
  onResume(): void;
  onClose(): void;
}

export function PlayerDialog(props: PlayerDialogProps) {
  const { errorType, spotifyUrl, playsHere, onResume, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opened = dialog.current;
    if (!opened) return;
    opened.addEventListener("click", (event) => {
      // A click on the dialog element itself, not on its content, is a click outside.
      if (event.target === opened) opened.close();
    });
    // Browsers without dialogs show it below the page.
    opened.showModal?.();
    // Closed before it is removed, so that the focus returns to where it was.
    return () => opened.close?.();
  }, []);
  const { heading, text } = contentsFor(props);
  const noDevice = errorType === "noDevice";
  return (
    <dialog
      ref={dialog}
      className="modal"
      aria-labelledby="player-dialog-heading"
      // Ignored if the dialog was opened again at once.
      onClose={() => dialog.current?.open || onClose()}
    >
      <div className="modal-body">
        <h2 id="player-dialog-heading">{heading}</h2>
        <p>{text}</p>
        {noDevice ? (
          <p>
            {`Is it open already? A private session hides what you play from Fivefold. End it in the settings of the app, under Privacy${playsHere ? "." : ". Or use Chrome, Edge or Firefox on a computer, where songs play in the page."}`}
          </p>
        ) : null}
        <div className="modal-actions">
          {noDevice ? (
            <a className="button" href={spotifyUrl ?? undefined} target="_blank" rel="noopener">
              Open this song in Spotify
            </a>
          ) : (
            <button className="button" type="button" onClick={onResume}>
              Resume Playback
            </button>
          )}
          <button className="button plain" type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </dialog>
  );
}

function contentsFor({ errorType, appName }: PlayerDialogProps) {
  switch (errorType) {
    case "noDevice":
      return {
        heading: "Open your Spotify app",
        text: `Songs play on your ${appName}. Open this song there, press play, and come back: it goes on from here by itself.`,
      };
    case "pause":
      return { heading: "Playback Paused", text: "Resume playback to continue the timer." };
    case "wrongSong":
      return {
        heading: "Wrong Song Playing",
        text: "Another song is playing. Resume Playback brings yours back.",
      };
  }
}
