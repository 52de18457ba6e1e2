import { Link } from "@remix-run/react";
import type { MouseEvent } from "react";
import { Icon, Tally } from "~/components/icons";
import { TierBadge } from "~/components/premium/tier-badge";
import { tinted } from "~/components/song/tinted";
import type { ViewerView } from "~/members/views";
import type { Song } from "~/sources/song";

export type CurrentPage =
  | "carousel"
  | "ratings"
  | "rated"
  | "rounds"
  | "faq"
  | "imprint"
  | "account"
  | null;

/** `narrow` entries are elsewhere on a wide screen. */
const entries = [
  { page: "carousel", href: "/", label: "Carousel", forVisitors: true },
  { page: "add", href: "/?menu=addownsong", label: "Submit a song", narrow: true },
  {
    page: "ratings",
    href: "/ratings-of-my-songs",
    label: "Ratings of my songs",
    forVisitors: true,
  },
  { page: "rated", href: "/rated", label: "Songs I rated" },
  { page: "rounds", href: "/rounds", label: "Rounds", inRounds: true },
  { page: "faq", href: "/faq", label: "FAQ", forVisitors: true },
  { page: "account", href: "/account", label: "Your account", narrow: true },
];

const menu = { popover: "auto" };
const menuButton = { popovertarget: "menu" };

function closeMenu({ currentTarget }: MouseEvent<HTMLElement>): void {
  currentTarget.closest<HTMLElement>("[popover]")?.hidePopover?.();
}

export function Header({
  viewer,
  current,
  song,
}: {
  viewer: ViewerView | null;
  current: CurrentPage;
  /** Has another colour than the page's. */
  song?: Pick<Song, "tint"> | undefined;
}) {
  const hasNews = viewer?.news;
  return (
    <header className={song ? `header bleeds ${tinted(song)}` : "header"}>
      <Link className="brand" to="/" translate="no">
        <Tally count={5} />
        <span>Fivefold</span>
      </Link>
      <nav className="menu" id="menu" aria-label="Main" {...menu}>
        {entries
          .filter(
            viewer
              ? ({ inRounds }) => !inRounds || viewer.hasRounds
              : ({ forVisitors }) => forVisitors,
          )
          .map((entry) => (
            <Link
              key={entry.page}
              className={entry.narrow ? "narrow" : undefined}
              to={entry.href}
              aria-current={entry.page === current ? "page" : undefined}
              onClick={closeMenu}
            >
              <span>{entry.label}</span>
              {entry.page === "ratings" && hasNews ? (
                <span className="news-dot">
                  <span className="visually-hidden">, new ratings</span>
                </span>
              ) : null}
            </Link>
          ))}
        {viewer ? null : (
          <Link to="/login" reloadDocument>
            Log in
          </Link>
        )}
      </nav>
      {viewer ? <Viewer viewer={viewer} current={current === "account"} /> : null}
      <button
        className="menu-button"
        type="button"
        aria-label={hasNews ? "Menu, new ratings" : "Menu"}
        {...menuButton}
      >
        <Icon path="M3 6.8h18v2.4H3zM3 14.8h18v2.4H3z" />
        {hasNews ? <span className="news-dot" /> : null}
      </button>
    </header>
  );
}

function Viewer({ viewer, current }: { viewer: ViewerView; current: boolean }) {
  const { displayName, imageUrl, subscription: tier } = viewer;
  return (
    <Link className="viewer" to="/account" aria-current={current ? "page" : undefined}>
      <div>
        <bdi className="viewer-name" title={displayName}>
          {displayName}
        </bdi>
        <span className="visually-hidden">, your account, </span>
        <TierBadge tier={tier.tier} />
      </div>
      {imageUrl ? (
        <img className="avatar" src={imageUrl} alt="" width={34} height={34} />
      ) : (
        <span className="avatar" aria-hidden="true">
          {Array.from(displayName)[0]?.toUpperCase()}
        </span>
      )}
    </Link>
  );
}
