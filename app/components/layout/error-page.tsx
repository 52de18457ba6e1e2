import { Tally } from "~/components/icons";

/** The content of an error page: what went wrong, and a link that leads on. */
export function ErrorPage({
  status,
  title,
  text,
  action,
}: {
  /** The HTTP status. */
  status: number;
  title: string;
  text: string;
  action?: { label: string; href: string } | undefined;
}) {
  return (
    <div className="standalone-message">
      <Tally count={4} />
      <div>
        <p className="quiet">{`Error ${status}`}</p>
        <h1>{title}</h1>
      </div>
      <p className="lead">{text}</p>
      {action ? (
        <a className="button" href={action.href}>
          {action.label}
        </a>
      ) : null}
    </div>
  );
}
