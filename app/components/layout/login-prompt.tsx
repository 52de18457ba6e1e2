import type { ReactNode } from "react";
import { Notice } from "~/components/notice";
import { endedLoginTexts } from "~/domain/session/ended-login";
import { LoginButton } from "./login-button";
import { StarHeading } from "./star-heading";

/** The page for visitors in place of a screen that needs a login. */
export function LoginPrompt({
  heading,
  ended,
  next,
  children,
}: {
  heading: string;
  /** A login has ended. */
  ended: boolean;
  /** The path that the login leads to. */
  next: string;
  children: ReactNode;
}) {
  return (
    <div className="prose">
      {ended ? <Notice tone="info">{endedLoginTexts.otherwise}</Notice> : null}
      <StarHeading>{heading}</StarHeading>
      {children}
      <LoginButton next={next} />
    </div>
  );
}
