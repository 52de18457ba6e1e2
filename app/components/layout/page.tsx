import { Link, useLocation } from "@remix-run/react";
import { type ComponentProps, type ReactNode, useContext } from "react";
import { Notice } from "~/components/notice";
import { ManageNotice } from "~/components/premium/manage-subscription";
import { PremiumContext } from "~/components/premium/premium-context";
import { groundsOf, tinted } from "~/components/song/tinted";
import type { ViewerView } from "~/members/views";
import type { Song } from "~/sources/song";
import { type CurrentPage, Header } from "./header";

export function Page({
  viewer,
  current,
  song,
  amber,
  above,
  children,
}: {
  viewer: ViewerView | null;
  current: CurrentPage;
  /** Gives the page the colour of its cover. */
  song?: Pick<Song, "tint"> | undefined;
  /** A room without a song; "above" where only its upper part is amber. */
  amber?: boolean | "above" | undefined;
  /** Gives its colour to what stands above the song of the page. */
  above?: Pick<Song, "tint"> | undefined;
  children: ReactNode;
}) {
  const { search } = useLocation();
  return (
    <div className={`page${song ? ` ${tinted(song)}` : amber === true ? " amber" : ""}`}>
      <ThemeColours song={above ?? song} amber={amber} />
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header viewer={viewer} current={current} song={above} />
      <main className="main" id="main" tabIndex={-1}>
        {viewer?.subscription.showPaymentWarning ? (
          <ManageNotice tone="error" label="Update payment">
            Your payment is past due. Please update your payment method to continue enjoying premium
            features.
          </ManageNotice>
        ) : null}
        {viewer && search.includes("uncharged") ? (
          <Notice tone="info">You left the checkout. Nothing was charged.</Notice>
        ) : null}
        {children}
      </main>
      <Footer loggedIn={viewer !== null} />
    </div>
  );
}

/** In the page and not in the head, so that it changes with the song that is shown. */
function ThemeColours({ song, amber }: Pick<ComponentProps<typeof Page>, "song" | "amber">) {
  const grounds = song ? groundsOf(song.tint) : [amber ? "#f7b237" : "#f6f6f4", "#141416"];
  return ["light", "dark"].map((scheme, at) => (
    <meta
      key={scheme}
      name="theme-color"
      media={`(prefers-color-scheme: ${scheme})`}
      content={grounds[at]}
    />
  ));
}

const versionLabel = "v 5.24";

const footer = [
  ["Imprint", "/imprint"],
  ["Privacy Policy", "/imprint"],
  ["Contact", "/imprint"],
  ["Terms", "/terms"],
] as const;

const ofPremium = [
  ["Cancel a subscription", "/cancel"],
  ["Withdraw from a subscription", "/withdraw"],
] as const;

function Footer({ loggedIn }: { loggedIn: boolean }) {
  const isSold = useContext(PremiumContext) !== "none";
  return (
    <footer className="footer">
      <ul>
        {(isSold ? [...footer, ...ofPremium] : footer).map(([label, to]) => (
          <li key={label}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
        <li>
          <Link to="/notice">Report</Link>
        </li>
      </ul>
      {loggedIn ? (
        <>
          <LogoutButton className="link-button" />
          <small>{versionLabel}</small>
        </>
      ) : null}
    </footer>
  );
}

export function LogoutButton({ className = "button plain" }) {
  return (
    <form method="post" action="/logout">
      <button className={className} type="submit">
        Logout
      </button>
    </form>
  );
}
