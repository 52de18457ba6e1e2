import { useEffect, useRef } from "react";
import { useSavedChoice } from "~/components/form/use-saved-choice";
import { Notice } from "~/components/notice";
import { type RatingMailRhythm, ratingMailRhythms } from "~/mailing/email-preferences";

const labels: Record<RatingMailRhythm, string> = {
  each: "After each rating; several in a short time share one e-mail",
  complete: "Once all five ratings of a song are in",
};

/** The choice of how often mails about ratings come, in a MailForm. With a script it is saved at once. */
export function RhythmChoice({
  rhythm,
  disabled,
}: {
  rhythm: RatingMailRhythm;
  disabled: boolean;
}) {
  const { value, status, error, choose } = useSavedChoice(
    rhythm,
    "/email-preference",
    (choice) => [["ratingMailRhythm", choice]],
    { refreshes: true },
  );
  const group = useRef<HTMLFieldSetElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the script has arrived
  useEffect(() => {
    // A choice from before the script arrived has not been saved yet.
    const radio = group.current?.querySelector<HTMLInputElement>("input:checked");
    const chosen = ratingMailRhythms.find((one) => one === radio?.value);
    if (chosen && chosen !== rhythm) choose(chosen);
  }, []);
  return (
    <div className="checkbox-form">
      <fieldset ref={group} disabled={disabled}>
        <legend>How often do you want e-mails about new ratings?</legend>
        {ratingMailRhythms.map((one) => (
          <label key={one}>
            <input
              type="radio"
              autoComplete="off"
              name="ratingMailRhythm"
              value={one}
              checked={value === one}
              onChange={() => choose(one)}
            />
            <span>{labels[one]}</span>
          </label>
        ))}
      </fieldset>
      <p className="quiet" role="status">
        {status}
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </div>
  );
}
