import type { AccountEmail } from "~/mailing/email-preferences";
import type { WaysView } from "~/members/views";
import { AgainNotice } from "./address";

export function AccountWays({
  ways,
  mail,
  again,
}: {
  ways: WaysView;
  mail: AccountEmail;
  again: boolean;
}) {
  return (
    <>
      <ul>
        {ways.spotify || ways.spotifyOpen ? (
          <li>
            <SpotifyWay ways={ways} />
          </li>
        ) : null}
        <li>
          <EmailWay mail={mail} />
        </li>
      </ul>
      {ways.connected || !ways.spotifyOpen ? null : (
        <>
          {again ? <AgainNotice /> : null}
          {/* Leads to Spotify, so the whole document must go. */}
          <form method="post" action="/account/spotify">
            <input type="hidden" name="next" value="/account#ways" />
            <button className="button plain" type="submit">
              Connect Spotify
            </button>
          </form>
        </>
      )}
    </>
  );
}

function SpotifyWay({ ways: { spotify, connected } }: { ways: WaysView }) {
  if (spotify === null) {
    return "With Spotify: not yet. Connect it to submit songs from there and, with Spotify Premium, to hear those of others.";
  }
  return (
    <>
      <span>With Spotify, as </span>
      <bdi>{spotify}</bdi>
      <span>{connected ? ". It is connected." : ". In this login it is not connected."}</span>
    </>
  );
}

function EmailWay({ mail: { address, own, waiting } }: { mail: AccountEmail }) {
  if (own) {
    return (
      <>
        <span>By e-mail, with a code that we send to </span>
        <bdi>{address}</bdi>
      </>
    );
  }
  return waiting ? (
    <span key="waiting">By e-mail: once you have confirmed your address.</span>
  ) : (
    <span key="none">
      By e-mail: not yet. Confirm an address below, and you can log in with it.
    </span>
  );
}
