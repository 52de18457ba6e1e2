import { useContext } from "react";
import { ButtonForm } from "~/components/form/button-form";
import { EndedMails, MailCheckbox, MailForm } from "~/components/form/mail-preferences";
import { PremiumContext } from "~/components/premium/premium-context";
import { type AccountEmail, mailTopics } from "~/mailing/email-preferences";
import { RhythmChoice } from "./rhythm-choice";

export function AccountMails({ mail }: { mail: AccountEmail }) {
  const { address, rating, subscription, rhythm } = mail;
  const isSold = useContext(PremiumContext) !== "none";
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
                We also write when a song of yours is submitted, and when Spotify no longer plays
                one.
              </p>
            </MailCheckbox>
            <RhythmChoice rhythm={rhythm} disabled={address === null || !rating} />
          </>
        )}
        {mail.ended.subscription || !isSold ? null : (
          <MailCheckbox
            field="receiveSubscriptionEmails"
            label="Receive an Email when my Subscription changes"
            wanted={subscription}
            disabled={address === null}
          >
            <p className="quiet">
              That is when Fivefold Premium begins or ends, when you cancel it, and when a payment
              fails.
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
