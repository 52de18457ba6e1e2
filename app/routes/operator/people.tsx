import type { ReactNode } from "react";
import { utcDate } from "~/components/format/date";
import { utcTime } from "~/components/format/relative-time";
import type { Person } from "~/domain/operator/people.server";
import { ActionForm, Reason } from "./form";

/** Finds a user and shows the facts that support questions need. */
export function People({
  asked,
  person,
  ownId,
}: {
  /** The search term; null without a search. */
  asked: string | null;
  person: Person | null;
  /** The operator's own id. */
  ownId: string;
}) {
  return (
    <>
      <form className="search" method="get" action="/operator#people">
        <div className="field">
          <label htmlFor="person">Spotify id, or a confirmed address</label>
          <div className="field-row">
            <input
              id="person"
              name="person"
              defaultValue={asked ?? ""}
              autoComplete="off"
              required
            />
            <button className="button plain" type="submit">
              Find
            </button>
          </div>
        </div>
      </form>
      {asked !== null && person === null ? (
        <p>
          Nobody here has “<bdi>{asked}</bdi>”. Addresses from Spotify that were never confirmed are
          not searched, because they prove nothing.
        </p>
      ) : null}
      {person ? <Account person={person} isOwn={person.userId === ownId} /> : null}
    </>
  );
}

function Account({ person, isOwn }: { person: Person; isOwn: boolean }) {
  const { userId, name, address, confirmed, customerId, lock, logins, mails, songs } = person;
  return (
    <article className="card operation-song">
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <dl className="operation-facts">
        <dt>Spotify id</dt>
        <dd>
          <bdi>{person.spotifyId}</bdi>
        </dd>
        <dt>Address</dt>
        <dd>
          <bdi>{address ?? "none"}</bdi>
          {address ? (confirmed ? " (confirmed)" : " (Spotify's, not confirmed)") : null}
        </dd>
        <dt>Here since</dt>
        <dd>{`${utcDate(person.createdAt)}, last active ${utcTime(person.lastActiveAt)}`}</dd>
        <dt>Tier</dt>
        <dd>
          {person.tier}
          {person.status ? `, ${person.status} ` : null}
          {customerId ? (
            <a href={`https://dashboard.stripe.com/customers/${encodeURIComponent(customerId)}`}>
              at Stripe
            </a>
          ) : null}
        </dd>
        <dt>Ratings</dt>
        <dd>{`${person.ratedCount} given, ${person.credits} not spent; ${person.submittedCount} submissions`}</dd>
        {lock ? (
          <>
            <dt>Locked</dt>
            <dd>
              <bdi>{lock.reason}</bdi>
            </dd>
          </>
        ) : null}
      </dl>
      <List heading="Logins" none="None.">
        {logins.map(({ device, createdAt, lastSeenAt }) => (
          <li key={`${createdAt} ${lastSeenAt}`}>
            {`${device ?? "Unknown browser"}, since ${utcDate(createdAt)}, last used ${utcTime(lastSeenAt)}`}
          </li>
        ))}
      </List>
      <List heading="Mails" none="None.">
        {mails.map(({ kind, state, fault, at }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: mails show no id, and their order is fixed
          <li key={place}>{`${utcDate(at)}: ${kind}, ${state}${fault ? ` (${fault})` : ""}`}</li>
        ))}
      </List>
      <List heading="Songs" none="None.">
        {songs.map(({ songId, title, received, entitled, resting, withdrawn, takenOut, at }) => (
          <li key={songId}>
            "<bdi>{title}</bdi>"{`: ${received} of ${entitled} ratings, last active ${utcDate(at)}`}
            {takenOut ? ", taken out" : resting ? (withdrawn ? ", withdrawn" : ", resting") : null}
          </li>
        ))}
      </List>
      {isOwn ? (
        <p>This is your own account. Please use your account page.</p>
      ) : (
        <ActionForm fields={{ user: userId, lock: lock?.id ?? "" }}>
          <Reason id="person-reason">
            The reason. For data and deletion: when and how they asked. For a lock or its end: they
            will read it. The data leave out what they did with your own songs.
          </Reason>
          <label className="operation-sure">
            <input type="checkbox" name="sure" />
            Delete it for good, and end the subscription
          </label>
          <p className="operation-buttons">
            <button className="button plain" name="do" value="export" type="submit">
              Download their data
            </button>
            <button
              className="button plain"
              name="do"
              value={lock ? "unlock" : "lock"}
              type="submit"
            >
              {lock ? "Unlock" : "Lock"}
            </button>
            <button className="button danger" name="do" value="delete" type="submit">
              Delete their account
            </button>
          </p>
        </ActionForm>
      )}
    </article>
  );
}

function List({
  heading,
  none,
  children,
}: {
  heading: string;
  none: string;
  children: ReactNode[];
}) {
  return (
    <>
      <h4>{heading}</h4>
      {children.length > 0 ? <ul>{children}</ul> : <p>{none}</p>}
    </>
  );
}
