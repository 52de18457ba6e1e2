import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Notice } from "~/components/notice";
import type { MailTopic, Returned } from "~/members/email-preferences";
import { ButtonForm } from "./button-form";

const subjects: Record<MailTopic, string> = {
  rating: "about your songs",
  subscription: "about your subscription",
  songs: "about new songs to rate",
};

/**
 * Replaces the switches for mails that have ended for the address, because it has unsubscribed from them, or
 * because a mail has come back or was reported as spam: only confirming it by a link brings them back.
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
          whyReturned[returned](address)
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

const whyReturned: Record<Returned, (address: string) => ReactNode> = {
  bounced: (address) => (
    <>
      <span>An e-mail to </span>
      <bdi>{address}</bdi>
      <span>
        {" "}
        came back, so we send no more there. Is it spelled right, and does the mailbox exist? Then
        confirm the address by a link that we send there.
      </span>
    </>
  ),
  complained: (address) => (
    <>
      <span>An e-mail to </span>
      <bdi>{address}</bdi>
      <span>
        {" "}
        was reported as spam, so we send no more there. To get e-mails again, confirm the address by
        a link that we send there.
      </span>
    </>
  ),
};
