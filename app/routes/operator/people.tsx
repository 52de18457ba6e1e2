import type { ReactNode } from "react";
import { cameBy } from "~/members/views";
import type { Look, Person } from "~/operator/people.server";
import { oneDayText } from "~/operator/same-day";
import { fullDate } from "~/platform/dates";
import { counted } from "~/platform/text";
import { ActionForm, Do, Ground, LookButton, Reason } from "./forms";

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
      <form method="post" action="/operator/act">
        <div className="field">
          <label htmlFor="person">
            An address, a name or its beginning, or an id. Each look is written down.
          </label>
          <div className="field-row">
            <input id="person" name="person" autoComplete="off" required />
            <Do what="look">Find</Do>
          </div>
        </div>
      </form>
      {nobody ? <p>Nobody here has that address, name or id.</p> : null}
      {look && !person ? <p>This look is over, or the account is deleted. Search again.</p> : null}
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
        {
          " Make sure which one is meant before you do anything: anybody can take a name, and only a confirmed address is known to be theirs."
        }
      </p>
      <ul>
        {people.map((person) => (
          <li key={person.userId}>
            <p>
              <bdi>{person.name}</bdi>
              {", Spotify id "}
              <bdi>{person.spotifyId ?? "none"}</bdi>
              {`, here since ${fullDate(person.createdAt)}, ${counted(person.submittedCount, "submission")}`}
            </p>
            <Addresses person={person} />
            <LookButton userId={person.userId} name={person.name} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** All of somebody's addresses. Mails go to the first. */
function Addresses({ person }: { person: Person }) {
  const { ownEmail, spotifyAddress, waiting, sharing } = person;
  const by = sharing > 0 ? `, also by ${counted(sharing, "other account")}` : "";
  const addresses = [
    { address: ownEmail, said: `confirmed${by}` },
    { address: spotifyAddress, said: "Spotify's, not confirmed" },
    { address: waiting, said: "waits for their confirmation" },
  ].filter(({ address }) => address !== null);
  if (addresses.length === 0) return <p>No address.</p>;
  return addresses.map(({ address, said }) => (
    <p key={said}>
      <bdi>{address}</bdi> {`(${said})`}
    </p>
  ));
}

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
        <dt>Addresses</dt>
        <dd>
          <Addresses person={person} />
        </dd>
        <dt>Here since</dt>
        <dd>{`${fullDate(person.createdAt)}, ${counted(person.submittedCount, "submission")}`}</dd>
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
      <List heading="Logins of the last seven days">
        {logins.map(({ device, way, createdAt }, place) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: logins show no id, and their order is fixed
            key={place}
          >{`${device ?? "Unknown browser"}, ${cameBy[way]}, ${fullDate(createdAt)}`}</li>
        ))}
      </List>
      <List heading="Mails">
        {mails.map(({ kind, state, fault, at }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: mails show no id, and their order is fixed
          <li key={place}>{`${fullDate(at)}: ${kind}, ${state}${fault ? ` (${fault})` : ""}`}</li>
        ))}
      </List>
      <List heading="Songs">
        {songs.map(({ songId, title, resting, withdrawn, takenOut, at, ...song }) => (
          <li key={songId}>
            "<bdi>{title}</bdi>"
            {[
              `: ${song.received} of ${song.entitled} ratings`,
              oneDayText(song.fromOneDay),
              `last active ${fullDate(at)}`,
            ]
              .filter(Boolean)
              .join(", ")}
            {takenOut ? ", taken out" : resting ? (withdrawn ? ", withdrawn" : ", resting") : null}
          </li>
        ))}
      </List>
      <NothingHappened userId={userId} />
      {isOwn ? (
        <p>This is your own account. Use your account page.</p>
      ) : (
        <ActionForm fields={{ user: userId, lock: lock?.id ?? "" }}>
          <Reason id="person-reason">
            The reason. For data and deletion: when and how they asked. For a lock or its end: they
            will read it. Their data go to the address above that mails go to; you do not see them.
          </Reason>
          {lock ? null : <Ground />}
          <label className="operation-sure">
            <input type="checkbox" name="sure" />
            <span>
              Delete the account of “<bdi>{identity}</bdi>” for good, and end the subscription
            </span>
          </label>
          <p className="operation-buttons">
            <Do what="export">Mail them their data</Do>
            <Do what={lock ? "unlock" : "lock"}>{lock ? "Unlock" : "Lock"}</Do>
            <Do what="delete" look="danger">
              Delete their account
            </Do>
          </p>
        </ActionForm>
      )}
    </article>
  );
}

/** Where a listen can have ended, from the outside in. */
function NothingHappened({ userId }: { userId: string }) {
  const query = `SELECT song_id, datetime(started_at / 1000, 'unixepoch') AS started, finished_at, evidence, doubted_at, closed_at FROM listens WHERE user_id = '${userId}' ORDER BY started_at DESC LIMIT 5`;
  return (
    <details className="panel">
      <summary>
        <h4>“I rated and nothing happened”</h4>
      </summary>
      <ol>
        <li>Ask for the time, the song, and what the page said. Are they logged in above?</li>
        <li>
          In Cloudflare's log, look at that time for <code>request</code> with a route that ends in{" "}
          <code>rating</code>. None: their press never arrived. A <code>status</code> from 400 on:
          it was refused, and the page has told them why. Below: it was counted.
        </li>
        <li>
          <code>spot_check</code> and <code>listen_confirmed</code> say whether the song was heard.
        </li>
        <li>
          If you have songs here yourself, let another operator do this: it tells who hears what.
          <pre>
            <code>{`npx wrangler d1 execute DB --remote --env production --command "${query}"`}</code>
          </pre>
          No line: play never arrived. No <code>finished_at</code>: not heard; with{" "}
          <code>doubted_at</code>: Spotify contradicted it. <code>closed_at</code>: rated, or
          another song was played.
        </li>
      </ol>
    </details>
  );
}

function List({ heading, children }: { heading: string; children: ReactNode[] }) {
  return (
    <>
      <h4>{heading}</h4>
      {children.length > 0 ? <ul>{children}</ul> : <p>None.</p>}
    </>
  );
}
