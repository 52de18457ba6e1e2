import { type Refusal, refuse } from "~/domain/refusal";

/** What people read when something broke unexpectedly. */
export const internalError = refuse(
  500,
  "Something went wrong on our side. Please try again in a moment.",
);

/**
 * What to answer in place of a bare error of Remix's own, which at a route without a page is only
 * two or three words. Null if the answer can stay as it is.
 */
export function replaceBareError({ status, headers }: Response): Refusal | null {
  const type = headers.get("Content-Type") ?? "";
  if (status === 500 && type === "text/plain") return internalError;
  const isRefused = status >= 400 && status < 500 && headers.get("X-Remix-Error") === "yes";
  if (!isRefused || !type.startsWith("application/json")) return null;
  const text =
    "The request could not be handled. Nothing was changed. Please go back and try again.";
  return refuse(status === 405 ? 405 : 400, text);
}
