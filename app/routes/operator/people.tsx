import type { ReactNode } from "react";
import { utcDate } from "~/components/format/date";
import type { Look, Person } from "~/operator/people.server";
import { counted } from "~/platform/text";
import { ActionForm, LookButton, Reason } from "./forms";

export function People({
  nobody,
  look,
  ownId,
}: {
  nobody: boolean;
  /** What a search has found; null without one. */
  look: Look | null;
  ownId: string;
}) {
  const [person, another] = look?.people ?? [];
  return (
    <>
      <form className="search" method="post" action="/operator/act">
        <div className="field">
          <label htmlFor="person">
            Spotify id, or a confirmed address. Each look is written down.
          </label>
          <div className="field-row">
            <input id="person" name="person" autoComplete="off" required />
            <button className="button plain" name="do" value="look" type="submit">
              Find
            </button>
          </div>
        </div>
      </form>
      {nobody ? (
        <p>
          Nobody here has that. Addresses from Spotify that were never confirmed are not searched,
          because they prove nothing.
        </p>
      ) : null}
      {look && !person ? (
        <p>This look is over, or the account is deleted. Please search again.</p>
      ) : null}
      {look && another ? <Several look={look} /> : null}
      {look && person && !another ? (
        <Account person={person} look={look} isOwn={person.userId === ownId} />
      ) : null}
    </>
  );
}

function Several({ look: { people, more } }: { look: Look }) {
  return (
    <>
      <p>
        {more
          ? "More accounts have this, of which the oldest are listed."
          : "Several accounts have this."}
        {" Please make sure which one is meant before you do anything."}
      </p>
      <ul>
        {people.map((person) => (
          <li key={person.userId}>
            <p>
              <bdi>{person.name}</bdi>
              {", Spotify id "}
              <bdi>{person.spotifyId ?? "none"}</bdi>
              {`, here since ${utcDate(person.createdAt)}, ${counted(person.submittedCount, "submission")}, address `}
              <Address person={person} />
            </p>
            <LookButton userId={person.userId} name={person.name} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Address({ person: { address, confirmed, sharing } }: { person: Person }) {
  const by = sharing > 0 ? `, also by ${counted(sharing, "other account")}` : "";
  return (
    <>
      <bdi>{address ?? "none"}</bdi>
      {address ? (confirmed ? ` (confirmed${by})` : " (Spotify's, not confirmed)") : null}
    </>
  );
}

const by = { spotify: "with Spotify", email: "by e-mail" } as const;

function Account({ person, look, isOwn }: { person: Person; look: Look; isOwn: boolean }) {
  const { userId, spotifyId, identity, name, customerId, lock } = person;
  const { logins, mails, songs } = look;
  return (
    <article className="card operation-song">
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <dl className="operation-facts">
        <dt>Spotify id</dt>
        <dd>
          <bdi>{spotifyId ?? "none"}</bdi>
        </dd>
        <dt>Id here</dt>
        <dd>{userId}</dd>
        <dt>Address</dt>
        <dd>
          <Address person={person} />
        </dd>
        <dt>Here since</dt>
        <dd>{`${utcDate(person.createdAt)}, ${counted(person.submittedCount, "submission")}`}</dd>
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
        {lock ? (
          <>
            <dt>Locked</dt>
            <dd>
              <bdi>{lock.reason}</bdi>
            </dd>
          </>
        ) : null}
      </dl>
      <List heading="Logins of the last seven days" none="None.">
        {logins.map(({ device, way, createdAt }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: logins show no id, and their order is fixed
          <li key={place}>{`${device ?? "Unknown browser"}, ${by[way]}, ${utcDate(createdAt)}`}</li>
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
            will read it. If you have songs, the data leave out what could tell you who rated them,
            and have days for times; another operator can send the whole.
          </Reason>
          <label className="operation-sure">
            <input type="checkbox" name="sure" />
            <span>
              Delete the account of “<bdi>{identity}</bdi>” for good, and end the subscription
            </span>
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
