/**
 * Imprint, contact and privacy policy. `operator` is name and postal address, lines separated
 * by newlines, `mailProvider` the name of the company that sends the mails, `analyticsHost` where visits
 * are counted, or null. Visitors who are not logged in get a way back to the login.
 */
export function Imprint({
  operator,
  contactEmail,
  mailProvider,
  analyticsHost,
  loggedIn,
}: {
  operator: string;
  contactEmail: string;
  mailProvider: string;
  analyticsHost: string | null;
  loggedIn: boolean;
}) {
  const mail = <a href={`mailto:${contactEmail}`}>{contactEmail}</a>;
  return (
    <div className="prose">
      <h1>Imprint</h1>
      <p className="address">{operator}</p>

      <h2>Contact</h2>
      <p>{mail}</p>

      <h2>Privacy Policy</h2>
      <p>
        The operator named above is responsible for the data processed here. This is everything
        Fivefold stores, and why.
      </p>
      <h3>About you</h3>
      <ul>
        <li>
          Your Spotify user id, display name and profile picture's address, to recognise you and
          greet you.
        </li>
        <li>
          Your e-mail address: the one that Spotify gives us, or one that you gave and confirmed;
          any address you asked us to confirm; and which mails you want. We write about the ratings
          of your songs, songs you add, and your subscription. A mail itself is stored until it is
          sent.
        </li>
        <li>
          Your subscription, if you have one: its state, its dates, and its number at Stripe. We
          never see your card.
        </li>
        <li>
          The access Spotify grants us on your behalf (tokens), encrypted. It lets us play songs
          when you ask for it. We never see your password.
        </li>
        <li>
          Your sessions. One cookie in your browser holds a random session id; another one lasts ten
          minutes, while you log in. There are no other cookies and no advertising
          {analyticsHost ? "; how visits are counted is told below." : ", and no tracking."}
        </li>
      </ul>
      <h3>About what you do here</h3>
      <ul>
        <li>The songs you submit.</li>
        <li>
          Your ratings. The owner of a song sees a rating and its date, never who gave it. Nobody
          else sees it.
        </li>
        <li>
          When you began and finished listening to a song you are about to rate, only to make sure
          that songs are heard before they are rated.
        </li>
        <li>A log of logins, submissions and ratings, to find faults and misuse.</li>
      </ul>
      <h3>Who else is involved</h3>
      <ul>
        <li>
          Spotify: login, playback, song titles and covers. Your browser loads covers, and the
          player, from Spotify's servers.
        </li>
        <li>Cloudflare: runs the servers and the database.</li>
        <li>Stripe: takes the payment when you subscribe, and stores what it needs for that.</li>
        <li>{mailProvider}: delivers our mails to you.</li>
        {analyticsHost ? (
          <li>
            {analyticsHost}: counts visits to our pages. Your browser loads a script for that, and
            it reports the page and your browser there. Where your browser sends Do Not Track or
            Global Privacy Control, none of that happens.
          </li>
        ) : null}
      </ul>
      <p>We sell no data and pass it to nobody else.</p>
      <h3>Your rights</h3>
      <p>
        You may see, correct, take with you or delete your data, object to its use, and complain to
        a data protection authority. Write to {mail}; data is deleted within 5 days. You can end
        Fivefold's access to Spotify at any time on{" "}
        <a href="https://www.spotify.com/account/apps/">your Spotify account's page</a>.
      </p>
      {loggedIn ? null : (
        <p>
          <a className="button plain" href="/">
            Take Me Back to the Login Screen
          </a>
        </p>
      )}
    </div>
  );
}
