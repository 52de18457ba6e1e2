import { Link } from "@remix-run/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Notice } from "~/components/notice";
import type { MailTopic, Returned } from "~/mailing/email-preferences";
import { ButtonForm } from "./button-form";
import { useSavedChoice } from "./use-saved-choice";

/**
 * A screen's choices about mails. A script saves each at once; without one, a single button saves them all.
 */
export function MailForm({
  disabled,
  next,
  children,
}: {
  disabled: boolean;
  next: string;
  children: ReactNode;
}) {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <form className="checkbox-form prose" method="post" action="/email-preference">
      <input type="hidden" name="next" value={next} />
      {children}
      {ready || disabled ? null : (
        <button className="button plain" type="submit">
          Save
        </button>
      )}
    </form>
  );
}

export type MailChoice = "receiveRatingEmails" | "receiveSubscriptionEmails";

/** A checkbox in a MailForm. A change that cannot be saved is reverted. */
export function MailCheckbox({
  field,
  label,
  wanted,
  disabled,
  children,
}: {
  field: MailChoice;
  label: string;
  wanted: boolean;
  disabled: boolean;
  children?: ReactNode;
}) {
  const {
    value: checked,
    status,
    error,
    choose,
  } = useSavedChoice(wanted, "/email-preference", (choice) => [[field, String(choice)]], {
    refreshes: true,
  });
  const box = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the script has arrived
  useEffect(() => {
    // A change from before the script arrived has not been saved yet.
    if (box.current && box.current.checked !== wanted) choose(box.current.checked);
  }, []);
  return (
    <div className="checkbox-form">
      {/* Browsers leave out unchecked boxes; this value stands in. */}
      <input type="hidden" name={field} value="false" />
      <label>
        <input
          ref={box}
          type="checkbox"
          // Otherwise the browser restores an unsaved choice on the way back.
          autoComplete="off"
          name={field}
          value="true"
          checked={checked}
          disabled={disabled}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      {children}
      <p className="quiet" role="status">
        {status}
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </div>
  );
}

const subjects: Record<MailTopic, string> = {
  rating: "about your songs",
  subscription: "about your subscription",
  songs: "about new songs to rate and songs that come out",
  rounds: "about rounds",
  notices: "about what you report",
};

/**
 * Replaces the switches after an address has unsubscribed, or after its mails came back or were reported as
 * spam. Only a confirmation link brings the mails back.
 */
export function EndedMails({
  address,
  topics,
  returned,
}: {
  address: string;
  topics: MailTopic[];
  returned: Returned | null;
}) {
  return (
    <>
      <Notice tone="info">
        {returned ? (
          <>
            <span>An e-mail to </span>
            <bdi>{address}</bdi>
            <span>{whyReturned[returned]}</span>
          </>
        ) : (
          <>
            <bdi>{address}</bdi>
            <span>{` has unsubscribed from e-mails ${topics.map((topic) => subjects[topic]).join(" and ")}. To get them again, confirm the address by a link that we send there.`}</span>
          </>
        )}
      </Notice>
      {returned ? (
        <p className="quiet">
          If the link does not arrive, our mail service holds it back, too. Then{" "}
          <Link to="/imprint">write to us</Link>, or{" "}
          <Link to="/account#address">use another address</Link>.
        </p>
      ) : null}
      <ButtonForm action="/account/email" fields={{ address }} to="/account">
        Send a confirmation link
      </ButtonForm>
    </>
  );
}

const whyReturned: Record<Returned, string> = {
  bounced:
    " came back, so we send no more there. Is it spelled right, and does the mailbox exist? Then confirm the address by a link that we send there.",
  complained:
    " was reported as spam, so we send no more there. To get e-mails again, confirm the address by a link that we send there.",
};
