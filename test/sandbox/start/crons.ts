import { Cron } from "croner";

/**
 * Calls the Worker's scheduled handler at the times of its crons, like Cloudflare; `wrangler dev` does
 * not.
 * @param crons in Cloudflare's syntax: UTC, and weekdays from 1, Sunday.
 * @param failed is called with the cron and the reason if a run fails.
 * @returns a function that ends it.
 */
export function runCrons(
  crons: readonly string[],
  appOrigin: string,
  failed: (cron: string, why: string) => void,
): () => void {
  const jobs = crons.map(
    (cron) =>
      new Cron(cron, { timezone: "UTC", alternativeWeekdays: true, protect: true }, async () => {
        const why = await run(cron, appOrigin);
        if (why) failed(cron, why);
      }),
  );
  return () => {
    for (const job of jobs) job.stop();
  };
}

/** Why a run failed, or null. */
async function run(cron: string, appOrigin: string): Promise<string | null> {
  const url = new URL("/cdn-cgi/handler/scheduled", appOrigin);
  url.searchParams.set("cron", cron);
  try {
    const response = await fetch(url);
    return response.ok ? null : `HTTP ${response.status}`;
  } catch (error) {
    return String(error);
  }
}
