import {
  type FormEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { Notice } from "~/components/notice";
import { UpgradeLink } from "~/components/premium/upgrade-link";
import { songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/exchange/carousel/view";
import { unlockSeconds } from "~/exchange/listening/progress";
import { ratingScale } from "~/exchange/rating/scale";
import { tierConfigs } from "~/members/tiers";
import { counted } from "~/platform/text";
import { rateIn } from "~/player/bar/format-time";
import type { SongStatus } from "./song-status";

export const blockedText = "wait until current song is played and rated";

/**
 * The choices for one song, disabled until the song is unlocked. A plain form that posts `score`; with
 * JavaScript a choice sends it (`useChoice`).
 */
export function RatingPanel({
  song,
  status,
  compact,
  secondsLeft,
  current,
  scripted,
  error,
  onRate,
}: {
  song: CarouselSong;
  status: SongStatus;
  /** True if the summary already says that another song comes first. */
  compact: boolean;
  /** Seconds until rating unlocks, while the song plays in this page; else null. */
  secondsLeft: number | null;
  current: boolean;
  /** True once the page's scripts run, so that a choice is sent at once. */
  scripted: boolean;
  error: string | null;
  onRate(form: HTMLFormElement): void;
}) {
  const unlocked = status.kind === "unlocked";
  const sending = unlocked && status.sending;
  const hintId = `hint-${song.songId}`;
  const choice = useChoice(onRate, sending);
  const form = useRef<HTMLFormElement>(null);
  const [isHalfDone, setHalfDone] = useState(false);
  // A choice from before the scripts arrived is not sent by itself and needs the button.
  useEffect(() => setHalfDone(form.current?.querySelector(":checked") != null), []);
  const sendsAtOnce = scripted && !isHalfDone;
  const height = useHeightInBar(form, unlocked && current);
  const wait = waitSeconds(song, status, secondsLeft);
  const sooner = song.requiredSeconds - tierConfigs.premium.requiredSeconds;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    onRate(event.currentTarget);
  }

  return (
    <form
      ref={form}
      className="rating"
      method="post"
      action={`/songs/${song.songId}/rating`}
      onSubmit={submit}
      style={height ? { minHeight: height } : undefined}
    >
      <fieldset
        // A new element in the bar, so that the move does not count as a layout shift.
        key={height ? "bar" : "box"}
        className={height ? "in-bar" : undefined}
        disabled={!unlocked}
        aria-describedby={hintId}
        {...choice}
      >
        <legend>
          Your rating<span className="visually-hidden">{` of ${songName(song)}`}</span>
        </legend>
        {wait !== null && sooner > 0 && status.kind !== "blocked" ? (
          <UpgradeLink className="link-button sooner">
            {`${wait > sooner ? `In ${wait - sooner} s` : "Now"} with Premium`}
          </UpgradeLink>
        ) : null}
        {ratingScale.map(({ score, label }) => (
          <label key={score}>
            <input type="radio" name="score" value={score} required />
            <span>{label}</span>
          </label>
        ))}
        {sendsAtOnce ? null : (
          <button className="button" type="submit">
            Rate this song
          </button>
        )}
        {/* Always present, so that nothing moves when the rating opens. */}
        <p className="quiet" id={hintId}>
          {hint(status, wait, { counts: secondsLeft !== null, compact, sendsAtOnce })}
        </p>
        {error ? (
          <div ref={reveal}>
            <Notice tone="error">{error}</Notice>
          </div>
        ) : null}
      </fieldset>
    </form>
  );
}

/**
 * Moves the choices into the player bar if they open outside the window or below the bar.
 * @returns the height to keep free in the song's box while they are in the bar; else null.
 */
function useHeightInBar(form: RefObject<HTMLFormElement>, open: boolean): number | null {
  const [height, setHeight] = useState<number | null>(null);
  useEffect(() => {
    if (!open) return;
    function place() {
      const box = form.current?.getBoundingClientRect();
      const bar = document.querySelector(".player")?.getBoundingClientRect().top ?? 0;
      if (box)
        setHeight(box.top < 0 || box.bottom > Math.min(bar, innerHeight) ? box.height : null);
    }
    place();
    window.addEventListener("resize", place);
    return () => {
      window.removeEventListener("resize", place);
      setHeight(null);
    };
  }, [form, open]);
  return height;
}

/** Scrolls an element that has appeared out from under the player bar. */
function reveal(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

function waitSeconds(
  { requiredSeconds }: CarouselSong,
  status: SongStatus,
  secondsLeft: number | null,
): number | null {
  if (status.kind === "unlocked") return null;
  if (secondsLeft !== null) return secondsLeft;
  return status.kind === "listening" ? status.secondsLeft : unlockSeconds(requiredSeconds);
}

function hint(
  status: SongStatus,
  wait: number | null,
  { counts, compact, sendsAtOnce }: { counts: boolean; compact: boolean; sendsAtOnce: boolean },
): string {
  if (wait === null) {
    if (status.kind === "unlocked" && status.sending) return "Sending...";
    return sendsAtOnce ? "Choosing one sends it." : "Choose one.";
  }
  if (status.kind === "blocked" && !compact) return blockedText;
  if (counts) return rateIn(wait);
  return status.kind === "listening"
    ? `Opens in ${counted(wait, "second")}.`
    : `Opens after ${counted(wait, "second")} of listening.`;
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
