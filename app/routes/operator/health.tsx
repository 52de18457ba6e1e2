import type { ReactNode } from "react";
import { everyMail } from "~/operator/decisions";
import { balanceOf, type DailyFigures, daysShown } from "~/operator/figures";
import type { Health } from "~/operator/health.server";
import { dateAndTime } from "~/platform/dates";
import { counted, megabytes } from "~/platform/text";
import { ActionForm, Do, LookButton } from "./forms";

/** What has gone wrong and asks for something to be done. */
export function Troubles({ health: { alarms, mails } }: { health: Health }) {
  return (
    <>
      {alarms.length === 0 ? <p>Nothing in the log needs attention.</p> : null}
      {alarms.map(({ name, today, yesterday, text }) => (
        <p key={name}>
          <Bad>{`${name}: ${today} today, ${yesterday} yesterday.`}</Bad> {text}
        </p>
      ))}
      <h3 id="failed">Mails that failed</h3>
      <FailedMails mails={mails} />
    </>
  );
}

export function HealthFacts({
  health,
  days,
  release: { version, deployedAt },
}: {
  health: Health;
  days: DailyFigures[];
  release: { version: string; deployedAt: number | null };
}) {
  const { jobs, mails, webhooksRefused, oldestPromiseAt, database, circle, rounds } = health;
  const balance = balanceOf(days);
  const { bytes, limit, isNearlyFull } = database;
  return (
    <>
      <dl className="operation-facts">
        <dt>Version</dt>
        <dd>{`${version}${deployedAt === null ? "" : `, live since ${dateAndTime(deployedAt)}`}`}</dd>
        <dt>Database</dt>
        <dd>
          {`${megabytes(bytes)} of ${megabytes(limit)} MB`}
          {isNearlyFull ? (
            <>
              . <Bad>It is nearly full.</Bad> test/bench/README.md says how far it goes, and what to
              do then.
            </>
          ) : null}
        </dd>
        <dt>Oldest promise</dt>
        <dd>{oldestPromiseAt === null ? "none waits" : `since ${dateAndTime(oldestPromiseAt)}`}</dd>
        <dt>{`Ratings in ${daysShown} days`}</dt>
        <dd>
          {balance === null
            ? "none promised"
            : `${balance.given} given, ${balance.promised} promised`}
          {balance?.isBehind ? (
            <>
              . <Bad>More is promised than is given.</Bad> Songs will wait longer, until members
              rate more songs than they submit.
            </>
          ) : null}
        </dd>
        <dt>Members of the last week</dt>
        <dd>{`${circle.members}, of whom ${circle.back} had come before`}</dd>
        <dt>Rounds</dt>
        <dd>{`${rounds.gathering} take songs, ${rounds.listening} listen`}</dd>
        <dt>Events without Stripe's signature</dt>
        <dd>{`${webhooksRefused.today} today, ${webhooksRefused.yesterday} yesterday`}</dd>
        <dt>Mails that are due</dt>
        <dd>
          {mails.waiting === mails.most ? `${mails.most} or more` : mails.waiting}
          {mails.oldestDueAt === null
            ? null
            : `, the oldest since ${dateAndTime(mails.oldestDueAt)}`}
          {mails.isOverdue ? (
            <>
              . <Bad>Mails are overdue.</Bad> Do the job “outbox” and the queue run?
            </>
          ) : null}
        </dd>
      </dl>
      <h3 id="jobs">Jobs</h3>
      <div className="operation-table">
        <table>
          <thead>
            <tr>
              <th scope="col">Job</th>
              <th scope="col">Last run</th>
              <th scope="col">Last failure</th>
            </tr>
          </thead>
          <tbody>
            {jobs.map(({ job, text, ranAt, failedAt, fault }) => (
              <tr key={job}>
                <th scope="row">
                  {text} <code>{job}</code>
                </th>
                <td>
                  {ranAt === null ? "never" : dateAndTime(ranAt)}
                  {fault ? (
                    <>
                      {" "}
                      <Bad>{fault}</Bad>
                    </>
                  ) : null}
                </td>
                <td>{failedAt === null ? "none" : dateAndTime(failedAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** A login's code goes to an address, whoever has it. */
const nobodyKnown = "an address";

function FailedMails({ mails: { failed, more } }: Pick<Health, "mails">) {
  if (failed.length === 0) return <p>None.</p>;
  return (
    <>
      <ul className="operation-mails">
        {failed.map(({ id, userId, name, kind, fault, at }) => (
          <li key={id}>
            <p>
              {`${dateAndTime(at)}: “${kind}” to `}
              <bdi>{name ?? nobodyKnown}</bdi>
              {". "}
              <Bad>{fault}</Bad>
            </p>
            {userId !== null && name !== null ? <LookButton userId={userId} name={name} /> : null}
            <SendAgain mail={id}>
              Send again
              <span className="visually-hidden">{` “${kind}” to ${name ?? nobodyKnown}`}</span>
            </SendAgain>
          </li>
        ))}
      </ul>
      {failed.length > 1 ? (
        <SendAgain mail={everyMail}>
          {more ? "Send all again" : `Send all ${counted(failed.length, "mail")} again`}
        </SendAgain>
      ) : null}
    </>
  );
}

function SendAgain({ mail, children }: { mail: string; children: ReactNode }) {
  return (
    <ActionForm fields={{ mail }}>
      <p>
        <Do what="send_again" look="plain small">
          {children}
        </Do>
      </p>
    </ActionForm>
  );
}

function Bad({ children }: { children: ReactNode }) {
  return <strong className="operation-bad">{children}</strong>;
}
