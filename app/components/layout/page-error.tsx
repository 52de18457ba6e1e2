import type { MetaDescriptor } from "@remix-run/cloudflare";
import { isRouteErrorResponse, Link, useLocation, useRouteError } from "@remix-run/react";
import type { ReactNode } from "react";
import { Tally } from "~/components/icons";
import type { ViewerView } from "~/members/views";
import { Page } from "./page";

/** The content of an error page. A route can throw its own as its data. */
interface Explained {
  title: string;
  text: string;
  /** The next step; by default to try again, or the homepage if that cannot help. */
  action?: { label: string; href: string };
  /** True if trying again may help. */
  again?: boolean;
  isOurs?: boolean;
}

/**
 * The error boundary of every page. Each route has it, so that an error replaces only that screen, while a
 * song plays on around it.
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

/** The head of a page that failed. */
export function errorHead(error: unknown): MetaDescriptor[] {
  return [{ title: `${explain(error).title} - Fivefold` }, { name: "robots", content: "noindex" }];
}

/** The logged-in user, if the failed route provided one. */
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
        // Refusals bring their own text.
        text: error.data?.error ?? "We could not do that. Nothing was changed.",
      };
    }
  } else if (typeof document !== "undefined" && isUnreachable(error)) {
    return {
      title: "No connection",
      text: "Fivefold could not be reached. Please try again in a moment.",
      again: true,
    };
  }
  return {
    title: "Something went wrong",
    text: "The problem is on our side. Please try again in a moment.",
    again: true,
    isOurs: true,
  };
}

/** The content of an error page: the error, the next step, and a button or link to it. */
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
  /** The button or link to the next step. */
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
          If it happens again, please <Link to="/imprint">write to us</Link> and mention error 500.
        </p>
      ) : null}
    </div>
  );
}

/**
 * Checks for the error of a request that got no answer. Every browser throws a TypeError then, as it does for
 * a mistake in the code; only Safari's comes without a stack, and the others' by these names.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof TypeError)) return false;
  return !error.stack || /^(Failed to fetch|NetworkError|network error)/.test(error.message);
}
