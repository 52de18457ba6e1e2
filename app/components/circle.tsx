import { Link } from "@remix-run/react";
import { circleText } from "~/exchange/pool/circle";

/** Where few are here: what a song needs, and the address to pass on. It brings who passes it on nothing. */
export function Circle({ members, origin }: { members: number; origin: string }) {
  const text = circleText(members);
  return text === null ? null : (
    <p>
      <span>{`${text} Pass it on: `}</span>
      <a href="/">{origin.replace(/^https?:\/\//, "")}</a>
    </p>
  );
}

export function RoundLink({ className = "link-button" }) {
  return (
    <Link className={className} to="/rounds">
      Open a round with five people you know
    </Link>
  );
}
