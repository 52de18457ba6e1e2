import type { MetaDescriptor } from "@remix-run/cloudflare";
import { isRouteErrorResponse, useLocation, useRouteError } from "@remix-run/react";
import type { ViewerView } from "~/domain/session/views";
import { ErrorPage } from "./error-page";
import { Page } from "./page";

/**
 * The error boundary of every page. Each route has it, so that an error costs that screen alone and
 * what is around the screens, such as a song that plays, goes on.
 */
export function PageError() {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const { status, title, text } = explain(error);
  const action =
    status === null
      ? { label: "Try again", href: pathname + search }
      : { label: "Go to Homepage", href: "/" };
  return (
    <Page viewer={viewerIn(error)} current={null}>
      <ErrorPage status={status} title={title} text={text} action={action} />
    </Page>
  );
}

/** The head of a page that shows an error. */
export function errorHead(error: unknown): MetaDescriptor[] {
  return [{ title: `${explain(error).title} - Fivefold` }, { name: "robots", content: "noindex" }];
}

/** The logged-in user, if the route that failed has told. */
function viewerIn(error: unknown): ViewerView | null {
  return isRouteErrorResponse(error) ? (error.data?.viewer ?? null) : null;
}

/** The HTTP status, or null where the browser got no answer; and what to say. */
function explain(error: unknown): { status: number | null; title: string; text: string } {
  if (isRouteErrorResponse(error)) {
    if (typeof error.data?.title === "string") return { status: error.status, ...error.data };
    if (error.status === 404) {
      return {
        status: 404,
        title: "Nothing here",
        text: "There is no such page. It may have moved, or there is a typo in the address.",
      };
    }
    if (error.status < 500) {
      return {
        status: error.status,
        title: "That did not work",
        // What an action refused has its own words.
        text: error.data?.error ?? "The request could not be handled. Nothing was changed.",
      };
    }
  } else if (typeof document !== "undefined" && error instanceof TypeError) {
    // What fetch throws. It may be a fault of ours as well, but trying again is right for both.
    return {
      status: null,
      title: "No connection",
      text: "Fivefold could not be reached.",
    };
  }
  return {
    status: 500,
    title: "Something went wrong",
    text: "The problem is on our side. Please try again in a moment.",
  };
}
