import type { MetaDescriptor } from "@remix-run/cloudflare";
import { isRouteErrorResponse, Link, useLocation, useRouteError } from "@remix-run/react";
import type { ReactNode } from "react";
import { Tally } from "~/components/icons";
import type { ViewerView } from "~/members/views";
import { Page } from "./page";

/** A route can throw its own explanation as its data. */
interface Explained {
  title: string;
  text: string;
  action?: { label: string; href: string };
  again?: boolean;
  isOurs?: boolean;
}

/**
 * Each route has this boundary, so that an error replaces only that screen, while a song plays on around it.
 */
export function PageError() {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const { title, text, again, action, isOurs } = explain(error);
  const { label, href } =
    action ??
    (again
      ? { label: "Try again", href: pathname + search }
      : { label: "Go to Homepage", href: "/" });
  return (
    <Page viewer={viewerIn(error)} current={null}>
      <ErrorPage title={title} text={text} isOurs={isOurs}>
        <Link className="button" to={href}>
          {label}
        </Link>
      </ErrorPage>
    </Page>
  );
}

export function errorHead(error: unknown): MetaDescriptor[] {
  return [{ title: `${explain(error).title} - Fivefold` }, { name: "robots", content: "noindex" }];
}

function viewerIn(error: unknown): ViewerView | null {
  return isRouteErrorResponse(error) ? (error.data?.viewer ?? null) : null;
}

function explain(error: unknown): Explained {
  if (isRouteErrorResponse(error)) {
    if (typeof error.data?.title === "string") return error.data;
    if (error.status === 404) {
      return {
        title: "Nothing here",
        text: "There is no such page. Perhaps it has moved, or there is a typo in the address.",
      };
    }
    if (error.status < 500) {
      return {
        title: "That did not work",
        again: error.status === 429,
        text: error.data?.error ?? "We could not do that. Nothing was changed.",
      };
    }
  } else if (typeof document !== "undefined" && isUnreachable(error)) {
    return {
      title: "No connection",
      text: "Fivefold could not be reached. Try again in a moment.",
      again: true,
    };
  }
  return {
    title: "Something went wrong",
    text: "The problem is on our side. Try again in a moment.",
    again: true,
    isOurs: true,
  };
}

export function ErrorPage({
  title,
  text,
  isOurs = false,
  children,
}: {
  title: string;
  text: ReactNode;
  /** True for a fault of Fivefold's own, which the operator should hear of. */
  isOurs?: boolean | undefined;
  children: ReactNode;
}) {
  return (
    <div className="standalone-message">
      <Tally count={4} />
      <h1>{title}</h1>
      <p className="lead">{text}</p>
      {children}
      {isOurs ? (
        <p className="quiet">
          If it happens again, <Link to="/imprint">write to us</Link> and mention error 500.
        </p>
      ) : null}
    </div>
  );
}

/**
 * Every browser throws a TypeError for a request without an answer, as it does for a mistake in the code.
 * Only Safari's has no stack; the others' have these messages.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof TypeError)) return false;
  return !error.stack || /^(Failed to fetch|NetworkError|network error)/.test(error.message);
}
