import type { ReactNode } from "react";
import { LoginButton } from "~/components/layout/login-button";
import { emailLoginPath } from "~/login/email-login-path";
import type { LoginFault } from "~/sources/spotify/client/consent.server";
import type { CompletedLogin } from "~/sources/spotify/login/consent-page.server";
import type { RequestContext } from "./context.server";
import { messagePage } from "./error-response.server";
import { contentSecurityPolicy } from "./security-headers";

type Fault = LoginFault | "another account" | "taken" | "denied";

/**
 * The page for a login, a connection or a permission that has failed. It tells members that they are still
 * logged in.
 */
export async function loginFaultPage(
  { viewer: findViewer, config }: RequestContext,
  login: CompletedLogin,
  fault: Fault,
): Promise<Response> {
  const viewer = await findViewer().catch(() => null);
  const { contactEmail, offers, spotifyAccountsUrl: accountsUrl } = config;
  const explained = explain(fault, contactEmail);
  const { status } = explained;
  const texts = login.playlists ? permissionTexts : login.connects ? connectionTexts : {};
  const { title, text } = texts[fault] ?? explained;
  const headers = new Headers({ "Set-Cookie": login.setCookie });
  const policy = contentSecurityPolicy({
    ...{ nonce: "", scripts: false },
    ...(offers.spotify ? { accountsUrl } : {}),
  });
  headers.set("Content-Security-Policy", policy);
  const asBefore = "You are still logged in as before, and nothing was changed.";
  return messagePage(
    {
      title,
      text: (
        <>
          {text} {viewer ? asBefore : fault === "stale" ? "Log in again." : null}
        </>
      ),
      action: action(),
      viewer,
    },
    { status, headers },
  );

  function action(): ReactNode {
    if (fault === "not listed") {
      return (
        <>
          <ButtonLink href={requestMailto(contactEmail)} label="Write to us" />
          {viewer ? null : (
            <ButtonLink href={emailLoginPath(login.next)} label="Come in with your e-mail" plain />
          )}
        </>
      );
    }
    if (!viewer) return <LoginButton offers={offers} next={login.next} />;
    if (login.playlists || login.connects) {
      const back = "Back to where you were";
      if (fault !== "another account" || login.connects)
        return <ButtonLink href={login.next} label={back} />;
      return (
        <>
          <ChooseAccount next={login.next} />
          <ButtonLink href={login.next} label={back} plain />
        </>
      );
    }
    return login.userId === undefined ? (
      <ButtonLink href="/" label="Take me to the Carousel" />
    ) : (
      <ButtonLink href="/account" label="Back to my account" />
    );
  }
}

function ChooseAccount({ next }: { next: string }) {
  return (
    <form method="post" action="/playlists/permission">
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="choose" value="account" />
      <button className="button" type="submit">
        Choose another account
      </button>
    </form>
  );
}

function ButtonLink({ href, label, plain }: { href: string; label: string; plain?: boolean }) {
  return (
    <a className={plain ? "button plain" : "button"} href={href}>
      {label}
    </a>
  );
}

function requestMailto(contactEmail: string): string {
  const subject = encodeURIComponent("Please add me to Fivefold's list at Spotify");
  const body = encodeURIComponent("The e-mail address of my Spotify account: ");
  return `mailto:${contactEmail}?subject=${subject}&body=${body}`;
}

const permissionTexts: { [fault in Fault]?: Explained } = {
  "another account": {
    title: "This is another Spotify account",
    text: "It is not the one that you use here. Choose your own at Spotify.",
  },
  stale: {
    title: "This request has expired",
    text: "It was started too long ago or in another browser, or it is already done.",
  },
  unavailable: {
    title: "Spotify did not answer",
    text: "So Fivefold cannot see your playlists yet. Try again in a moment.",
  },
};

const connectionTexts: { [fault in Fault]?: Explained } = {
  "another account": {
    title: "This is another Spotify account",
    text: "Your account here is connected to a different one. Choose that one at Spotify.",
  },
  taken: {
    title: "This Spotify account has an account here already",
    text: "Two accounts cannot be made into one. Use that one: log out, and log in with Spotify. Or delete it there first; then you can connect this Spotify account here.",
  },
  denied: { title: "Spotify is not connected", text: "You did not agree to it at Spotify." },
  stale: {
    title: "This request has expired",
    text: "It was started too long ago or by another login, or it is already done.",
  },
  unavailable: {
    title: "Spotify did not answer",
    text: "So it is not connected yet. Try again in a moment.",
  },
};

interface Explained {
  title: string;
  text: ReactNode;
}

function explain(fault: Fault, contactEmail: string): Explained & { status: number } {
  switch (fault) {
    case "denied":
      return { status: 200, title: "You did not log in", text: "You did not agree at Spotify." };
    case "taken":
    case "another account":
      return {
        status: 403,
        title: "This is another Spotify account",
        text: "It is not the one that you use here. Try again from your account page, and choose your own at Spotify.",
      };
    case "stale":
      return {
        status: 400,
        title: "This login has expired",
        text: "It was started too long ago or in another browser, or it is already done.",
      };
    case "unavailable":
      return {
        status: 502,
        title: "Spotify did not complete the login",
        text: "Spotify is not answering as it should right now. Try again in a moment.",
      };
    case "not listed":
      return {
        status: 403,
        title: "Spotify does not let you in yet",
        text: (
          <>
            Until Spotify has reviewed a new app, only a short list of people can log in, and you
            are not on ours yet. Write to <a href={requestMailto(contactEmail)}>{contactEmail}</a>{" "}
            with the e-mail address of your Spotify account, and we will tell you when you can log
            in.
          </>
        ),
      };
  }
}
