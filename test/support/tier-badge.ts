/** The tier in the header of a member's page; undefined for a visitor. */
export function tierIn(page: string): string | undefined {
  return /, your account, <\/span><small>(?:<svg.*?<\/svg>)?<span>(\w+)<\/span>/.exec(page)?.[1];
}
