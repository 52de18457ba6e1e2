import { useEffect, useRef } from "react";
import { ButtonForm } from "~/components/form/button-form";
import { EndedMails, MailCheckbox, MailForm } from "~/components/form/mail-preferences";
import { useSavedChoice } from "~/components/form/use-saved-choice";
import { Notice } from "~/components/notice";
import { type AccountEmail, mailTopics } from "~/members/email-preferences";
import { digestHour, type RatingMailRhythm, ratingMailRhythms } from "~/members/rating-mail-rhythm";

/** The user's choices about mails: which, and how often. */
export function AccountMails({ mail }: { mail: AccountEmail }) {
  const { address, rating, subscription, rhythm } = mail;
  const ended = mailTopics.filter((topic) => mail.ended[topic]);
  return (
    <>
      {address ? null : <p>Add an address first. Until then, no e-mails can be sent to you.</p>}
      {address && ended.length > 0 ? (
        <EndedMails address={address} topics={ended} returned={mail.returned} />
      ) : null}
      <MailForm
        disabled={address === null || (mail.ended.rating && mail.ended.subscription)}
        next="/account"
      >
        {mail.ended.rating ? null : (
          <>
            <MailCheckbox
              field="receiveRatingEmails"
              label="Receive an Email when I get a new Rating"
              wanted={rating}
              disabled={address === null}
            >
              <p className="quiet">
                We also write when a song of yours is added, and when Spotify no longer plays one.
              </p>
            </MailCheckbox>
            <RhythmChoice rhythm={rhythm} disabled={address === null || !rating} />
          </>
        )}
        {mail.ended.subscription ? null : (
          <MailCheckbox
            field="receiveSubscriptionEmails"
            label="Receive an Email when my Subscription changes"
            wanted={subscription}
            disabled={address === null}
          >
            <p className="quiet">
              That is when Premium begins or ends, when you cancel it, and when a payment fails.
            </p>
          </MailCheckbox>
        )}
      </MailForm>
      {mail.songMailAsked ? (
        <div className="song-mail">
          <p>You have asked for one e-mail when there are songs to rate again.</p>
          <ButtonForm
            action="/song-mail"
            fields={{ wanted: "false", next: "/account" }}
            to="/account"
          >
            Do not send it
          </ButtonForm>
        </div>
      ) : null}
    </>
  );
}

const hours = `between ${digestHour}:00 and ${digestHour + 1}:00 UTC`;
const labels: Record<RatingMailRhythm, string> = {
  each: "After each rating; several in a short time share one e-mail",
  daily: `Once a day, ${hours}`,
  weekly: `Once a week, on Sundays ${hours}`,
};

/** The choice of how often mails about ratings come, in a MailForm. With a script it is saved at once. */
function RhythmChoice({
  rhythm,
  disabled,
}: {
  /** The saved choice. */
  rhythm: RatingMailRhythm;
  /** True if no such mails are sent. */
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
