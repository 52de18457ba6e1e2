/** A third-party script that counts visits, if the operator has configured one. */
export interface Analytics {
  scriptUrl: string;
  /** The attributes of its tag, such as a token or the site's name, which the script reads. */
  attributes: Record<`data-${string}`, string>;
  /** The origin that the script reports to. */
  reportOrigin: string;
}

/** The configured script, unless the request asks not to be tracked (Do Not Track, Global Privacy Control). */
export function analyticsFor(headers: Headers, configured: Analytics | null): Analytics | null {
  const objects = ["DNT", "Sec-GPC"].some((name) => headers.get(name) === "1");
  return objects ? null : configured;
}
