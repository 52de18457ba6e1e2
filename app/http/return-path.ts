import type { RouteTable } from "./route-table";

const maxLength = 300;

/**
 * The path that a form or a login asks to be led back to, if the page's handle allows it; otherwise "/".
 */
export function returnPath(
  asked: unknown,
  routes: Pick<RouteTable, "nameOf" | "handleOf">,
  { isOperator = false } = {},
): string {
  if (typeof asked !== "string" || asked.length > maxLength) return "/";
  const here = "https://here.invalid";
  if (!asked.startsWith("/") || !URL.canParse(asked, here)) return "/";
  const { origin, pathname, search, hash } = new URL(asked, here);
  // To a browser, two slashes in front would name another host.
  const isHere = origin === here && !pathname.startsWith("//");
  const handle = routes.handleOf(routes.nameOf(pathname));
  const isAllowed = handle.returnTarget || (isOperator && handle.forOperators);
  return isHere && isAllowed ? `${pathname}${search}${hash}` : "/";
}

export function withParameter(path: string, name: string, value: string | null): string {
  const { pathname, searchParams, hash } = new URL(path, "https://here.invalid");
  if (value === null) searchParams.delete(name);
  else searchParams.set(name, value);
  return `${pathname}${searchParams.size > 0 ? `?${searchParams}` : ""}${hash}`;
}
