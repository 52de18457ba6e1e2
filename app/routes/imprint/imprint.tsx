import { retentionDays } from "~/domain/retention/periods";
import { sessionLifetime } from "~/domain/session/lifetime";
import { counted } from "~/platform/text";

const dayMs = 24 * 60 * 60 * 1000;
const idleDays = sessionLifetime.idleMs / dayMs;
const absoluteDays = sessionLifetime.absoluteMs / dayMs;

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
  copies,
  loggedIn,
}: {
  operator: string;
  contactEmail: string;
  mailProvider: string;
  analyticsHost: string | null;
  /** Somebody gets a copy of each mail about songs. */
  copies: boolean;
  loggedIn: boolean;
}) {
  const mail = <a href={`mailto:${contactEmail}`}>{contactEmail}</a>;
  return (
    <div className="prose">
      <h1>Imprint</h1>
      <p className="operator-address">{operator}</p>

      <h2>Contact</h2>
      <p>{mail}</p>

      <h2>Privacy Policy</h2>
      <p>
        The operator named above is responsible for the data processed here. This is everything
        Fivefold stores, what for, and for how long: until you delete your account, where nothing
        else is said.
      </p>
      <h3>About you</h3>
      <ul>
        <li>
          Your Spotify user id, display name and profile picture's address, to recognise you and
          greet you.
        </li>
        <li>
          Your e-mail address: the one that Spotify gives us, or one that you gave and confirmed;
          and which mails you want. We write about the ratings of your songs, songs you add, and
          your subscription. An address you did not confirm is kept for{" "}
          {days(retentionDays.confirmations)}, and as long a fingerprint of it and of your Spotify
          user id, so that nobody's mailbox can be filled from here.
        </li>
        <li>
          That a mail was owed and sent, for {days(retentionDays.mails)}, so that none goes out
          twice. What is in it is stored until it is sent; if it cannot be delivered, as long.
        </li>
        <li>
          Your subscription, if you have one: its state, its dates, and its and your number at
          Stripe. We never see your card. The numbers of Stripe's messages to us are kept for{" "}
          {days(retentionDays.billingEvents)}.
        </li>
        <li>
          Your sessions: when each began and was last used, browser and system in a word or two, and
          where you are in the carousel. One ends after {days(idleDays)} without use, after{" "}
          {days(absoluteDays)} in any case, or when you log out, and is forgotten then.
        </li>
        <li>
          With each session the access Spotify grants us on your behalf (tokens), encrypted. It lets
          us play songs when you ask for it. We never see your password.
        </li>
        <li>
          One cookie in your browser holds a random session id; another one lasts ten minutes, while
          you log in; and a third says for ten minutes when you last changed something, so that you
          see it at once. There are no other cookies and no advertising
          {analyticsHost ? "; how visits are counted is told below." : ", and no tracking."}
        </li>
      </ul>
      <h3>About what you do here</h3>
      <ul>
        <li>The songs you submit, how many ratings each is owed, and how many you have given.</li>
        <li>
          The songs drawn for you to rate, and which of them you added to your favorites here, until
          the next are drawn; and how far down the list of songs you have come, for{" "}
          {days(retentionDays.windows)} after you last drew some.
        </li>
        <li>
          Your ratings. The owner of a song sees a rating and its date, never who gave it. Nobody
          else sees it.
        </li>
        <li>
          When you began and finished listening to a song you are about to rate, and whether Spotify
          confirmed it, only to make sure that songs are heard before they are rated, for{" "}
          {days(retentionDays.listens)}.
        </li>
        <li>
          A log of logins, submissions and ratings, to find faults and misuse, for{" "}
          {days(retentionDays.log)}.
        </li>
      </ul>
      <h3>About your visits</h3>
      <p>
        Your internet address is not stored. For a minute it is counted how much comes from it, so
        that nobody floods the site. The servers' log of requests has no names or addresses in it,
        your number at Stripe where something is wrong with a payment, and is kept for a week at
        most. The database can be restored as it was at any time of the last{" "}
        {days(retentionDays.backups)}; what is deleted is gone from there after that. Of a deleted
        account its random number here is kept for {days(retentionDays.deletions)}, to delete it
        again should the database be restored.
      </p>
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
      {copies ? <p>The operator gets a copy of each mail about songs.</p> : null}
      <p>
        We sell no data and pass it to nobody else. What these companies keep of it they keep by
        their own policies; Stripe keeps invoices, as the law asks. We process it to give you what
        you signed up for, and the log and the counts to keep that safe (Art. 6 (1) b and f GDPR).
      </p>
      <h3>Your rights</h3>
      <p>
        In <a href="/account">your account</a> you can download everything that is stored about you,
        and delete it: your songs are withdrawn, your subscription ends, and the ratings you gave
        stay without anything that leads back to you. You may also correct your data, have their use
        limited, object to it, and complain to a data protection authority. Write to {mail}; what
        you ask for is done within 5 days. You can end Fivefold's access to Spotify at any time on{" "}
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

function days(count: number): string {
  return counted(count, "day");
}
