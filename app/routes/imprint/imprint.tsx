import { Link } from "@remix-run/react";
import { cloudflareDays, newestKept, retentionDays } from "~/db/periods";
import { answerDays } from "~/db/rules";
import { knownBrowserDays, sessionLifetime } from "~/members/lifetime";
import { dayMs } from "~/platform/dates";
import type { Offers } from "~/platform/env";
import { counted } from "~/platform/text";

const idleDays = sessionLifetime.idleMs / dayMs;
const absoluteDays = sessionLifetime.absoluteMs / dayMs;

export function Imprint({
  operator,
  contactEmail,
  offers: { spotify, premium },
  analyticsHost,
  copies,
  loggedIn,
}: {
  operator: string;
  contactEmail: string;
  offers: Offers;
  /** The host that counts visits; null without analytics. */
  analyticsHost: string | null;
  copies: boolean;
  loggedIn: boolean;
}) {
  const isSold = premium !== "none";
  const mail = <a href={`mailto:${contactEmail}`}>{contactEmail}</a>;
  const fingerprints = `fingerprints of ${spotify ? "your Spotify account and " : ""}your confirmed e-mail address`;
  return (
    <div className="prose imprint">
      <h1>Imprint</h1>
      <p className="operator-address">{operator}</p>

      <h2>Contact</h2>
      <p>{mail}</p>

      <h2>Having something taken down</h2>
      <p>
        Is something here yours, and may not be here, or is it against the law?{" "}
        <Link to="/notice">Tell us on this page</Link>, or write to {mail}: the title and the
        artist, or the address where you found it, what is wrong with it, and how we can reach you.
        We will answer within {days(answerDays)}. What may not be here we take out and delete. Who
        submitted it hears why, but not who you are, and can answer. Members can also report a song
        where it plays.
      </p>

      <h2>Privacy Policy</h2>
      <p>
        The operator named above is responsible for your data here. This is everything that Fivefold
        stores, why, and for how long. Where no period is given, it is kept until you delete your
        account.
      </p>
      <h3>About you</h3>
      <ul>
        <li>
          {spotify
            ? "Your name and, if you log in with Spotify, your user id and the address of your profile picture there, to recognise you and to greet you."
            : "Your name, to greet you."}
        </li>
        <li>
          Your e-mail address, and which e-mails you want and how often. The address is{" "}
          {spotify ? "the one that Spotify gives us, or " : ""}one that you gave us and confirmed.
          We write to you about the ratings of your songs, the songs you add, and{" "}
          {isSold ? "your subscription" : "our terms"}; and once, if you ask for it, when there are
          songs to rate again. An address that you have not confirmed is kept for{" "}
          {days(retentionDays.proofs)}.{" "}
          {spotify
            ? "Fingerprints of it, of your Spotify user id and of the address that you log in with are kept"
            : "A fingerprint of it and one of the address that you log in with are kept"}{" "}
          just as long, so that nobody can use Fivefold to flood somebody's mailbox.
        </li>
        <li>
          If a code is asked for to log in by e-mail: the address, when that was, how often a wrong
          code was typed, and fingerprints of the network address and the browser that asked; for{" "}
          {days(retentionDays.proofs)}, so that nobody can guess codes or flood somebody's mailbox.
          The code itself is stored nowhere.
        </li>
        <li>
          Beside each song that waits for ratings, how many have come from which network: as a keyed
          mark, from which the network cannot be read and which names no listener, so that nobody
          can give a song all its ratings. It is deleted once all five are in.
        </li>
        <li>
          If you unsubscribe by the link in an e-mail: the kind of e-mail, and a fingerprint of your
          address, from which the address cannot be read. Both are kept until you confirm the
          address by a link that we send you, even if an account is deleted, because otherwise such
          e-mails could come again.
        </li>
        <li>
          If an e-mail to you comes back, or you report one as spam: that fact, and the same
          fingerprint of your address. The first is kept for {days(retentionDays.bounces)}, the
          second until you confirm the address.
        </li>
        <li>
          A record of each e-mail that we send you or are about to, for {days(retentionDays.mails)},
          so that none is sent twice. Its content is kept until it is sent or, if it cannot be
          delivered, just as long.
        </li>
        {isSold ? (
          <li>
            Your subscription, if you have one: its status, its dates and price, its number at
            Stripe, your customer number there, and the page from which you subscribed. We never see
            your card. The numbers of the messages that Stripe sends us are kept for{" "}
            {days(retentionDays.billingEvents)}. If you cancel or withdraw without a login: the
            address that you enter, when that was, and a fingerprint of the network address, for{" "}
            {days(retentionDays.declarations)}.
          </li>
        ) : null}
        <li>
          Your logins: when each began and was last used, the name of your browser and operating
          system
          {spotify ? ", and whether your Spotify account is Premium, if Spotify tells us" : ""}. A
          login ends when you log out, after {days(idleDays)} without use, and after{" "}
          {days(absoluteDays)} in any case. It is deleted then.
        </li>
        {spotify ? (
          <li>
            With each login at Spotify, the access to Spotify that you gave us (tokens), encrypted.
            It lets us play songs when you ask for it. It lets us read and change your playlists
            only if you have allowed that too, which we ask for when you first add a song to one; we
            store with the login whether you have. We never see your password.
          </li>
        ) : null}
        <li>
          One cookie in your browser holds a random id of your login. Another lasts ten minutes,
          while you log in. A third says for ten minutes when you last changed something, so that
          you see the change at once. A fourth stays for {days(knownBrowserDays)} after a login by
          e-mail: a random id, and a fingerprint of your address, so that nobody can keep you from
          getting a code there. It tells nobody your address, and logs nobody in. If you switch the
          keys of the carousel off, fold up its question for reasons or change the volume, your
          browser keeps that to itself. There are no other cookies and no advertising
          {analyticsHost ? "; how visits are counted is explained below." : ", and no tracking."}
        </li>
      </ul>
      <h3>About what you do here</h3>
      <ul>
        <li>
          The songs you submit, how many ratings each is owed, and how many ratings you have given.
          {spotify
            ? " Also the main artist of each of your songs on Spotify, and that artist's number there: you are not offered songs that credit that artist, or an artist of your name."
            : null}
        </li>
        <li>
          Which of your songs you have taken out of the rotation; and what you have published of a
          song's ratings, with its address, until you take it back. Whoever has the address sees it,
          with your song's cover and title; it may show for another minute after you have taken it
          back.
        </li>
        <li>
          The rounds that you open or take a seat in: their names, your song, when you came, whether
          you have listened, and whether you show your marks. Their members see your name and your
          song, and once the round is open, your marks if you show them. A round that too few have
          joined is deleted after {days(retentionDays.roundsEnded)}. If you delete your account,
          your seat goes with it.
        </li>
        <li>When you were last here, and two small counters that help to choose your songs.</li>
        <li>
          The songs drawn for you to rate
          {spotify
            ? ", and which of them you added to your favorites here and have not removed"
            : ""}
          , until the next songs are drawn.{" "}
          {spotify
            ? "What Spotify says about your favorites there is shown to you and not kept. "
            : ""}
          How far you have come in the list of songs is kept for {days(retentionDays.windows)} after
          you last got further, and as long as you wait for an e-mail that there are songs again.
        </li>
        <li>
          If you ask for an e-mail when there are songs to rate again: that you did, when we last
          looked for songs, and since when there are any. This is kept until the e-mail is about to
          be sent, you take your wish back, or you return and songs are drawn for you or you play
          one; for {days(retentionDays.songWishes)} at most.
        </li>
        <li>
          If you ask to be told when a song is out: which song, and when you asked, until the e-mail
          is about to be sent or you take your wish back; for {days(retentionDays.releaseWishes)} at
          most. If you ask within a day of your rating, that is noted with it, without a time. Once
          three people have done so, the song’s owner sees how many, counted three people at a time.
        </li>
        <li>
          If a song does not play for you: which song, when, and when it was next found to play, for{" "}
          {days(retentionDays.refusals)}. If that happens to three people, the song rests; its owner
          is not told who they are.
        </li>
        <li>
          Which songs you said you cannot rate, when, and for which reason, so that they are not
          offered to you again. Their owners are not told. Whoever runs Fivefold sees how many
          people say that a song sounds generated, but not who they are. If you report a song, we
          keep what you wrote for {days(retentionDays.reports)}, and that it was you only until the
          report is closed or you delete your account. You get our decision by e-mail.
        </li>
        <li>
          Your ratings, and your reasons if you give any: what you liked and what could be better.
          The owner of a song sees a rating and its date, but never who gave it. Of the reasons, the
          owner sees only how often each was given, once three people have given it, and counted
          three people at a time. Nobody else sees any of this, but once a song has five ratings,
          its owner may publish how many there are of each kind. If you delete your account, ratings
          and reasons stay, without your name.
        </li>
        {spotify ? (
          <li>
            Into which of your playlists you have put a song here, and when, for{" "}
            {days(retentionDays.playlistAdds)}. If you rated it “Added to my playlist!” within the
            day before, it is noted with the rating that you really did, without a time. Once three
            people have done so, the song’s owner sees how many, counted three people at a time.
            What else is in your playlists is not stored.
          </li>
        ) : null}
        <li>
          If you delete your account: that you did, and when, {`under ${fingerprints}`}, with the
          songs that you had rated{spotify ? " or that Spotify did not play for you" : ""}, but not
          how you rated them, for {days(retentionDays.departures)}. Fingerprints are made with a
          secret key, without which they reveal nothing. If you come back{" "}
          {spotify ? "by either way in" : "with that address"} in that time, these songs are not
          offered to you, and on the first day none are. This only makes sure that nobody rates a
          song twice, chooses which songs to rate, or gets around a limit by deleting an account and
          coming back.
        </li>
        <li>
          How you say that your songs were made, which is shown beside a song unless people alone
          have made it.
        </li>
        <li>
          Recordings that you upload, with title, artist, cover and loudness. What you do not submit
          is deleted after {days(retentionDays.drafts)}, the file of a song{" "}
          {days(retentionDays.files)} after it has left the rotation, and all of it with your
          account.
        </li>
        <li>
          When you started and finished listening to a song in order to rate it
          {spotify ? ", and whether Spotify confirmed it" : ""}, for {days(retentionDays.listens)}.{" "}
          {spotify
            ? "While you listen to a song from Spotify, we ask Spotify at a random moment whether it is playing, and keep how far it had come. "
            : ""}
          This only makes sure that songs are heard before they are rated.
        </li>
        <li>
          What the operator has decided about your songs or your account, and why, for{" "}
          {days(retentionDays.operatorLog)}. If we take no more songs from you, we keep that, with
          the reason and {fingerprints}, until we take them again, even if you delete your account
          here. The operator sees what it takes to answer a question of yours, and each look is
          written down for as long. Who has rated you is not shown, and whom you have rated is only
          in the data that you ask for by mail.
        </li>
        <li>
          If you send us a notice that something may not be here, as a member or not: what you
          wrote, your name if you gave it, and your e-mail address, until{" "}
          {days(retentionDays.notices)} after our decision, so that we can decide, answer you, and
          know later why (Art. 6 (1) c GDPR).
        </li>
        <li>
          A log of logins, submissions and ratings, to find faults and misuse, for{" "}
          {days(retentionDays.log)}; of your logins the last {newestKept.logins} at most.
        </li>
      </ul>
      <h3>About your visits</h3>
      <p>
        Your internet address is not stored. For a minute we count how many requests come from it,
        so that nobody can flood the site. The servers' log of requests contains no names and no
        addresses.{" "}
        {isSold
          ? "If something is wrong with a payment, it contains your number at Stripe, and so does an e-mail to us about a payment that we cannot match to an account."
          : null}{" "}
        The log is kept for a week at most. The database can be restored to any point in the last{" "}
        {days(cloudflareDays.backups)}, and deleted data can be recovered for that long. When an
        account is deleted, we keep its random number for {days(cloudflareDays.deletions)}, so that
        we can delete it again if the database is restored.
      </p>
      <h3>Who else is involved</h3>
      <ul>
        {spotify ? (
          <li>
            Spotify: login, playback, song titles and covers. Your browser loads the covers and the
            player from Spotify's servers.
          </li>
        ) : null}
        <li>Cloudflare: runs the servers and the database.</li>
        {isSold ? (
          <li>Stripe: takes the payment when you subscribe, and stores what it needs for that.</li>
        ) : null}
        <li>Resend: delivers our e-mails to you.</li>
        {analyticsHost ? (
          <li>
            {analyticsHost}: counts visits to the start page, the FAQ and this page by people who
            are not logged in. Your browser loads a script for this, which reports the page and your
            browser. If your browser sends Do Not Track or Global Privacy Control, none of this
            happens.
          </li>
        ) : null}
      </ul>
      {copies ? <p>The operator gets a copy of each e-mail about songs to their owners.</p> : null}
      <p>
        We do not sell data, and we pass it to nobody else. These companies keep data under their
        own policies{isSold ? "; Stripe keeps invoices, as the law requires" : ""}. We process your
        data to provide the service you signed up for; the log, the counts and the fingerprints keep
        it secure (Art. 6 (1) b and f GDPR).
      </p>
      <h3>Your rights</h3>
      <p>
        In <Link to="/account">your account</Link> you can download everything that is stored about
        you, and delete it: your songs are withdrawn,{isSold ? " your subscription ends," : ""} and
        the ratings you gave stay, without your name. What is kept after that is described above,
        and deletes itself. You may also correct your data, have its use restricted, object to it,
        and complain to a data protection authority. Write to {mail}; we will do what you ask within
        5 days.{" "}
        {spotify ? (
          <>
            You can end Fivefold's access to Spotify at any time on{" "}
            <a href="https://www.spotify.com/account/apps/">your account page at Spotify</a>.
          </>
        ) : null}
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
