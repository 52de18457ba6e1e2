/** The screen on which somebody chooses the song that they submit. */
import { freePrice } from "../database/factories";
import { someone } from "../people";
import { control, sandboxRequests } from "../sandbox";

/** Somebody who may submit, and whom Spotify knows as that musician. */
export async function submitter(musician: string, options: Parameters<typeof someone>[0] = {}) {
  await control("reset", { musician });
  const user = await someone({ credits: freePrice, musician, ...options });
  return {
    user,
    async screen(query: Record<string, string> = {}): Promise<string> {
      const page = await user.reads(`/?${new URLSearchParams({ menu: "addownsong", ...query })}`);
      return page
        .replace(/<\/?span>/g, "")
        .replaceAll("&#x27;", "'")
        .replaceAll("&amp;", "&");
    },
    /** What was asked of Spotify. */
    async calls(): Promise<string[]> {
      const sent = await sandboxRequests(musician);
      return sent.map(({ path }) => path).filter((path) => path.startsWith("/v1/"));
    },
    /** Has a route of Spotify's fail, or answer that, from now on. */
    answers: (route: string, fault: { status: number; [more: string]: unknown }) =>
      control("fail", { musician, route: `GET /v1/${route}`, times: -1, ...fault }),
  };
}

/** The tracks that can be chosen. */
export function choices(page: string): string[] {
  return [...page.matchAll(/menu=addownsong&track=(\w+)/g)].map(([, id = ""]) => id);
}
