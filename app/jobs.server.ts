import { purgeExpired } from "~/account/purge.server";
import { readTints } from "~/covers/cover-tints.server";
import { createDatabase } from "~/db/client.server";
import { mailSongsAgain } from "~/exchange/carousel/empty-pool/songs-again.server";
import { refreshCommunity } from "~/exchange/community/community.server";
import { mailReleases } from "~/exchange/release/release.server";
import { writeRest } from "~/exchange/rotation/unplayable.server";
import { mailRounds } from "~/exchange/rounds/mails.server";
import { mailMixWishes } from "~/exchange/submission/mix-wish.server";
import { letterReader } from "~/letters/letters.server";
import { mailTerms } from "~/mailing/terms-mails.server";
import { countAlarms, type JobRun, noteRuns } from "~/operator/alarms.server";
import { writeFigures } from "~/operator/operation.server";
import { mailReports } from "~/operator/report-mail.server";
import { consumeDeadLetters, consumeOutbox } from "~/outbox/consumer.server";
import { createMailQueue, requeueCodes, requeueMails } from "~/outbox/mail-queue.server";
import { createResend } from "~/outbox/resend.server";
import { type Bindings, readConfig } from "~/platform/env";
import { logEvent, withLogScope } from "~/platform/log";
import { syncDueSubscriptions } from "~/premium/daily-sync.server";
import { createStripe } from "~/premium/stripe.server";
import { deleteFiles, lookAfterFiles } from "~/sources/files/file-deletions.server";
import { createCatalogueAccess, createSpotifyAccess } from "~/sources/spotify/access.server";
import { consumeSpotChecks, createSpotCheckQueue } from "~/sources/spotify/spot-check.server";
import { lookAtOldSongs } from "~/sources/spotify/track-refresh.server";

type Execution = Pick<ExecutionContext, "waitUntil">;
type Consumer = (batch: MessageBatch, services: Services) => Promise<void>;
type Job = (services: Services) => Promise<object>;

function openServices(env: Bindings, execution: Execution) {
  const config = readConfig(env);
  const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
  return {
    db: createDatabase(env.DB),
    files: env.RECORDINGS,
    config,
    mailer: createResend(config.resend, config.mailSender, config),
    queue: env.OUTBOX_QUEUE,
    codeQueue: env.CODE_QUEUE,
    mailQueue: createMailQueue(env.OUTBOX_QUEUE, waitUntil),
    spotChecks: createSpotCheckQueue(env.SPOT_CHECK_QUEUE, waitUntil),
    waitUntil,
    now: Date.now,
    random: Math.random,
  };
}

type Services = ReturnType<typeof openServices>;

function consumeMails(batch: MessageBatch, services: Services): Promise<void> {
  return consumeOutbox(batch, { ...services, readLetters: letterReader(services) });
}

/** The consumers by the queue's name in wrangler.toml. */
const consumers: Record<string, Consumer> = {
  "fivefold-outbox": consumeMails,
  // Codes of logins, which wait behind no other mail.
  "fivefold-codes": consumeMails,
  "fivefold-outbox-dead": (batch, { db, now }) => consumeDeadLetters(batch, db, now()),
  "fivefold-spot-checks": (batch, services) =>
    consumeSpotChecks(batch, {
      ...services,
      spotify: createSpotifyAccess(services).spotify,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    }),
};

/** The jobs by the cron expression in wrangler.toml, each under the name that the log gives it. */
const jobs: Record<string, Record<string, Job>> = {
  "17 4 * * *": {
    subscriptions: async (services) => {
      const { config } = services;
      if (config.offers.premium === "none") return {};
      return syncDueSubscriptions({ ...services, billing: createStripe(config.stripe, config) });
    },
  },
  "*/10 * * * *": {
    outbox: async ({ db, queue, codeQueue, now }) => ({
      codes: await requeueCodes(db, codeQueue, now()),
      count: await requeueMails(db, queue, now()),
    }),
    songWishes: ({ now, ...services }) => mailSongsAgain({ ...services, now: now() }),
    mixWishes: ({ now, ...services }) => mailMixWishes({ ...services, now: now() }),
    releases: ({ now, ...services }) => mailReleases({ ...services, now: now() }),
    rounds: ({ now, ...services }) => mailRounds({ ...services, now: now() }),
    terms: ({ now, ...services }) => mailTerms({ ...services, now: now() }),
    reports: ({ now, ...services }) => mailReports({ ...services, now: now() }),
    // Its figures once a day; here, so that a new database need not wait for the night.
    community: ({ db, now }) => refreshCommunity(db, now(), writeFigures(db, now())),
    monthlyLook: (services) =>
      lookAtOldSongs({
        ...services,
        clientIds: services.config.spotifyClients.map(({ id }) => id),
        letRest: (song) => writeRest(services, song),
        catalogue: createCatalogueAccess(services.config, services.now),
      }),
    tints: readTints,
    retention: ({ db, now }) => purgeExpired(db, now()),
    files: lookAfterFiles,
    fileDeletions: deleteFiles,
  },
};

export async function consumeQueue(
  batch: MessageBatch,
  env: Bindings,
  execution: Execution,
): Promise<void> {
  const consume = consumers[batch.queue];
  if (!consume) throw new Error(`The queue ${batch.queue} has no consumer.`);
  await inLogScope(batch.queue, env, () => consume(batch, openServices(env, execution)));
}

/**
 * Runs the jobs of a cron, one after the other. Throws if a job has failed, so that Cloudflare lists the run as
 * failed.
 */
export async function runScheduledJobs(
  { cron }: Pick<ScheduledController, "cron">,
  env: Bindings,
  execution: Execution,
): Promise<void> {
  const runs: JobRun[] = [];
  await inLogScope(cron, env, async () => {
    const due = Object.entries(jobs[cron] ?? {});
    if (due.length === 0) throw new Error(`The cron ${cron} has no job.`);
    const services = openServices(env, execution);
    for (const [name, job] of due) {
      // The next job runs even if this one fails.
      runs.push({ job: name, failed: !(await succeeds(name, () => job(services))) });
    }
    try {
      await noteRuns(services.db, runs, services.now());
    } catch (error) {
      logEvent("job_runs_not_noted", { error });
    }
  });
  if (runs.some(({ failed }) => failed))
    throw new Error("A scheduled job failed; the log says which one.");
}

async function inLogScope(route: string, env: Bindings, work: () => Promise<void>): Promise<void> {
  const alarmCounts = new Map<string, number>();
  const scope = { requestId: crypto.randomUUID(), route, metrics: env.METRICS, seen: alarmCounts };
  await withLogScope(scope, async () => {
    await work();
    await countAlarms(env.DB, alarmCounts, Date.now());
  });
}

async function succeeds(name: string, run: () => Promise<object>): Promise<boolean> {
  const startedAt = Date.now();
  try {
    const outcome = await run();
    logEvent("job_done", { kind: name, ms: Date.now() - startedAt, ...outcome });
    return true;
  } catch (error) {
    logEvent("job_failed", { kind: name, ms: Date.now() - startedAt, error });
    return false;
  }
}
