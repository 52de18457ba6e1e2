import { useEffect, useRef, useState } from "react";
import { ratingScale } from "~/exchange/rating/scale";
import { keep, readKept } from "~/platform/kept";
import { songBoxId } from "./song-parts";

const storageKey = "keys";

/**
 * The carousel's keyboard shortcuts, and their help. A key clicks what is on the screen, so it can do no more
 * than a click. Rendered only where scripts run.
 */
export function Keys({
  openSongId,
}: {
  /** The player's song, if any. */ openSongId: string | null;
}) {
  const help = useRef<HTMLDialogElement>(null);
  const [enabled, setEnabled] = useState(() => readKept(storageKey) !== "off");
  useEffect(() => {
    if (!enabled) return;
    const onKey = (event: KeyboardEvent) => press(event, openSongId);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [enabled, openSongId]);

  // Single-character shortcuts must have a switch (WCAG 2.1.4), for users of speech input.
  function toggle() {
    keep(storageKey, enabled ? "off" : "on");
    setEnabled(!enabled);
  }

  return (
    <>
      <button
        className="link-button keys-button"
        type="button"
        onClick={() => help.current?.showModal()}
      >
        Keys (?)
      </button>
      <dialog ref={help} className="modal" id="keys" aria-label="Keys" closedby="any">
        <div className="modal-body">
          <h2>Keys</h2>
          <ul>
            <li>Space plays and pauses the song</li>
            <li>{`1 to ${ratingScale.length} rate it, once you have listened long enough`}</li>
            <li>N plays the next song</li>
          </ul>
          <div className="checkbox-form">
            <label>
              <input type="checkbox" checked={enabled} onChange={toggle} />
              Use these keys
            </label>
          </div>
          <button className="button plain" type="button" onClick={() => help.current?.close()}>
            Close
          </button>
        </div>
      </dialog>
    </>
  );
}

/** Elements that use every key themselves. */
const typing = "input:not([type=radio], [type=range]), select, textarea, [contenteditable]";
/** Elements that use Space themselves. */
const pressable = "a, button, summary, input:not([type=range])";

function press(event: KeyboardEvent, openSongId: string | null): void {
  const { key, target, defaultPrevented, repeat, ctrlKey, metaKey, altKey } = event;
  if (defaultPrevented || ctrlKey || metaKey || altKey) return;
  if (!(target instanceof Element) || target.closest(typing)) return;
  const open = "popover" in target ? "dialog[open], :popover-open" : "dialog[open]";
  if (document.querySelector(open)) return;
  const isSpace = key === " ";
  if (isSpace && target.closest(pressable)) return;
  // Otherwise Space scrolls, and the song that plays would move out of sight.
  if (isSpace && openSongId) event.preventDefault();
  if (repeat || (isSpace && target.matches("input"))) return;
  // Without a song in the player, the keys are for the first one.
  const song = openSongId ? `#${CSS.escape(songBoxId(openSongId))}` : ".large";
  const next = ".large .key";
  const isNext = key.toLowerCase() === "n";
  const pause = isSpace ? document.querySelector<HTMLElement>(".player__pause") : null;
  const pressed = document.querySelector<HTMLElement>(
    {
      " ": `${song} [data-state]:not([data-state=loading]), ${next}:not([data-state=loading])`,
      n: next,
      "?": ".keys-button",
    }[isNext ? "n" : key] ?? `${song} fieldset:enabled [value="${CSS.escape(key)}"]`,
  );
  const control = pause ?? pressed;
  // A key pressed inside the box of another song would be meant for that one.
  const box = pause ? null : target.closest(".song");
  if (!control || (box && !isNext && key !== "?" && !box.contains(control))) return;
  event.preventDefault();
  // The question that may hold the focus goes as the song starts.
  if (isNext) control.focus();
  control.click();
}
