import { type Refusal, refuse } from "~/domain/refusal";
import { wantsJson } from "./error-response.server";

/** What people read when something broke unexpectedly. */
export const internalError = refuse(
  500,
  "Something went wrong on our side. Please try again in a moment.",
);

/**
 * What to answer in place of the two or three words that Remix itself has for an error where no page
 * shows it, at a route without one and to scripts that ask for data; and to JSON callers in place of a
 * page that shows one. Null if the answer can stay.
 * @param fault the status of what Remix has handed to `handleError` (`app/entry.server.tsx`), if it has.
 */
export function replaceBareError(
  request: Request,
  { status, headers }: Response,
  fault: number | null,
): Refusal | null {
  const isPage = headers.get("Content-Type")?.startsWith("text/html");
  const failed = isPage ? wantsJson(request) && status : fault;
  if (!failed || failed < 400) return null;
  if (failed >= 500) return internalError;
  if (isPage && failed === 404) return refuse(404, "There is nothing at this address.");
  const text =
    "The request could not be handled. Nothing was changed. Please go back and try again.";
  return refuse(isPage || failed === 405 ? (failed as Refusal["status"]) : 400, text);
}
