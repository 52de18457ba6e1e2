import { EndedMails } from "~/components/form/ended-mails";
import { MailCheckbox } from "~/components/form/mail-checkbox";
import { Notice } from "~/components/notice";
import { SubscriptionState } from "~/components/premium/subscription-state";
import { type AccountEmail, mailTopics } from "~/domain/contact/email-preferences";
import type { SessionView, ViewerView } from "~/domain/session/views";
import { AccountData } from "./data";
import { AccountSessions } from "./sessions";

/** The account screen: address, mails, subscription, sessions and data. */
export function Account({
  viewer,
  mail,
  sessions,
  now,
  saved,
  ended: sessionEnded,
  again,
  entered,
}: {
  viewer: ViewerView;
  mail: AccountEmail;
  sessions: SessionView[];
  /** The server's clock when the data was loaded, in epoch milliseconds. */
  now: number;
  /** A plain form has just saved a choice. */
  saved: boolean;
  /** A login has just been ended. */
  ended: boolean;
  /** What the user has logged in again for, and can press again now: "address", "removal" or "delete". */
  again: string | null;
  /** The address that was entered before that, or null. */
  entered: string | null;
}) {
  const { address, own, waiting } = mail;
  const ended = mailTopics.filter((topic) => mail.ended[topic]);
  return (
    <div className="prose">
      <h1>Your account</h1>
      <p className="lead">
        <bdi>{viewer.displayName}</bdi>
      </p>
      {saved ? <Notice tone="ok">Your choice is saved.</Notice> : null}
      {sessionEnded ? <Notice tone="ok">That login has ended.</Notice> : null}
      <h2 id="address">E-mail address</h2>
      <CurrentAddress address={address} own={own} />
      {own && again === "removal" ? <AgainNotice /> : null}
      {own ? (
        <form method="post" action="/account/email/remove">
          <button className="button plain" type="submit">
            Remove my address
          </button>
        </form>
      ) : null}
      {waiting ? (
        <>
          <Notice tone="info">
            We have mailed a link to <bdi>{waiting}</bdi>. Open it within 24 hours to confirm that
            the address is yours. Nothing changes until then.
          </Notice>
          <form method="post" action="/account/email/remove">
            <input type="hidden" name="waiting" value="1" />
            <button className="button plain" type="submit">
              Forget this address
            </button>
          </form>
        </>
      ) : null}
      {again === "address" ? <AgainNotice /> : null}
      <form className="field" method="post" action="/account/email">
        <label htmlFor="new-address">{address ? "Another address" : "Your address"}</label>
        <div className="field-row">
          <input
            id="new-address"
            name="address"
            type="email"
            autoComplete="email"
            maxLength={254}
            defaultValue={entered ?? undefined}
            required
          />
          <button className="button" type="submit">
            Send me a confirmation link
          </button>
        </div>
      </form>
      <h2>E-mails</h2>
      {address && ended.length > 0 ? <EndedMails address={address} topics={ended} /> : null}
      {mail.ended.rating ? null : (
        <MailCheckbox
          field="receiveRatingEmails"
          label="Receive an Email when I get a new Rating"
          wanted={mail.rating}
          disabled={address === null}
          next="/account"
        />
      )}
      {mail.ended.subscription ? null : (
        <MailCheckbox
          field="receiveSubscriptionEmails"
          label="Receive an Email when something is wrong with my subscription"
          wanted={mail.subscription}
          disabled={address === null}
          next="/account"
        />
      )}
      {mail.songMailAsked ? (
        <form className="song-mail" method="post" action="/song-mail">
          <p>You have asked for an e-mail when there are songs to rate again.</p>
          <input type="hidden" name="wanted" value="false" />
          <input type="hidden" name="next" value="/account" />
          <button className="button plain" type="submit">
            Do not send it
          </button>
        </form>
      ) : null}
      {address ? null : <p className="quiet">You need to give an address to get e-mails.</p>}
      <h2>Subscription</h2>
      <SubscriptionState subscription={viewer.subscription} />
      <AccountSessions sessions={sessions} now={now} />
      <AccountData
        subscribed={viewer.subscription.tier === "premium"}
        again={again === "delete" ? <AgainNotice /> : null}
      />
    </div>
  );
}

/** What was asked for needed a recent login, and waits for another press. */
function AgainNotice() {
  return (
    <Notice tone="info">
      Thank you, we know that it is you. Nothing was changed yet: please press the button again.
    </Notice>
  );
}

function CurrentAddress({ address, own }: { address: string | null; own: boolean }) {
  if (!address) {
    return <p>Spotify does not tell us your address. Give us one to hear about new ratings.</p>;
  }
  return (
    <p>
      Your e-mails go to{" "}
      <strong>
        <bdi>{address}</bdi>
      </strong>
      , {own ? "which you have confirmed." : "the address of your Spotify account."}
    </p>
  );
}
