/** The screens that a form may lead back to. */
const screens = new Set(["/", "/ratings-of-my-songs", "/account"]);

/** Where a form asks to be led back to, as a path of this site; the front page for anything else. */
export function returnPath(asked: unknown): string {
  if (typeof asked !== "string" || asked.length > 300) return "/";
  const here = "https://here.invalid";
  if (!asked.startsWith("/") || !URL.canParse(asked, here)) return "/";
  const { origin, pathname, search, hash } = new URL(asked, here);
  return origin === here && screens.has(pathname) ? `${pathname}${search}${hash}` : "/";
}
