import { utcDate, utcTime } from "~/components/format/date";
import type { Decisions } from "~/operator/overview.server";
import { ActionForm, Reason } from "./form";
import { LookButton } from "./look";

/** The locked users, with the reasons. */
export function Locks({ locks }: Pick<Decisions, "locks">) {
  if (locks.length === 0) return <p>Nobody is locked.</p>;
  return locks.map(({ id, userId, name, reason, at }) => (
    <details className="panel" key={id}>
      <summary>
        <h3>
          {userId === null ? "A deleted account" : <bdi>{name}</bdi>}
          {`, since ${utcDate(at)}`}
        </h3>
      </summary>
      <p>
        The reason: <bdi>{reason}</bdi>
      </p>
      {userId !== null && name !== null ? <LookButton userId={userId} name={name} /> : null}
      <ActionForm fields={{ lock: id }}>
        <Reason id={`unlock-${id}`}>Why they may submit songs again. They will read this.</Reason>
        <p>
          <button className="button plain" name="do" value="unlock" type="submit">
            Unlock
          </button>
        </p>
      </ActionForm>
    </details>
  ));
}

const actionTexts: Record<Decisions["lines"][number]["action"], string> = {
  dismiss: "dismissed the reports of",
  take_out: "took out",
  put_back: "put back",
  lock: "locked",
  unlock: "unlocked",
  send_again: "sent again",
  look: "looked at",
  export: "exported",
  delete: "deleted",
};

/** The last lines of the operators' log. */
export function DecisionLog({ lines }: Pick<Decisions, "lines">) {
  if (lines.length === 0) return <p>Nothing yet.</p>;
  return (
    <ul className="operation-log">
      {lines.map(({ id, operator, action, target, title, name, isAccount, reason, at }) => (
        <li key={id}>
          <time dateTime={new Date(at).toISOString()}>{utcTime(at)}</time>
          {": "}
          <bdi>{operator}</bdi>
          {` ${actionTexts[action]} `}
          <bdi>{title ?? name ?? target}</bdi>
          {isAccount ? ` (${target})` : null}
          {reason ? (
            <>
              {". "}
              <q dir="auto">{reason}</q>
            </>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
