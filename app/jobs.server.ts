/** What runs without a request: the consumers of the queues, and the jobs of the crons. */
import { createStripe } from "~/adapters/billing/stripe.server";
import { createMailer } from "~/adapters/mail/client.server";
import { createDatabase } from "~/db/client.server";
import { refreshCommunity } from "~/domain/community/community.server";
import { consumeSpotChecks } from "~/domain/listening/spot-check.server";
import { createSpotCheckQueue } from "~/domain/listening/spot-check-queue.server";
import { lookAtOldSongs } from "~/domain/monthly-look/sweep.server";
import { consumeDeadLetters, consumeOutbox } from "~/domain/outbox/consumer.server";
import { sweepOutbox } from "~/domain/outbox/sweep.server";
import { createMailQueue } from "~/domain/owed-mail/mail-queue.server";
import { sweepReports } from "~/domain/report/sweep.server";
import { purgeExpired } from "~/domain/retention/purge.server";
import { sweepSongWishes } from "~/domain/song-wish/sweep.server";
import { sweepSubscriptions } from "~/domain/subscription/sweep.server";
import { createCatalogueAccess, createSpotifyAccess } from "~/http/spotify-access.server";
import { type Bindings, readConfig } from "~/platform/env";
import { logEvent, withLogScope } from "~/platform/log";

type Execution = Pick<ExecutionContext, "waitUntil">;
type Consumer = (batch: MessageBatch, env: Bindings, execution: Execution) => Promise<void>;
type JobOutcome = object;

/** The consumers by the queue's name in wrangler.toml. */
const consumers: Record<string, Consumer> = {
  "fivefold-outbox": async (batch, env) => {
    const config = readConfig(env);
    await consumeOutbox(batch, {
      db: createDatabase(env.DB),
      mailer: createMailer(config.mail, config, env.EMAIL),
      config,
      now: Date.now,
    });
  },
  "fivefold-outbox-dead": (batch, env) =>
    consumeDeadLetters(batch, createDatabase(env.DB), Date.now()),
  "fivefold-spot-checks": (batch, env, execution) => {
    const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
    const services = { db: createDatabase(env.DB), config: readConfig(env), now: Date.now };
    return consumeSpotChecks(batch, {
      ...services,
      spotify: createSpotifyAccess({ ...services, waitUntil }).spotify,
      spotChecks: createSpotCheckQueue(env.SPOT_CHECK_QUEUE, waitUntil),
      random: Math.random,
    });
  },
};

type Job = (env: Bindings, execution: ExecutionContext) => Promise<JobOutcome>;

/** The jobs by the cron expression in wrangler.toml, each under the name that the log gives it. */
const jobs: Record<string, Record<string, Job>> = {
  "17 4 * * *": {
    subscriptions(env, execution) {
      const config = readConfig(env);
      return sweepSubscriptions({
        db: createDatabase(env.DB),
        billing: createStripe(config.stripe, config),
        mailQueue: createMailQueue(env.OUTBOX_QUEUE, (work) => execution.waitUntil(work)),
        now: Date.now,
      });
    },
  },
  "*/10 * * * *": {
    outbox: async (env) => ({
      count: await sweepOutbox(createDatabase(env.DB), env.OUTBOX_QUEUE, Date.now()),
    }),
    songWishes(env, execution) {
      return sweepSongWishes({
        db: createDatabase(env.DB),
        mailQueue: createMailQueue(env.OUTBOX_QUEUE, (work) => execution.waitUntil(work)),
        now: Date.now(),
      });
    },
    reports(env) {
      const config = readConfig(env);
      const mailer = createMailer(config.mail, config, env.EMAIL);
      return sweepReports({ db: createDatabase(env.DB), mailer, config, now: Date.now() });
    },
    // Once a day; here, so that a new database need not wait for the night.
    community: (env) => refreshCommunity(createDatabase(env.DB), Date.now()),
    monthlyLook(env, execution) {
      const config = readConfig(env);
      return lookAtOldSongs({
        db: createDatabase(env.DB),
        clientIds: config.spotifyClients.map(({ id }) => id),
        catalogue: createCatalogueAccess(config, Date.now),
        mailQueue: createMailQueue(env.OUTBOX_QUEUE, (work) => execution.waitUntil(work)),
        now: Date.now,
        random: Math.random,
      });
    },
    retention: (env) => purgeExpired(createDatabase(env.DB), Date.now()),
  },
};

/** Hands a batch to the consumer of its queue. */
export async function consumeQueue(
  batch: MessageBatch,
  env: Bindings,
  execution: Execution,
): Promise<void> {
  const consume = consumers[batch.queue];
  if (!consume) throw new Error(`The queue ${batch.queue} has no consumer.`);
  const scope = { requestId: crypto.randomUUID(), route: batch.queue, metrics: env.METRICS };
  await withLogScope(scope, () => consume(batch, env, execution));
}

/**
 * Runs the jobs of a cron, one after the other.
 * @throws Error if a job has failed, so that Cloudflare lists the run as failed.
 */
export async function runScheduledJobs(
  { cron }: Pick<ScheduledController, "cron">,
  env: Bindings,
  execution: ExecutionContext,
): Promise<void> {
  const scope = { requestId: crypto.randomUUID(), route: cron, metrics: env.METRICS };
  await withLogScope(scope, async () => {
    const due = Object.entries(jobs[cron] ?? {});
    if (due.length === 0) throw new Error(`The cron ${cron} has no job.`);
    let failed = 0;
    for (const [name, job] of due) {
      // The next job runs even if this one fails.
      if (!(await succeeds(name, () => job(env, execution)))) failed += 1;
    }
    if (failed > 0) throw new Error("A scheduled job failed; the log says which one.");
  });
}

/** Runs a job and logs its outcome. @returns whether it succeeded. */
async function succeeds(name: string, run: () => Promise<JobOutcome>): Promise<boolean> {
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
