import { type Rejection, reject } from "~/platform/rejection";
import { wantsJson } from "./error-response.server";

/** The refusal for an unexpected fault. */
export const internalError = reject(
  500,
  "Something went wrong on our side. Please try again in a moment.",
);

/**
 * The refusal for a database that does not answer. What was sent may have been carried out, so that it says
 * nothing else.
 */
export function stalledError({ method }: Request): Rejection {
  const again =
    method === "POST"
      ? "What you sent may have been saved all the same. Please look in a minute before you send it again."
      : "Please try again in a minute.";
  return reject(503, `Our database is not answering at the moment. ${again}`);
}

/**
 * The refusal that takes the place of Remix's own answer to an error: two or three words where no page
 * shows the error (a route without a page, or a script that asks for data), and a page for JSON callers. A
 * database that does not answer is told everywhere.
 * Null if the answer can stay.
 * @param fault the status that `handleError` (`app/entry.server.tsx`) has noted, or null.
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
  if (isPage && failed === 404) return reject(404, "There is nothing at this address.");
  const text = "We could not do that. Nothing was changed. Please go back and try again.";
  return reject(isPage || failed === 405 ? (failed as Rejection["status"]) : 400, text);
}
