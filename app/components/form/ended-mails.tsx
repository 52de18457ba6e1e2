import { Notice } from "~/components/notice";
import type { MailTopic } from "~/domain/contact/email-preferences";
import { ButtonForm } from "./button-form";

const subjects: Record<MailTopic, string> = {
  rating: "about your songs",
  subscription: "about your subscription",
  songs: "about new songs to rate",
};

/**
 * Replaces the switches for mails that the address has unsubscribed from: only confirming the address by a
 * link brings them back.
 */
export function EndedMails({ address, topics }: { address: string; topics: MailTopic[] }) {
  return (
    <>
      <Notice tone="info">
        <bdi>{address}</bdi>
        <span>{` has unsubscribed from e-mails ${topics.map((topic) => subjects[topic]).join(" and ")}. To get them again, confirm the address by a link that we send there.`}</span>
      </Notice>
      <ButtonForm action="/account/email" fields={{ address }} to="/account">
        Send a confirmation link
      </ButtonForm>
    </>
  );
}
