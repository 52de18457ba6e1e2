import { loginEndedText } from "~/domain/refusal";
import { tierConfigs } from "~/domain/tiers/tiers";
import { Tally } from "~/ui/icons";
import { LoginButton } from "~/ui/login-button";
import { Notice } from "~/ui/notice";
import { premiumPrice } from "~/ui/price";

const { free, premium } = tierConfigs;

/**
 * What a visitor without a login sees at / (spec section 2, "Landing page").
 * `ended`: a login was ended by Spotify, in the middle of something.
 */
export function Landing({ ended }: { ended: boolean }) {
  return (
    <div className="landing">
      {ended ? <Notice tone="info">{loginEndedText}</Notice> : null}
      <section className="hero">
        <h1>Promote your music for free</h1>
        <p className="lead">
          Musicians listen to each other here, and say what they think. Rate a few songs, add one of
          yours, and get 5 ratings from people who really listened. More in the{" "}
          <a href="/faq">FAQ</a>.
        </p>
        <LoginButton />
        <p className="quiet">
          The login is safe: it happens at Spotify, and we never see your password.
        </p>
        <Tally count={5} />
      </section>
      <ol className="steps">
        <li>
          <Tally count={1} />
          <h2>Listen</h2>
          <p>
            Play a song by another musician. After {free.listeningTimeRequired} seconds you can rate
            it.
          </p>
        </li>
        <li>
          <Tally count={2} />
          <h2>Rate</h2>
          <p>Say honestly what you think. The musician never learns who rated.</p>
        </li>
        <li>
          <Tally count={3} />
          <h2>Add yours</h2>
          <p>
            After {free.songsToRateBeforeUpload} rated songs, add your own. It receives 5 ratings,
            and only you see them.
          </p>
        </li>
      </ol>
      <section className="tiers">
        <div>
          <h2>{free.name}</h2>
          <p>
            Everything is possible, at no cost. You listen to a song for{" "}
            {free.listeningTimeRequired} seconds before you rate it, rate{" "}
            {free.songsToRateBeforeUpload} songs before you add one, and see the{" "}
            {free.maxVisibleRatings} most recent ratings of each of your songs.
          </p>
        </div>
        <div>
          <h2>{premium.name}</h2>
          <p>
            {premiumPrice}. You listen for {premium.listeningTimeRequired} seconds, rate{" "}
            {premium.songsToRateBeforeUpload} songs before you add one, and see all ratings of all
            your songs.
          </p>
        </div>
      </section>
    </div>
  );
}
