import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef } from "react";

/** How far finger and page may move during a press that is meant, in CSS pixels. */
const steadyPx = 10;

/**
 * For the radio buttons of a rating: choosing one by pointer, by Enter or by Space rates at once; arrow
 * keys only move the choice. A finger that moves, or a page that scrolls under it, chooses nothing.
 * @param sending whether a rating is on its way: then the choice stays as it is.
 * @returns the handlers of an element around the radio buttons.
 */
export function useChoice(rate: (form: HTMLFormElement) => void, sending: boolean) {
  const start = useRef([0, 0, 0]);
  const slipped = useRef(false);
  const byArrow = useRef(false);
  return {
    onPointerDown(event: PointerEvent) {
      start.current = placeOf(event);
      slipped.current = byArrow.current = false;
    },
    onPointerUp(event: PointerEvent) {
      slipped.current = placeOf(event).some(
        (at, axis) => Math.abs(at - (start.current[axis] ?? 0)) > steadyPx,
      );
    },
    onKeyDown(event: KeyboardEvent) {
      slipped.current = false;
      byArrow.current = event.key.startsWith("Arrow");
      const radio = radioOf(event);
      if (!radio) return;
      if (byArrow.current && sending) event.preventDefault();
      if (event.key === "Enter" || event.key === " ") {
        // By itself Enter presses the form's button, and Space does nothing to what is chosen already.
        event.preventDefault();
        radio.click();
      }
    },
    onKeyUp() {
      byArrow.current = false;
    },
    /** The arrow keys, too, come as clicks. */
    onClick(event: MouseEvent) {
      const radio = radioOf(event);
      if (!radio?.form) return;
      // A click by script, such as that of the page's keys, comes from no finger and no arrow.
      const { isTrusted } = event;
      if (sending || (isTrusted && slipped.current)) event.preventDefault();
      else if (!(isTrusted && byArrow.current)) rate(radio.form);
      slipped.current = false;
    },
  };
}

function placeOf({ clientX, clientY }: PointerEvent): number[] {
  return [clientX, clientY, window.scrollY];
}

function radioOf({ target }: KeyboardEvent | MouseEvent): HTMLInputElement | null {
  return target instanceof HTMLInputElement ? target : null;
}
