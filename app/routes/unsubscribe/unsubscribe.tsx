import type { MailTopic } from "~/domain/contact/email-preferences";

const subjects: Record<MailTopic, string> = {
  rating: "e-mails about your songs: when they are added, and when they are rated",
  subscription: "e-mails about your subscription: when a payment fails, and when premium ends",
};

/** Switches the mails about a topic off, or on again. */
export function Unsubscribe({
  token,
  topic,
  wanted,
}: {
  token: string;
  topic: MailTopic;
  wanted: boolean;
}) {
  return (
    <div className="prose">
      <h1>{wanted ? "Unsubscribe" : "You are unsubscribed"}</h1>
      <p className="lead">
        {wanted ? `You get ${subjects[topic]}.` : `You get no more ${subjects[topic]}.`}
      </p>
      <form method="post" action={`/unsubscribe?token=${encodeURIComponent(token)}`}>
        <input type="hidden" name="receive" value={String(!wanted)} />
        <button className={wanted ? "button" : "button plain"} type="submit">
          {wanted ? "Unsubscribe" : "Switch these e-mails on again"}
        </button>
      </form>
      <p className="quiet">
        {topic === "rating"
          ? "Your songs and their ratings stay as they are, with or without e-mails."
          : "Your subscription stays as it is, with or without e-mails."}
      </p>
    </div>
  );
}
