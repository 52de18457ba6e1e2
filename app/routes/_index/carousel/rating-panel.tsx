import {
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { Mark } from "~/components/marks";
import { Notice } from "~/components/notice";
import { songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/exchange/carousel/view";
import { ratingScale } from "~/exchange/rating/scale";
import { counted } from "~/platform/text";
import type { CarouselControls } from "./song-parts";
import type { SongStatus } from "./song-status";

interface RatingProps {
  song: CarouselSong;
  status: SongStatus;
  /** Seconds until rating opens, while the song plays in this page; else null. */
  secondsLeft: number | null;
  /** True once the page's scripts run, so that a choice is sent at once. */
  scripted: boolean;
}

/**
 * The choices for one song, disabled until the song is unlocked: strokes of a tally, whose slash is drawn while one
 * listens. A plain form that posts `score`; with JavaScript a choice sends it (`useChoice`).
 */
export function RatingPanel({
  song,
  status,
  secondsLeft,
  scripted,
  carousel: { failure, rate },
}: RatingProps & { carousel: Pick<CarouselControls, "failure" | "rate"> }) {
  const { songId } = song;
  const unlocked = status.kind === "unlocked";
  const onRate = (form: HTMLFormElement) => rate(form, songId);
  const choice = useChoice(onRate, unlocked && status.sending);
  const form = useRef<HTMLFormElement>(null);
  const [isHalfDone, setHalfDone] = useState(false);
  // A choice from before the scripts arrived is not sent by itself and needs the button.
  useEffect(() => setHalfDone(form.current?.querySelector(":checked") != null), []);
  const heard = song.requiredSeconds - (waitSeconds(song, status, secondsLeft) ?? 0);
  const passed = heard / song.requiredSeconds;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    onRate(event.currentTarget);
  }

  return (
    <form ref={form} method="post" action={`/songs/${songId}/rating`} onSubmit={submit}>
      <fieldset disabled={!unlocked} aria-describedby={hintId(song)} {...choice}>
        <legend className="visually-hidden">{`Your rating of ${songName(song)}`}</legend>
        <div className="choices">
          {ratingScale.map(({ score, label }, place) => (
            <label
              key={score}
              className={passed * ratingScale.length > place + 0.5 ? "passed" : undefined}
            >
              <input type="radio" name="score" value={score} required />
              <Mark score={score} />
              <span>{label}</span>
            </label>
          ))}
          {heard > 0 ? (
            <progress
              aria-label="Listened so far, until you can rate"
              max={song.requiredSeconds}
              value={heard}
            />
          ) : null}
        </div>
        {scripted && !isHalfDone ? null : (
          <button className="button" type="submit">
            Rate this song
          </button>
        )}
        {failure?.songId === songId ? (
          <div ref={reveal}>
            <Notice tone="error">{failure.text}</Notice>
          </div>
        ) : null}
      </fieldset>
    </form>
  );
}

/** What the choices wait for. Always there, so that nothing moves when the rating opens. */
export function RatingHint({
  song,
  status,
  secondsLeft,
  scripted,
  told = false,
}: RatingProps & {
  /** True where the player says already that the song can be rated. */
  told?: boolean;
}) {
  const isSaid = told && status.kind === "unlocked";
  return (
    <p className={isSaid ? "visually-hidden" : "quiet"} id={hintId(song)}>
      {hint(waitSeconds(song, status, secondsLeft), {
        status,
        scripted,
        counts: secondsLeft !== null,
      })}
    </p>
  );
}

function hintId({ songId }: CarouselSong): string {
  return `hint-${songId}`;
}

/** Scrolls to an element that has appeared. */
function reveal(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

/** Null once the song can be rated. */
function waitSeconds(
  { requiredSeconds }: CarouselSong,
  status: SongStatus,
  secondsLeft: number | null,
): number | null {
  if (status.kind === "unlocked") return null;
  if (secondsLeft !== null) return secondsLeft;
  return status.kind === "listening"
    ? Math.min(requiredSeconds, status.secondsLeft)
    : requiredSeconds;
}

function hint(
  wait: number | null,
  { status, scripted, counts }: { status: SongStatus; scripted: boolean; counts: boolean },
): string {
  if (wait === null) {
    if (status.kind === "unlocked" && status.sending) return "Sending...";
    return scripted ? "Choosing one sends it." : "Choose one.";
  }
  if (!counts) return `You can rate after ${counted(wait, "second")}.`;
  return wait > 0 ? `You can rate in ${wait} s.` : "Checking...";
}

/** Movement of finger or page up to which a press counts as meant, in CSS pixels. */
const maxMovementPx = 10;

/**
 * Handlers for the radio buttons of a rating: choosing one by pointer, Enter or Space rates at once; arrow
 * keys only move the choice. A moving finger, or a page that scrolls under it, chooses nothing.
 * @param sending true while a rating is being sent, which keeps the choice as it is.
 * @returns the handlers of an element around the radio buttons.
 */
function useChoice(rate: (form: HTMLFormElement) => void, sending: boolean) {
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
