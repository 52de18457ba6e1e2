import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Notice } from "~/components/notice";
import { SubscriptionState } from "~/components/premium/subscription-state";
import type { AccountEmail } from "~/members/email-preferences";
import type { SessionView, ViewerView } from "~/members/views";
import { AccountAddress } from "./address";
import { AgainNotice } from "./again-notice";
import { AccountData, AccountDeletion } from "./data";
import { AccountMails } from "./mails";
import { AccountSessions } from "./sessions";

/** The account screen, with a group each for address, mails, subscription, sessions and data. */
export function Account({
  viewer,
  id,
  mail,
  sessions,
  now,
  saved,
  ended,
  again,
  entered,
}: {
  viewer: ViewerView;
  /** The account as its deletion names it. */
  id: string;
  mail: AccountEmail;
  sessions: SessionView[];
  /** The server's clock when the data was loaded, in epoch milliseconds. */
  now: number;
  /** True if a plain form has just saved a choice. */
  saved: boolean;
  /** True if a login was just ended. */
  ended: boolean;
  /**
   * The action for which the user has logged in again, and can now repeat: "address", "removal" or "delete".
   */
  again: string | null;
  /** The address entered before that, or null. */
  entered: string | null;
}) {
  const subscribed = viewer.subscription.tier === "premium";
  return (
    <div className="settings">
      <h1>Your account</h1>
      <p className="lead">
        <bdi>{viewer.displayName}</bdi>
      </p>
      <Link to="/rated">Songs I rated</Link>
      {saved ? <Notice tone="ok">Your choice is saved.</Notice> : null}
      {ended ? <Notice tone="ok">That login has ended.</Notice> : null}
      <Group id="address" heading="Your address">
        <AccountAddress mail={mail} again={again} entered={entered} />
      </Group>
      <Group heading="E-mails">
        <AccountMails mail={mail} />
      </Group>
      <Group heading="Subscription">
        <SubscriptionState subscription={viewer.subscription} />
      </Group>
      <Group heading="Where you are logged in">
        <AccountSessions sessions={sessions} now={now} />
      </Group>
      <Group heading="Your data">
        <AccountData />
      </Group>
      <AccountDeletion
        account={id}
        subscribed={subscribed}
        again={again === "delete" ? <AgainNotice /> : null}
      />
    </div>
  );
}

/** A group with its heading above it, or beside it where there is room. */
function Group({ id, heading, children }: { id?: string; heading: string; children: ReactNode }) {
  return (
    <section id={id}>
      <h2>{heading}</h2>
      <div className="prose">{children}</div>
    </section>
  );
}
