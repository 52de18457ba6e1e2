/** Scenarios of mails: the queue's consumer and the sweep. */
import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { insert, makeSong, makeUser, unique } from "../database/factories";
import { addressOf, deliver, letTimePass, mailsTo, oweRating, oweSubmission } from "../mails";
import { firstRow } from "./check";
import { worker } from "./run";
import type { Scenario } from "./scenario";

const minute = 60_000;

export const mailScenarios: Scenario[] = [
  {
    name: "mails sent by the queue's consumer",
    asksOutside: true,
    async prepare() {
      const owner = await makeUser();
      const song = await makeSong(owner);
      // Both ratings go into one mail.
      const ids = [await oweRating(song), await oweRating(song), await oweSubmission(song)];
      const send = async (around: object) => {
        await deliver(ids, { ...around });
        return undefined;
      };
      return {
        act: send,
        async again(around) {
          await letTimePass();
          return send(around);
        },
        state: async () => ({
          ...(await firstRow("SELECT count(*) AS sent FROM outbox WHERE state = 'sent'")),
          mails: (await mailsTo(addressOf(owner))).length,
        }),
      };
    },
    done: { sent: 3, mails: 2 },
  },
  {
    name: "the sweep for songs that somebody waits for",
    async prepare() {
      const listener = await makeUser();
      for (let n = 0; n < 5; n += 1) await makeSong(await makeUser());
      await readSongsJustNow();
      const asked = Date.now() - minute;
      await insert("song_wishes", {
        ...{ id: unique("wish"), user_id: listener.id, asked_at: asked, looked_at: asked },
      }).run();
      return {
        async act(around) {
          const controller = createScheduledController({ cron: "*/10 * * * *" });
          await worker.scheduled(controller, around, createExecutionContext());
          return undefined;
        },
        state: () =>
          firstRow(`SELECT (SELECT count(*) FROM song_wishes) AS wishes,
            (SELECT count(*) FROM outbox WHERE kind = 'songs_again') AS mails`),
      };
    },
    done: { wishes: 0, mails: 1 },
  },
  {
    name: "the sweep for mails that were not queued, and the purge",
    async prepare() {
      const owner = await makeUser();
      const hourAgo = Date.now() - 60 * minute;
      await oweRating(await makeSong(owner), { notBefore: hourAgo });
      await readSongsJustNow();
      await insert("email_confirmations", {
        id: unique("link"),
        user_id: owner.id,
        address: "never-pressed@mail.example",
        created_at: 1,
        expires_at: 2,
      }).run();
      await insert("billing_events", { id: "evt_of_long_ago", created_at: 1 }).run();
      const sweep = async (around: Parameters<typeof worker.scheduled>[1]) => {
        const controller = createScheduledController({ cron: "*/10 * * * *" });
        await worker.scheduled(controller, around, createExecutionContext());
        return undefined;
      };
      return {
        act: sweep,
        async again(around) {
          await letTimePass();
          return sweep(around);
        },
        state: () =>
          firstRow(
            `SELECT not_before > ? AS queued,
               (SELECT count(*) FROM email_confirmations) AS links,
               (SELECT count(*) FROM billing_events) AS events FROM outbox`,
            hourAgo,
          ),
      };
    },
    done: { queued: 1, links: 0, events: 0 },
  },
];

/** Leaves the job that looks at old songs, which runs at the same time, with nothing to ask of Spotify. */
async function readSongsJustNow(): Promise<void> {
  await env.DB.prepare("UPDATE songs SET fetched_at = ?").bind(Date.now()).run();
}
