import { useEffect, useState } from "react";
import { songBoxId } from "./song-box";

// React 18 renders the popover attributes, but has no types for them.
const help = { popover: "auto" };
const helpButton = { popovertarget: "keys" };
const storedAs = "keys";

/**
 * The carousel's keys, and the help that tells them. A key presses what is on the screen, and so does
 * no more than a click. Rendered only where scripts run.
 */
export function Keys({
  openSongId,
}: {
  /** The player's song, if any. */ openSongId: string | null;
}) {
  const [on, setOn] = useState(() => localStorage.getItem(storedAs) !== "off");
  useEffect(() => {
    if (!on) return;
    const onKey = (event: KeyboardEvent) => press(event, openSongId);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [on, openSongId]);

  // Keys of a single character can be switched off (WCAG 2.1.4), for whoever speaks to the computer.
  function toggle() {
    localStorage.setItem(storedAs, on ? "off" : "on");
    setOn(!on);
  }

  return (
    <>
      <button className="link-button keys-button" type="button" {...helpButton}>
        Keys (?)
      </button>
      <div className="modal" id="keys" role="dialog" aria-label="Keys" {...help}>
        <div className="modal-body">
          <h2>Keys</h2>
          <ul>
            <li>Space plays or resumes the song</li>
            <li>1 to 4 rate it, once that has opened</li>
            <li>N plays the next song</li>
          </ul>
          <div className="checkbox-form">
            <label>
              <input type="checkbox" checked={on} onChange={toggle} />
              Use these keys
            </label>
          </div>
          <button className="button plain" type="button" {...helpButton}>
            Close
          </button>
        </div>
      </div>
    </>
  );
}

/** Where all keys belong to what has the focus. */
const typing =
  "input:not([type=radio]), select, textarea, [contenteditable], dialog[open], :popover-open";
/** Where Space does. */
const pressable = "a, button, summary, input";

function press(event: KeyboardEvent, openSongId: string | null): void {
  const { key, target, defaultPrevented, repeat, ctrlKey, metaKey, altKey } = event;
  if (defaultPrevented || repeat || ctrlKey || metaKey || altKey) return;
  if (!(target instanceof Element) || target.closest(typing)) return;
  if (key === " " && target.closest(pressable)) return;
  // Without a song in the player, the first one is meant.
  const song = openSongId ? `#${CSS.escape(songBoxId(openSongId))}` : ".songs";
  const control = document.querySelector<HTMLElement>(
    {
      " ": `${song} .play [data-state]:not([data-state=playing],[data-state=loading])`,
      n: ".player__next",
      "?": ".keys-button",
    }[key.toLowerCase()] ?? `${song} fieldset:enabled [value="${CSS.escape(key)}"]`,
  );
  if (!control) return;
  event.preventDefault();
  control.click();
}
