import type { ReactNode } from "react";
import { Notice } from "~/components/notice";
import { endedLoginTexts } from "~/login/ended-login";
import type { Offers } from "~/platform/env";
import { LoginButton } from "./login-button";
import { StarHeading } from "./star-heading";

/**
 * Replaces a screen that needs a login. Visitors' documents run no scripts, so a browser draws this only
 * where a login has ended.
 */
export function LoginPrompt({
  heading,
  ended,
  offers,
  next,
  children,
}: {
  heading: string;
  ended: boolean;
  offers: Offers;
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
      <LoginButton offers={offers} next={next} />
    </div>
  );
}
