import type { ReactNode } from "react";
import { LoginButton } from "./login-button";
import { StarHeading } from "./star-heading";

/** What visitors see in place of a screen that needs a login. */
export function LoginPrompt({
  heading,
  next,
  children,
}: {
  heading: string;
  /** The path that the login leads to. */
  next: string;
  children: ReactNode;
}) {
  return (
    <div className="prose">
      <StarHeading>{heading}</StarHeading>
      {children}
      <LoginButton next={next} />
    </div>
  );
}
