/** A script of somebody else's that counts visits, where the owner has configured one. */
export interface Analytics {
  scriptUrl: string;
  /** What the script reads off its own tag, by the attribute's name: a token or the site's name. */
  attributes: Record<`data-${string}`, string>;
  /** The origin that the script reports to. */
  reportOrigin: string;
}

/** What is configured, unless the request asks not to be tracked: Do Not Track, Global Privacy Control. */
export function analyticsFor(headers: Headers, configured: Analytics | null): Analytics | null {
  const objects = ["DNT", "Sec-GPC"].some((name) => headers.get(name) === "1");
  return objects ? null : configured;
}
