/** Asks for confirmation of an address for mails, or says that it is confirmed. */
export function ConfirmEmail({
  token,
  address,
  displayName,
  current,
  ended,
}: {
  token: string;
  address: string;
  /** The display name of the account that gave the address. */
  displayName: string;
  /** True if the address is confirmed. */
  current: boolean;
  /** True if the address has unsubscribed from some mails, which confirming brings back. */
  ended: boolean;
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
          This address has unsubscribed from our e-mails. If you confirm it, they will be sent
          again, as long as they are switched on in that account.
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
