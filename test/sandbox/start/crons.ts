import { Cron } from "croner";

/** Calls the scheduled handler at the times of its crons, as `wrangler dev` does not. Returns what ends it. */
export function runCrons(
  crons: readonly string[],
  appOrigin: string,
  failed: (cron: string, why: string) => void,
): () => void {
  const jobs = crons.map(
    (cron) =>
      new Cron(cron, { timezone: "UTC", alternativeWeekdays: true, protect: true }, async () => {
        const why = await runCron(cron, appOrigin);
        if (why) failed(cron, why);
      }),
  );
  return () => {
    for (const job of jobs) job.stop();
  };
}

/** Returns why it failed. */
export async function runCron(cron: string, appOrigin: string): Promise<string | null> {
  const url = new URL("/cdn-cgi/handler/scheduled", appOrigin);
  url.searchParams.set("cron", cron);
  try {
    const response = await fetch(url);
    return response.ok ? null : `HTTP ${response.status}`;
  } catch (error) {
    return String(error);
  }
}
