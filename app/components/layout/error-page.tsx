import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Tally } from "~/components/icons";

/** The content of an error page: what happened, what to do next, and the way there. */
export function ErrorPage({
  title,
  text,
  isOurs = false,
  children,
}: {
  title: string;
  text: ReactNode;
  /** A fault of the product's, of which its operator should hear. */
  isOurs?: boolean | undefined;
  /** The button or link that leads on. */
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
