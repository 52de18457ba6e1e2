import type { MailTopic } from "~/members/email-preferences";

const subjects: Record<MailTopic, string> = {
  rating:
    "e-mails about your songs: when they are added or rated, and when Spotify does not play them",
  subscription:
    "e-mails about your subscription: when it begins, when a payment fails, and when it ends",
  songs: "e-mails that say when there are songs to rate again, each time you have asked for one",
};

const unaffected: Record<MailTopic, string> = {
  rating: "Your songs and their ratings stay as they are, with or without e-mails.",
  subscription: "Your subscription stays as it is, with or without e-mails.",
  songs: "You can listen to songs and rate them as before, with or without e-mails.",
};

/** Ends the mails about a topic to the address that got the link, or says that they have ended. */
export function Unsubscribe({
  token,
  topic,
  ended,
}: {
  token: string;
  topic: MailTopic;
  /** True if the address has already unsubscribed. */
  ended: boolean;
}) {
  return (
    <div className="prose">
      <h1>{ended ? "You are unsubscribed" : "Unsubscribe"}</h1>
      <p className="lead">
        {ended ? `You will get no more ${subjects[topic]}.` : `You get ${subjects[topic]}.`}
      </p>
      {ended ? (
        <p>
          This applies to your address, whatever is switched on in any account here. If you want
          these e-mails again, please confirm your address from <a href="/account">your account</a>.
        </p>
      ) : (
        <form method="post" action={`/unsubscribe?token=${encodeURIComponent(token)}`}>
          <input type="hidden" name="receive" value="false" />
          <button className="button" type="submit">
            Unsubscribe
          </button>
        </form>
      )}
      <p className="quiet">{unaffected[topic]}</p>
    </div>
  );
}
