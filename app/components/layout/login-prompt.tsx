import type { ReactNode } from "react";
import { Notice } from "~/components/notice";
import { endedLoginTexts } from "~/members/ended-login";
import { LoginButton } from "./login-button";
import { StarHeading } from "./star-heading";

/**
 * Replaces a screen that needs a login, for visitors. Their documents run no scripts, so a browser only draws
 * it where a login has ended under a page.
 */
export function LoginPrompt({
  heading,
  ended,
  next,
  children,
}: {
  heading: string;
  /** True if the server knows of a login that has ended. */
  ended: boolean;
  /** The path to go to after the login. */
  next: string;
  children: ReactNode;
}) {
  return (
    <div className="prose">
      {ended || typeof document !== "undefined" ? (
        <Notice tone="info">{endedLoginTexts.otherwise}</Notice>
      ) : null}
      <StarHeading>{heading}</StarHeading>
      {children}
      <LoginButton next={next} />
    </div>
  );
}
