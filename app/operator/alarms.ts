import type { dailyCounts, jobRuns } from "~/db/schema";
import { hourMs } from "~/platform/dates";

/** A job is missing so many hours after its last run. */
export const jobHours = {
  subscriptions: 26,
  outbox: 1,
  songWishes: 1,
  mixWishes: 1,
  releases: 1,
  rounds: 1,
  terms: 1,
  reports: 1,
  community: 1,
  monthlyLook: 1,
  tints: 1,
  retention: 1,
  files: 1,
  fileDeletions: 1,
} as const;

const jobTexts: Record<keyof typeof jobHours, string> = {
  subscriptions: "Reads subscriptions anew from Stripe",
  outbox: "Sends the mails that were left behind",
  songWishes: "Mails those who wait for songs to rate",
  mixWishes: "Mails those who wait for listeners of a new mix",
  releases: "Mails those who wait for a song to be out",
  rounds: "Lets rounds begin and open, and mails their members",
  terms: "Mails members about terms that are to hold",
  reports: "Mails you about reported songs",
  community: "Counts the figures, here and on the landing page",
  monthlyLook: "Reads songs anew from Spotify",
  tints: "Reads the colours of covers",
  retention: "Deletes what has been kept long enough",
  files: "Compares the bucket's files with what is known of them",
  fileDeletions: "Deletes files",
};

interface Alarm {
  /** Events a day that raise it; 1 if left out. */
  from?: number;
  text: string;
}

const brokenText = "Something broke. The log has the error, under the same name.";
const mailText =
  "Mails do not go out. The log says why. Those given up on are listed below, and can be sent again.";
const spotText = "Nobody checks whether songs are heard. The log says why.";

/** By the name of the event in the log. */
export const alarms: Record<string, Alarm> = {
  request_failed: { text: brokenText },
  route_failed: { text: brokenText },
  webhook_failed: { text: brokenText },
  landing_without_figures: {
    from: 10,
    text: "The database does not answer. The landing page is shown all the same.",
  },
  job_runs_not_noted: {
    text: "The last runs of the jobs are missing below, because the database did not answer.",
  },
  webhook_refused: {
    from: 5,
    text: "Events came without Stripe's signature. Does STRIPE_WEBHOOK_SECRET belong to this endpoint? If it does, somebody is trying.",
  },
  mail_webhook_refused: {
    from: 5,
    text: "Events came without Resend's signature. Does RESEND_WEBHOOK_SECRET belong to this endpoint? If it does, somebody is trying.",
  },
  mail_returned: {
    from: 20,
    text: "Many e-mails came back or were reported as spam. Resend's dashboard says which. It stops sending for whoever has too many.",
  },
  subscription_not_swept: {
    text: "A subscription could not be read from Stripe. We will try again tomorrow.",
  },
  mail_setup_fault: {
    text: "No mail goes out until the set-up is right. .ops/README.md says what each reason in the log means.",
  },
  mail_failed: { text: mailText },
  outbox_dead_letters: { text: mailText },
  mail_send_failed: { from: 20, text: mailText },
  mail_rate_limited: { from: 20, text: "Ask the mail provider for a higher limit." },
  login_codes_full: {
    text: "More codes were asked for than are mailed in an hour or a day, so that people new here had to wait, or to come in by Spotify. If these are real people, raise LOGIN_CODES_PER_DAY, once your mail plan sends as many; .ops/README.md says how to see it, and what to do against a flood.",
  },
  confirmations_full: {
    text: "More links to confirm an address were asked for than are mailed in a day, so that members had to wait until tomorrow. If these are real people, raise LOGIN_CODES_PER_DAY, once your mail plan sends as many; it counts for these by half.",
  },
  login_code_wrong: {
    from: 50,
    text: "Many wrong codes were typed: somebody may be guessing. Each mailbox has thirty tries a day, and all together a hundred and one for every fifty members; then links alone log in. Nothing is to be done, unless it goes on: .ops/README.md says what.",
  },
  upload_failed: {
    from: 5,
    text: "Files could not be stored. Does the bucket of RECORDINGS answer?",
  },
  recording_file_missing: {
    text: "The file of a recording is gone, so that nobody can hear it. Was the database restored, or the bucket emptied?",
  },
  report_not_mailed: {
    text: "A song was reported, and CONTACT_EMAIL could not be told. The song is listed below.",
  },
  spotify_unavailable: {
    from: 20,
    text: "Spotify does not answer. If the log says QUOTA_EXCEEDED, the quota of calls is used up.",
  },
  spotify_refused: {
    from: 20,
    text: "Spotify refuses favorites or playlists. The error in the log says why; it may be the same as for login_failed.",
  },
  login_failed: {
    from: 5,
    text: "If the log says HTTP 403, somebody is not on the list of users at Spotify, or the app's owner no longer has Premium. Anybody can cause failures of other kinds.",
  },
  tax_refused: {
    text: "Stripe works out no VAT; the log says why. Subscriptions are sold all the same. Set the origin address and your registrations at Stripe, under Tax.",
  },
  second_live_subscription: {
    text: "Somebody pays twice. End one of the two subscriptions at Stripe.",
  },
  customer_of_nobody: {
    text: "A payment belongs to no account. CONTACT_EMAIL got a mail for each payment.",
  },
  "listen_confirmed clock": {
    from: 20,
    text: "Listens are confirmed without Spotify's word. Does Spotify answer?",
  },
  spot_check_failed: { from: 5, text: spotText },
  spot_check_enqueue_failed: { from: 5, text: spotText },
};

export function raisedAlarms(
  counts: (typeof dailyCounts.$inferSelect)[],
  [today, yesterday]: readonly [string, string],
) {
  const countOf = (name: string, day: string) =>
    counts.find((one) => one.name === name && one.day === day)?.count ?? 0;
  return Object.entries(alarms).flatMap(([name, { from = 1, text }]) => {
    const raised = { name, today: countOf(name, today), yesterday: countOf(name, yesterday), text };
    return Math.max(raised.today, raised.yesterday) >= from ? [raised] : [];
  });
}

export function jobStates(runs: (typeof jobRuns.$inferSelect)[], now: number) {
  return (Object.keys(jobHours) as (keyof typeof jobHours)[]).map((job) => {
    const hours = jobHours[job];
    const { ranAt = null, failedAt = null } = runs.find((run) => run.job === job) ?? {};
    const missing =
      ranAt === null
        ? `It should run within ${hours} h of going live.`
        : now - ranAt > hours * hourMs && "It does not run.";
    const failed = failedAt === ranAt ? "It failed. The log says why, under job_failed." : null;
    const fault = missing ? `${missing} Are the crons in Cloudflare's dashboard?` : failed;
    return { job, text: jobTexts[job], ranAt, failedAt, fault };
  });
}

/** In bytes, on a paid plan of D1's. */
export const databaseLimit = 10_000_000_000;
/** The share of it at which it is nearly full. */
export const databaseAlarm = 0.8;

export const mailOverdueMs = hourMs;
