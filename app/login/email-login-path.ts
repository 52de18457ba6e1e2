export function emailLoginPath(next = "/"): string {
  return next === "/" ? "/login/email" : `/login/email?next=${encodeURIComponent(next)}`;
}
