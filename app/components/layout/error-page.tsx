import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Tally } from "~/components/icons";

/** The content of an error page: the error, the next step, and a button or link to it. */
export function ErrorPage({
  title,
  text,
  isOurs = false,
  children,
}: {
  title: string;
  text: ReactNode;
  /** True for a fault of Fivefold's own, which the operator should hear of. */
  isOurs?: boolean | undefined;
  /** The button or link to the next step. */
  children: ReactNode;
}) {
  return (
    <div className="standalone-message">
      <Tally count={4} />
      <h1>{title}</h1>
      <p className="lead">{text}</p>
      {children}
      {isOurs ? (
        <p className="quiet">
          If it happens again, please <Link to="/imprint">write to us</Link> and mention error 500.
        </p>
      ) : null}
    </div>
  );
}
