import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef } from "react";

/** Movement of finger or page up to which a press counts as meant, in CSS pixels. */
const maxMovementPx = 10;

/**
 * Handlers for the radio buttons of a rating: choosing one by pointer, Enter or Space rates at once; arrow
 * keys only move the choice. A moving finger, or a page that scrolls under it, chooses nothing.
 * @param sending true while a rating is being sent, which keeps the choice as it is.
 * @returns the handlers of an element around the radio buttons.
 */
export function useChoice(rate: (form: HTMLFormElement) => void, sending: boolean) {
  const start = useRef([0, 0, 0]);
  const moved = useRef(false);
  const byArrow = useRef(false);
  return {
    onPointerDown(event: PointerEvent) {
      start.current = placeOf(event);
      moved.current = byArrow.current = false;
    },
    onPointerUp(event: PointerEvent) {
      moved.current = placeOf(event).some(
        (at, axis) => Math.abs(at - (start.current[axis] ?? 0)) > maxMovementPx,
      );
    },
    onKeyDown(event: KeyboardEvent) {
      moved.current = false;
      byArrow.current = event.key.startsWith("Arrow");
      const radio = radioOf(event);
      if (!radio) return;
      if (byArrow.current && sending) event.preventDefault();
      if (event.key === "Enter" || event.key === " ") {
        // The default of Enter is the form's button; Space does nothing to a radio button that is already
        // chosen.
        event.preventDefault();
        radio.click();
      }
    },
    onKeyUp() {
      byArrow.current = false;
    },
    /** Arrow keys cause click events too. */
    onClick(event: MouseEvent) {
      const radio = radioOf(event);
      if (!radio?.form) return;
      // A click by a script, such as a keyboard shortcut's, comes from neither finger nor arrow key.
      const { isTrusted } = event;
      if (sending || (isTrusted && moved.current)) event.preventDefault();
      else if (!(isTrusted && byArrow.current)) rate(radio.form);
      moved.current = false;
    },
  };
}

function placeOf({ clientX, clientY }: PointerEvent): number[] {
  return [clientX, clientY, window.scrollY];
}

function radioOf({ target }: KeyboardEvent | MouseEvent): HTMLInputElement | null {
  return target instanceof HTMLInputElement ? target : null;
}
