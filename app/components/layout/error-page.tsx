import { Link } from "@remix-run/react";
import { Tally } from "~/components/icons";

/** The content of an error page: what went wrong, and a link that leads on. */
export function ErrorPage({
  status,
  title,
  text,
  action,
}: {
  /** The HTTP status, or null if there was no answer. */
  status: number | null;
  title: string;
  text: string;
  action?: { label: string; href: string } | undefined;
}) {
  return (
    <div className="standalone-message">
      <Tally count={4} />
      <div>
        {status === null ? null : <p className="quiet">{`Error ${status}`}</p>}
        <h1>{title}</h1>
      </div>
      <p className="lead">{text}</p>
      {action ? (
        <Link className="button" to={action.href}>
          {action.label}
        </Link>
      ) : null}
    </div>
  );
}
