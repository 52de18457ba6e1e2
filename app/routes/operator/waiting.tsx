import type { Health } from "~/operator/health.server";
import type { Decisions } from "~/operator/overview.server";
import { counted } from "~/platform/text";

/** What waits for the operator, with the way to each. */
export function Waiting({ open, health }: Pick<Decisions, "open"> & { health: Health }) {
  const { alarms, mails, jobs, database } = health;
  const stopped = jobs.filter(({ fault }) => fault !== null).length;
  const failed = mails.failed.length;
  const all = [
    { n: open.length, text: `${counted(open.length, "decision")} to make`, to: "#reports" },
    { n: alarms.length, text: `${counted(alarms.length, "alarm")} in the log`, to: "#troubles" },
    {
      n: failed,
      text: `${mails.more ? `More than ${failed} mails` : counted(failed, "mail")} that failed`,
      to: "#failed",
    },
    { n: Number(mails.isOverdue), text: "Mails that are overdue", to: "#health" },
    { n: stopped, text: `${counted(stopped, "job")} that failed or did not run`, to: "#jobs" },
    { n: Number(database.isNearlyFull), text: "A database that is nearly full", to: "#health" },
  ].filter(({ n }) => n > 0);
  if (all.length === 0) return <p className="operation-waiting">Nothing waits for you.</p>;
  return (
    <nav className="operation-waiting" aria-label="What waits for you">
      <ul>
        {all.map(({ text, to }) => (
          <li key={text}>
            <a href={to}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
