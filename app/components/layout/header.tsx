import { Link } from "@remix-run/react";
import type { MouseEvent } from "react";
import { Icon, Tally } from "~/components/icons";
import { TierBadge } from "~/components/premium/tier-badge";
import type { ViewerView } from "~/members/views";

/** The current page, if the menu, the footer or the header links to it. */
export type CurrentPage = "carousel" | "ratings" | "rated" | "faq" | "imprint" | "account" | null;

/** Entries of the menu. `narrow` ones are elsewhere on a wide screen. */
const entries = [
  { page: "carousel", href: "/", label: "Carousel", forVisitors: true },
  { page: "add", href: "/?menu=addownsong", label: "Add a song", narrow: true },
  {
    page: "ratings",
    href: "/ratings-of-my-songs",
    label: "Ratings of my songs",
    forVisitors: true,
  },
  { page: "rated", href: "/rated", label: "Songs I rated" },
  { page: "faq", href: "/faq", label: "FAQ", forVisitors: true },
  { page: "account", href: "/account", label: "Your account", narrow: true },
];

// Popover attributes open the menu on narrow screens without a script. React 18 renders them but has no types
// for them.
const menu = { popover: "auto" };
const menuButton = { popovertarget: "menu" };

/** Closes the menu, as loading a new document would. */
function closeMenu({ currentTarget }: MouseEvent<HTMLElement>): void {
  currentTarget.closest<HTMLElement>("[popover]")?.hidePopover?.();
}

/** Brand, menu, and the logged-in user. */
export function Header({ viewer, current }: { viewer: ViewerView | null; current: CurrentPage }) {
  return (
    <header className="header">
      <Link className="brand" to="/" translate="no">
        <Tally count={5} />
        <span>Fivefold</span>
      </Link>
      <nav className="menu" id="menu" aria-label="Main" {...menu}>
        {(viewer ? entries : entries.filter(({ forVisitors }) => forVisitors)).map((entry) => (
          <Link
            key={entry.page}
            className={entry.narrow ? "narrow" : undefined}
            to={entry.href}
            aria-current={entry.page === current ? "page" : undefined}
            onClick={closeMenu}
          >
            {entry.label}
          </Link>
        ))}
      </nav>
      {viewer ? <Viewer viewer={viewer} current={current === "account"} /> : null}
      <button className="menu-button" type="button" aria-label="Menu" {...menuButton}>
        <Icon path="M3 5h18v2H3zM3 11h18v2H3zM3 17h18v2H3z" />
      </button>
    </header>
  );
}

/** The logged-in user, as a link to their account. */
function Viewer({ viewer, current }: { viewer: ViewerView; current: boolean }) {
  const { displayName, imageUrl, subscription: tier } = viewer;
  return (
    <Link className="viewer" to="/account" aria-current={current ? "page" : undefined}>
      {imageUrl ? (
        <img className="avatar" src={imageUrl} alt="" width={36} height={36} />
      ) : (
        <span className="avatar" aria-hidden="true">
          {Array.from(displayName)[0]?.toUpperCase()}
        </span>
      )}
      <div>
        <bdi className="viewer-name" title={displayName}>
          {displayName}
        </bdi>
        <span className="visually-hidden">, your account, </span>
        <TierBadge tier={tier.tier} />
      </div>
    </Link>
  );
}
