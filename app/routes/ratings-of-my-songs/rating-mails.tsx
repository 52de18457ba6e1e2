import { Link } from "@remix-run/react";
import { EndedMails, MailCheckbox, MailForm } from "~/components/form/mail-preferences";
import type { EmailPreferences } from "~/members/email-preferences";

/** The choice of mails about new ratings, with their address. */
export function RatingMails({
  mail,
}: {
  mail: Pick<EmailPreferences, "address" | "rating" | "ended" | "returned">;
}) {
  if (mail.address && mail.ended.rating) {
    return <EndedMails address={mail.address} topics={["rating"]} returned={mail.returned} />;
  }
  return (
    <MailForm disabled={mail.address === null} next="/ratings-of-my-songs">
      <MailCheckbox
        field="receiveRatingEmails"
        label="Receive an Email when I get a new Rating"
        wanted={mail.rating}
        disabled={mail.address === null}
      >
        <p className="quiet">
          {mail.address ? (
            <span>
              <bdi>{mail.address}</bdi> <Link to="/account">Change</Link>
            </span>
          ) : (
            <span>
              We do not know your address. <Link to="/account">Give us one</Link>
            </span>
          )}
        </p>
      </MailCheckbox>
    </MailForm>
  );
}
