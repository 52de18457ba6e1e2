import { type Refusal, refuse } from "~/domain/refusal";

/** What people read when something broke that nobody expected. */
export const internalError = refuse(
  500,
  "Something went wrong on our side. Please try again in a moment.",
);

/**
 * What to say in the place of an answer that Remix gave by itself at a route without a page: three
 * words that help nobody. Null where the answer stands.
 */
export function replaceBareError({ status, headers }: Response): Refusal | null {
  const type = headers.get("Content-Type") ?? "";
  if (status === 500 && type === "text/plain") return internalError;
  const refused = status >= 400 && status < 500 && headers.get("X-Remix-Error") === "yes";
  if (!refused || !type.startsWith("application/json")) return null;
  const text = "The request could not be handled. Nothing was changed.";
  return refuse(status === 405 ? 405 : 400, text);
}
