import type { MetaDescriptor } from "@remix-run/cloudflare";
import { isRouteErrorResponse, Link, useLocation, useRouteError } from "@remix-run/react";
import type { ViewerView } from "~/members/views";
import { ErrorPage } from "./error-page";
import { Page } from "./page";
import { isUnreachable } from "./unreachable";

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
