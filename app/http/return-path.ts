import type { RouteTable } from "./route-table";

/** The longest path that a form may ask to be led back to, in characters. */
const maxLength = 300;

/**
 * The path of this site that a form or a login asks to be led back to. The front page if that is not
 * a page whose handle allows it.
 */
export function returnPath(
  asked: unknown,
  routes: Pick<RouteTable, "nameOf" | "handleOf">,
): string {
  if (typeof asked !== "string" || asked.length > maxLength) return "/";
  const here = "https://here.invalid";
  if (!asked.startsWith("/") || !URL.canParse(asked, here)) return "/";
  const { origin, pathname, search, hash } = new URL(asked, here);
  // To a browser, two slashes in front would name another host.
  const isHere = origin === here && !pathname.startsWith("//");
  const isAllowed = isHere && routes.handleOf(routes.nameOf(pathname)).returnTarget;
  return isAllowed ? `${pathname}${search}${hash}` : "/";
}

/** A path of this site with a parameter of its query set, or without it where the value is null. */
export function withParameter(path: string, name: string, value: string | null): string {
  const { pathname, searchParams, hash } = new URL(path, "https://here.invalid");
  if (value === null) searchParams.delete(name);
  else searchParams.set(name, value);
  return `${pathname}${searchParams.size > 0 ? `?${searchParams}` : ""}${hash}`;
}
