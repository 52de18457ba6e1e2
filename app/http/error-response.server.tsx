import { redirect } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { Page } from "~/components/layout/page";
import { ErrorPage } from "~/components/layout/page-error";
import { endedLoginTexts } from "~/login/ended-login";
import { connectPath } from "~/members/spotify-gap";
import { type Viewer, viewerView } from "~/members/viewer.server";
import type { Config } from "~/platform/env";
import { removeOneTimeParameters } from "~/platform/one-time-parameters";
import { type Rejection, reject } from "~/platform/rejection";
import appCss from "~/styles/app.css";

export function wantsJson(request: Request): boolean {
  return request.headers.get("Accept")?.includes("application/json") ?? false;
}

export function wantsPage(request: Request): boolean {
  const accept = request.headers.get("Accept") ?? "";
  return accept.includes("text/html") && !accept.includes("application/json");
}

export interface RejectionPage {
  viewer?: Viewer | null;
  back?: PageLink | undefined;
  /** The path to come back to from Spotify, which is to be connected. */
  connect?: string;
}

export interface PageLink {
  label: string;
  href: string;
}

export function rejectionResponse(
  request: Request,
  { rejected: _, status, ...body }: Rejection,
  { viewer = null, back, connect }: RejectionPage = {},
): Response {
  const headers = new Headers();
  const isToComeBack = status === 429 || status === 503;
  if (isToComeBack && body.secondsLeft) headers.set("Retry-After", String(body.secondsLeft));
  if (status === 405) {
    headers.set("Allow", request.method === "POST" ? "GET, HEAD" : "GET, HEAD, POST");
  }
  if (!wantsPage(request)) return Response.json(body, { status, headers });
  const { label, href } = back ?? defaultButton(request, status, viewer);
  const link = (
    <a className={connect ? "button plain" : "button"} href={href}>
      {label}
    </a>
  );
  return messagePage(
    {
      title: titles[status] ?? "That did not work",
      text: body.error,
      action: connect ? (
        <>
          <ConnectButton next={connect} />
          {link}
        </>
      ) : (
        link
      ),
      isOurs: status === 500,
      viewer,
    },
    { status, headers },
  );
}

function ConnectButton({ next }: { next: string }) {
  return (
    <form method="post" action={connectPath}>
      <input type="hidden" name="next" value={next} />
      <button className="button" type="submit">
        Connect Spotify
      </button>
    </form>
  );
}

const titles: { [status in Rejection["status"]]?: string } = {
  401: "You are not logged in",
  429: "Not just now",
};

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

export function messagePage(
  page: {
    title: string;
    text: ReactNode;
    action: ReactNode;
    /** A fault of the product's own, which its operator should hear of. */
    isOurs?: boolean;
    viewer: Viewer | null;
  },
  init: { status: number; headers: Headers },
): Response {
  const { title, text, action, isOurs, viewer } = page;
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
  return documentResponse(markup, init);
}

/**
 * The response with a rendered document. Cloudflare would replace e-mail addresses by a script, which no policy
 * here lets in. `Cache-Control: no-transform` prevents that too, but also compression.
 */
export function documentResponse(
  markup: string,
  { status, headers }: { status: number; headers: Headers },
): Response {
  headers.set("Content-Type", "text/html; charset=utf-8");
  const end = markup.lastIndexOf("</body>");
  const opened = markup.slice(0, end).replace(/<body[^>]*>/, "$&<!--email_off-->");
  const html = `<!DOCTYPE html>${opened}<!--/email_off-->${markup.slice(end)}`;
  return new Response(html, { status, headers });
}

const maxAddressLength = 2000;

/**
 * The answer where a login is needed: to the landing page, or 401 for JSON callers. If a cookie was sent, the
 * landing page says that the login has ended, and a new one leads back to the page.
 */
export function loginRequired(
  request: Request,
  { sessionId, config }: { sessionId: string | null; config: Pick<Config, "offers"> },
): Response {
  const hadLogin = sessionId !== null;
  const isForm = request.method === "POST";
  const showsAnswer = isForm ? wantsPage(request) : !wantsJson(request);
  if (!showsAnswer) {
    const neverHad = config.offers.spotify ? "Please log in with Spotify first" : "Log in first";
    const error = hadLogin ? endedLoginTexts.otherwise : neverHad;
    return Response.json({ error }, { status: 401 });
  }
  const address = isForm ? (request.headers.get("Referer") ?? "") : request.url;
  const page = address.length > maxAddressLength ? null : URL.parse(address);
  // Forms are shown to members only: one without a cookie is from before that was deleted.
  if (!hadLogin || !page) return redirect(hadLogin || isForm ? "/?ended" : "/", 303);
  removeOneTimeParameters(page.searchParams);
  const next = encodeURIComponent(page.pathname + page.search);
  return redirect(`/?ended&next=${next}`, 303);
}

export const nothingHere = reject(404, "There is nothing at this address.");

export const internalError = reject(
  500,
  "Something went wrong on our side. Try again in a moment.",
);

/** A database that does not answer may have carried out what was posted. */
export function stalledError({ method }: Request): Rejection {
  const again =
    method === "POST"
      ? "What you sent may have been saved all the same. Look in a minute before you send it again."
      : "Try again in a minute.";
  return reject(503, `Our database is not answering at the moment. ${again}`);
}

/**
 * The rejection that replaces Remix's own answer to an error, or null if that can stay. Remix answers with two or
 * three words where no page shows the error, and to JSON callers with a page.
 */
export function replaceBareError(
  request: Request,
  { status, headers }: Response,
  fault: number | null,
): Rejection | null {
  if (fault === 503) return stalledError(request);
  const isPage = headers.get("Content-Type")?.startsWith("text/html");
  const failed = isPage ? wantsJson(request) && status : fault;
  if (!failed || failed < 400) return null;
  if (failed >= 500) return internalError;
  if (isPage && failed === 404) return nothingHere;
  const text = "We could not do that. Nothing was changed. Go back and try again.";
  return reject(isPage || failed === 405 ? (failed as Rejection["status"]) : 400, text);
}
