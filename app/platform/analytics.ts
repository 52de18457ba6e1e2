export interface Analytics {
  scriptUrl: string;
  /** Attributes of its tag, such as a token or the site's name. */
  attributes: Record<`data-${string}`, string>;
  reportOrigin: string;
}

/** Null also if the request asks not to be tracked (Do Not Track, Global Privacy Control). */
export function analyticsFor(headers: Headers, configured: Analytics | null): Analytics | null {
  const objects = ["DNT", "Sec-GPC"].some((name) => headers.get(name) === "1");
  return objects ? null : configured;
}
