import { redirect } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { Page } from "~/components/layout/page";
import { ErrorPage } from "~/components/layout/page-error";
import { endedLoginTexts } from "~/members/ended-login";
import { type Viewer, viewerView } from "~/members/viewer.server";
import { removeOneTimeParameters } from "~/platform/one-time-parameters";
import type { Rejection } from "~/platform/rejection";
import appCss from "~/styles/app.css";
import { withPlainAddresses } from "./plain-addresses";

/** Checks whether the caller asked for JSON by name: our own scripts and other programs. */
export function wantsJson(request: Request): boolean {
  return request.headers.get("Accept")?.includes("application/json") ?? false;
}

/** Checks whether a browser sent a plain form and will show the answer as a page. */
export function wantsPage(request: Request): boolean {
  const accept = request.headers.get("Accept") ?? "";
  return accept.includes("text/html") && !accept.includes("application/json");
}

export interface RefusalPage {
  /** The logged-in user, for the page's header. */
  viewer?: Viewer | null;
  /** The page's button. */
  back?: PageLink;
}

interface PageLink {
  label: string;
  href: string;
}

/**
 * The answer to a request that was refused: JSON `{ error, … }`, or for a browser without JavaScript a
 * readable page with a button. Both have the same status.
 */
export function rejectionResponse(
  request: Request,
  refusal: Rejection,
  { viewer = null, back }: RefusalPage = {},
): Response {
  const { rejected: _refused, status, ...body } = refusal;
  const headers = new Headers();
  if (status === 429 && body.secondsLeft) headers.set("Retry-After", String(body.secondsLeft));
  if (status === 405) {
    headers.set("Allow", request.method === "POST" ? "GET, HEAD" : "GET, HEAD, POST");
  }
  if (!wantsPage(request)) return Response.json(body, { status, headers });
  const { label, href } = back ?? defaultButton(request, status, viewer);
  return messagePage(
    {
      title: titles[status] ?? "That did not work",
      text: refusal.error,
      action: (
        <a className="button" href={href}>
          {label}
        </a>
      ),
      isOurs: status === 500,
      viewer,
    },
    { status, headers },
  );
}

const titles: { [status in Rejection["status"]]?: string } = {
  401: "You are not logged in",
  429: "Please wait a moment",
};

/** The button where the route names none: the same page again, if that may work in a moment. */
function defaultButton({ method, url }: Request, status: number, viewer: Viewer | null): PageLink {
  if (status === 401) return { label: "Go to the login", href: "/" };
  if (method === "GET" && (status === 429 || status >= 500)) {
    const { pathname, search } = new URL(url);
    // Two slashes would lead to another site.
    if (!pathname.startsWith("//")) return { label: "Try again", href: pathname + search };
  }
  return viewer
    ? { label: "Take me back to the Carousel", href: "/" }
    : { label: "Go to Homepage", href: "/" };
}

/** A page without scripts, with a message and a button or form. */
export function messagePage(
  {
    title,
    text,
    action,
    isOurs,
    viewer,
  }: {
    title: string;
    text: ReactNode;
    /** The button or form. */
    action: ReactNode;
    /** The fault is the product's, and its operator should hear of it. */
    isOurs?: boolean;
    /** The logged-in user, for the page's header. */
    viewer: Viewer | null;
  },
  { status, headers }: { status: number; headers: Headers },
): Response {
  headers.set("Content-Type", "text/html; charset=utf-8");
  // This page's policy allows no picture from another origin; the header shows the initial instead.
  const shown = viewer && { ...viewerView(viewer), imageUrl: null };
  const markup = renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{`${title} - Fivefold`}</title>
        <link rel="stylesheet" href={appCss} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      </head>
      <body>
        {/* Its links need a router around them, and no script will follow them. */}
        <MemoryRouter>
          <Page viewer={shown} current={null}>
            <ErrorPage title={title} text={text} isOurs={isOurs}>
              {action}
            </ErrorPage>
          </Page>
        </MemoryRouter>
      </body>
    </html>,
  );
  return new Response(withPlainAddresses(`<!DOCTYPE html>${markup}`), { status, headers });
}

/** The longest address that a login leads back to, in characters. */
const maxAddress = 2000;

/**
 * The answer where a login is needed and there is none: to the landing page, or 401 for JSON callers.
 * @param hadLogin its cookie was sent. The landing page says that the login has ended, and a new one leads
 *   back to the page that was asked for, or that the form was on.
 */
export function loginRequired(request: Request, hadLogin: boolean): Response {
  const isForm = request.method === "POST";
  // Remix asks for a page's data without naming what it accepts.
  const showsAnswer = isForm ? wantsPage(request) : !wantsJson(request);
  if (!showsAnswer) {
    const error = hadLogin ? endedLoginTexts.otherwise : "Please log in with Spotify first";
    return Response.json({ error }, { status: 401 });
  }
  const address = isForm ? (request.headers.get("Referer") ?? "") : request.url;
  const page = address.length > maxAddress ? null : URL.parse(address);
  // Forms are shown to members only: one without a cookie is from before that was deleted.
  if (!hadLogin || !page) return redirect(hadLogin || isForm ? "/?ended" : "/", 303);
  removeOneTimeParameters(page.searchParams);
  const next = encodeURIComponent(page.pathname + page.search);
  return redirect(`/?ended&next=${next}`, 303);
}
