import type { Returned } from "~/members/email-preferences";

const whyEnded: Record<Returned | "unsubscribed", string> = {
  bounced: "An e-mail of ours to this address has come back.",
  complained: "An e-mail of ours to this address was reported as spam.",
  unsubscribed: "This address has unsubscribed from our e-mails.",
};

/** Asks for confirmation of an address for mails, or says that it is confirmed. */
export function ConfirmEmail({
  token,
  address,
  displayName,
  current,
  ended,
  returned,
}: {
  token: string;
  address: string;
  /** The display name of the account that gave the address. */
  displayName: string;
  /** True if the address is confirmed. */
  current: boolean;
  /** True if some mails to the address have ended, which confirming brings back. */
  ended: boolean;
  /** Why, if it has not unsubscribed from them. */
  returned: Returned | null;
}) {
  if (current) {
    return (
      <div className="prose">
        <h1>Your address is confirmed</h1>
        <p className="lead">
          E-mails for <bdi>{displayName}</bdi> go to <bdi>{address}</bdi> from now on.
        </p>
        <a className="button" href="/ratings-of-my-songs">
          See the ratings of my songs
        </a>
      </div>
    );
  }
  return (
    <div className="prose">
      <h1>Is this your address?</h1>
      <p className="lead">
        <bdi>{displayName}</bdi> on Fivefold would like to get e-mails at <bdi>{address}</bdi>.
      </p>
      {ended ? (
        <p>
          {`${whyEnded[returned ?? "unsubscribed"]} If you confirm it, they will be sent again, as long as they are switched on in that account.`}
        </p>
      ) : null}
      <form method="post" action={`/confirm-email?token=${encodeURIComponent(token)}`}>
        <button className="button" type="submit">
          Yes, confirm my address
        </button>
      </form>
      <p className="quiet">
        If this is not you, just close this page: nothing will be sent to you.
      </p>
    </div>
  );
}
