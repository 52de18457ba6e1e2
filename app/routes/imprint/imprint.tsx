import { Link } from "@remix-run/react";
import { cloudflareDays, retentionDays } from "~/domain/retention/periods";
import { sessionLifetime } from "~/domain/session/lifetime";
import { counted } from "~/platform/text";

const dayMs = 24 * 60 * 60 * 1000;
const idleDays = sessionLifetime.idleMs / dayMs;
const absoluteDays = sessionLifetime.absoluteMs / dayMs;

/** Imprint, contact and privacy policy. Visitors get a link back to the login. */
export function Imprint({
  operator,
  contactEmail,
  analyticsHost,
  copies,
  loggedIn,
}: {
  /** Name and postal address, one line each. */
  operator: string;
  contactEmail: string;
  /** The host that counts visits; null without analytics. */
  analyticsHost: string | null;
  /** True if the operator gets a copy of each mail about songs. */
  copies: boolean;
  loggedIn: boolean;
}) {
  const mail = <a href={`mailto:${contactEmail}`}>{contactEmail}</a>;
  return (
    <div className="prose imprint">
      <h1>Imprint</h1>
      <p className="operator-address">{operator}</p>

      <h2>Contact</h2>
      <p>{mail}</p>

      <h2>Privacy Policy</h2>
      <p>
        The operator named above is responsible for the data processed here. This is everything that
        Fivefold stores, why, and for how long. Where no period is given, it is kept until you
        delete your account.
      </p>
      <h3>About you</h3>
      <ul>
        <li>
          Your Spotify user id, your display name and the address of your profile picture, to
          recognise you and to greet you.
        </li>
        <li>
          Your e-mail address, and which e-mails you want and how often. The address is the one that
          Spotify gives us, or one that you gave us and confirmed. We write to you about the ratings
          of your songs, songs you add, and your subscription; and, if you ask for it, once when
          there are songs to rate again. An address that you have not confirmed is kept for{" "}
          {days(retentionDays.confirmations)}. A fingerprint of it and of your Spotify user id is
          kept for the same time, so that nobody can use Fivefold to fill another person's mailbox.
        </li>
        <li>
          If you unsubscribe by the link in an e-mail: a fingerprint of your address, from which the
          address cannot be read, and the kind of e-mail. It is kept until you confirm the address
          by a link that we send you, even after an account is deleted, because nothing else would
          keep such e-mails from coming again.
        </li>
        <li>
          A record of each e-mail that we owe you or have sent you, for {days(retentionDays.mails)},
          so that none is sent twice. The content of an e-mail is stored until it is sent or, if it
          cannot be delivered, for the same time.
        </li>
        <li>
          Your subscription, if you have one: its status, its dates and price, its number at Stripe,
          your customer number there, and the page on which you began to subscribe. We never see
          your card. The numbers of the messages that Stripe sends us are kept for{" "}
          {days(retentionDays.billingEvents)}.
        </li>
        <li>
          Your sessions: when each began and was last used, the name of your browser and operating
          system, and whether your Spotify account is Premium, if Spotify tells us. A session ends
          when you log out, after {days(idleDays)} without use, and after {days(absoluteDays)} in
          any case. It is deleted then.
        </li>
        <li>
          With each session, the access to Spotify that you have granted us (tokens), encrypted. It
          lets us play songs when you ask for it, and read and change your playlists only if you
          have allowed that too, which we ask for when you first add a song to one; with each
          session we store whether you have. We never see your password.
        </li>
        <li>
          One cookie in your browser holds a random session id. Another lasts ten minutes, while you
          log in. A third one says for ten minutes when you last changed something, so that you see
          the change at once. If you switch the keys of the carousel off, fold up its question for
          reasons or change the volume, your browser remembers that itself. There are no other
          cookies and no advertising
          {analyticsHost ? "; how visits are counted is explained below." : ", and no tracking."}
        </li>
      </ul>
      <h3>About what you do here</h3>
      <ul>
        <li>
          The songs you submit, how many ratings each of them is owed, and how many ratings you have
          given. Also the main artist of each of your songs on Spotify, and that artist's number
          there: songs that credit that artist, or an artist of your name, are not offered to you.
        </li>
        <li>
          Which of your songs you have taken out of the rotation, and what you have published of the
          ratings of a song, with its address, until you take it back. Whoever has the address sees
          it, and your song's cover and title with it; it may show for a minute after you have taken
          it back.
        </li>
        <li>
          When you were last here, and two small counters that choose which songs are drawn for you.
        </li>
        <li>
          The songs drawn for you to rate, and which of them you added to your favorites here and
          have not taken back, until the next songs are drawn. What Spotify tells of the favorites
          you have there is shown to you and not kept. How far you have come in the list of songs is
          kept for {days(retentionDays.windows)} after you last got further, and while you wait for
          an e-mail that there are songs again.
        </li>
        <li>
          That you asked for an e-mail when there are songs to rate again, when we last looked for
          some, and since when there are any: until the e-mail is owed to you, you take it back, or
          you come back and songs are drawn for you or you play one, and for{" "}
          {days(retentionDays.songWishes)} at most.
        </li>
        <li>
          That Spotify did not play a song for you, when you tried to listen to it, and when the
          song was next found to play, for {days(retentionDays.refusals)}. If that happens to three
          people, the song rests; its owner is not told who they are.
        </li>
        <li>
          Which songs you said that you cannot rate, when, and which of the reasons you chose, so
          that they are not offered to you again. The owner of a song is not told. If you report a
          song, we keep what you wrote for {days(retentionDays.reports)}, and that it was you only
          until the report is closed or you delete your account.
        </li>
        <li>
          Your ratings, and your reasons if you give any: what you liked and what could be better.
          The owner of a song sees a rating and its date, but never who gave it; and of the reasons
          only how often each was given, once three people have given it, and counted in groups of
          three people. Nobody else sees them, but once a song has five ratings, its owner may
          publish how many there are of each kind. If you delete your account, ratings and reasons
          stay, without your name.
        </li>
        <li>
          Into which of your playlists you have put a song here, and when, for{" "}
          {days(retentionDays.playlistAdds)}. If you had rated it “Added to my playlist!” within the
          day before, the rating remembers that this is so, without a time: once it is so for three
          people, the song’s owner sees their number, counted in groups of three people. What else
          is in your playlists is not stored.
        </li>
        <li>
          If you delete your account: that you did and when, under a fingerprint of your Spotify
          account, with the songs that you had rated or that Spotify did not play for you, but not
          how you rated them, for {days(retentionDays.departures)}. The fingerprint is made with a
          secret key, without which it does not reveal the account. If you log in again meanwhile,
          these songs are not offered to you, and on the first day none are. The only purpose of
          this is that nobody rates a song twice, chooses which songs to rate, or gets around a
          limit by deleting an account and coming back.
        </li>
        <li>
          When you started and finished listening to a song that you want to rate, and whether
          Spotify confirmed it, for {days(retentionDays.listens)}. While you listen, we ask Spotify
          at a random moment whether the song is playing, and keep how far it had come. The only
          purpose of this is to make sure that songs are heard before they are rated.
        </li>
        <li>
          What the operator has decided about your songs or your account, and why, for{" "}
          {days(retentionDays.operatorLog)}. If we take no more songs from you, we keep that, the
          reason and a fingerprint of your Spotify account until it ends, even after you delete your
          account here. The operator sees what a question of yours needs, but neither whom you have
          rated nor who has rated you.
        </li>
        <li>
          A log of logins, submissions (also those taken back) and ratings, to find faults and
          misuse, for {days(retentionDays.log)}.
        </li>
      </ul>
      <h3>About your visits</h3>
      <p>
        Your internet address is not stored. For a minute we count how many requests come from it,
        so that nobody can flood the site. The servers' log of requests contains no names and no
        addresses; if something is wrong with a payment, it contains your number at Stripe, as does
        an e-mail to us about a payment of which we cannot tell whose it is. The log is kept for a
        week at most. The database can be restored to any point in the last{" "}
        {days(cloudflareDays.backups)}, and deleted data can be recovered for that long. When an
        account is deleted, its random number here is kept for {days(cloudflareDays.deletions)}, so
        that it can be deleted again if the database is restored.
      </p>
      <h3>Who else is involved</h3>
      <ul>
        <li>
          Spotify: login, playback, song titles and covers. Your browser loads the covers and the
          player from Spotify's servers.
        </li>
        <li>Cloudflare: runs the servers and the database.</li>
        <li>Stripe: takes the payment when you subscribe, and stores what it needs for that.</li>
        <li>Resend: delivers our e-mails to you.</li>
        {analyticsHost ? (
          <li>
            {analyticsHost}: counts visits to the start page, the FAQ and this page, of people who
            are not logged in. Your browser loads a script for this, which reports the page and your
            browser to it. If your browser sends Do Not Track or Global Privacy Control, none of
            this happens.
          </li>
        ) : null}
      </ul>
      {copies ? <p>The operator gets a copy of each e-mail about songs.</p> : null}
      <p>
        We do not sell data, and we pass it to nobody else. These companies keep data according to
        their own policies; Stripe keeps invoices, as the law requires. We process your data to
        provide the service that you signed up for; the log, the counts and the fingerprints serve
        to keep it secure (Art. 6 (1) b and f GDPR).
      </p>
      <h3>Your rights</h3>
      <p>
        In <Link to="/account">your account</Link> you can download everything that is stored about
        you, and delete it: your songs are withdrawn, your subscription ends, and the ratings you
        gave stay, without your name. What is kept after that is described above, and is deleted by
        itself. You may also correct your data, have its use restricted, object to it, and complain
        to a data protection authority. Write to {mail}; we will do what you ask within 5 days. You
        can end Fivefold's access to Spotify at any time on{" "}
        <a href="https://www.spotify.com/account/apps/">your account page at Spotify</a>.
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
