import { LoginButton } from "~/components/layout/login-button";
import { Notice } from "~/components/notice";
import { tierConfigs } from "~/members/tiers";

const { premium } = tierConfigs;

/** The result of a checkout, as the page shows it. */
export type ShownResult =
  /** Not paid yet; `again` is the address to open later. */
  | { state: "processing"; again: string }
  /**
   * Paid. `email` is null for everybody but the buyer; `known` is true if the checkout belongs to a user, and
   * `written` if that user has Premium.
   */
  | { state: "success"; email: string | null; written: boolean; known: boolean }
  | { state: "error"; error: string };

/** The result of a checkout. */
export function SubscriptionResult({
  result,
  loggedIn,
  returnTo,
  contact,
}: {
  result: ShownResult;
  loggedIn: boolean;
  /** The path where the checkout was begun, or the best guess at it. */
  returnTo: string;
  /** The operator's e-mail address. */
  contact: string;
}) {
  switch (result.state) {
    case "processing":
      return (
        <div className="prose">
          <h1>Your subscription</h1>
          <Notice tone="info">Processing your subscription...</Notice>
          <a className="button" href={result.again}>
            Check again
          </a>
        </div>
      );
    case "error":
      return (
        <div className="prose">
          <h1>Your subscription</h1>
          <Notice tone="error">{result.error}</Notice>
          <a className="button" href="/">
            Go to Homepage
          </a>
        </div>
      );
    case "success":
      return (
        <div className="prose">
          <h1>Thank you for subscribing!</h1>
          {result.email ? (
            <p className="lead">
              Subscription e-mail: <bdi>{result.email}</bdi>
            </p>
          ) : null}
          {result.known && !result.written ? (
            <Notice tone="error">
              This subscription does not give you Premium at the moment. If you have just paid, open
              this page again in a moment, or write to <a href={`mailto:${contact}`}>{contact}</a>.
            </Notice>
          ) : result.known ? (
            <>
              <p>
                {`From now on you rate after ${premium.requiredSeconds} seconds, add a song after ${premium.ratingsToSubmit} ratings, and see all ratings of your songs.`}
              </p>
              <p className="quiet">
                Premium belongs to the Spotify account with which you started, whatever e-mail
                address you paid with.
              </p>
            </>
          ) : (
            <p>
              The e-mail address of your Spotify Premium account must match the subscription e-mail.
              Confirm that address in <a href="/account">your account</a>, and open this page again
              afterwards. If that does not help, please write to{" "}
              <a href={`mailto:${contact}`}>{contact}</a> with both addresses.
            </p>
          )}
          {loggedIn ? (
            <a className="button" href={returnTo}>
              {returnTo === "/" ? "Take me to the Carousel" : "Take me back"}
            </a>
          ) : (
            <LoginButton />
          )}
        </div>
      );
  }
}
