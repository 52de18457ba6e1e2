/** Scenarios from PLAY SONG to a submission. */
import { env } from "cloudflare:workers";
import { trackOf } from "../catalogue";
import { freePrice, makeListen, makePackage, makeSong, makeUser } from "../database/factories";
import { makeSession } from "../login";
import { request } from "../request";
import { control } from "../sandbox";
import { firstRow } from "./check";
import { ask, type Caller, type Surroundings } from "./run";
import type { Scenario } from "./scenario";

/** A track that is longer than a free user's required time. */
const track = trackOf("mara-lind", 3);
const own = trackOf("silas-whitcombe", 3);

interface ListenerOptions {
  /** Whether a listen begun 90 s ago is confirmed, or open and can be confirmed. */
  listen?: "confirmed" | "open";
  mail?: boolean;
}

/** A listener with a song in their package. */
async function listener(musician: string, { listen, mail = true }: ListenerOptions = {}) {
  const owner = await makeUser(mail ? {} : { receiveRatingEmails: false });
  const song = await makeSong(owner, track);
  const user = await makeUser();
  await makePackage(user, [song]);
  await control("reset", { musician });
  const { cookie } = await makeSession(user, { musician });
  const startedAt = Date.now() - 90_000;
  if (listen) {
    const confirmed = listen === "confirmed" ? { finishedAt: startedAt + 60_000 } : {};
    await makeListen(user, song, { startedAt, ...confirmed });
  }
  if (listen === "open") {
    await control("play", { musician, trackId: track.trackId, positionMs: 80_000 });
  }
  return {
    user,
    post: (action: string, form: Record<string, string> = {}) => {
      return (around: Surroundings, caller: Caller) =>
        ask(around, `/songs/${song.id}/${action}`, caller, { cookie, form });
    },
  };
}

/** Without any response the rating is refused, because nothing seems to be playing. */
const asked = [409, 502, 503];
const submitted = `SELECT credits, submitted_count, visit,
    (SELECT entitled FROM songs WHERE owner_id = users.id) AS entitled,
    (SELECT count(*) FROM submissions WHERE owner_id = users.id) AS submissions,
    (SELECT count(*) FROM activity_log) AS log,
    (SELECT count(*) FROM outbox) AS mails
  FROM users WHERE id = ?`;
const openListens = "SELECT count(*) AS listens FROM listens WHERE closed_at IS NULL";

/** A rating, with everything that it writes. */
function rating(name: string, options: ListenerOptions): Scenario {
  return {
    name,
    ...(options.listen === "open" ? { asksOutside: true } : {}),
    async prepare(musician) {
      const { user, post } = await listener(musician, options);
      return {
        act: post("rating", { score: "3" }),
        state: () =>
          firstRow(
            `SELECT credits, rated_count, (SELECT count(*) FROM ratings) AS ratings,
               (SELECT received FROM songs) AS received, (SELECT owed FROM songs) AS owed,
               (SELECT count(*) FROM activity_log) AS log,
               (SELECT count(*) FROM outbox) AS mails,
               (SELECT count(*) FROM listens WHERE closed_at IS NULL) AS listens
             FROM users WHERE id = ?`,
            user.id,
          ),
      };
    },
    done: {
      ...{ credits: 1, rated_count: 1, ratings: 1, received: 1, owed: 4, log: 1 },
      mails: options.mail === false ? 0 : 1,
      listens: 0,
    },
    already: "You have already rated this song.",
    outage: asked,
  };
}

export const listeningScenarios: Scenario[] = [
  {
    name: "PLAY SONG, started by the server",
    asksOutside: true,
    async prepare(musician) {
      const { post } = await listener(musician);
      await control("openApp", { musician });
      return { act: post("play"), state: () => firstRow(openListens) };
    },
    done: { listens: 1 },
  },
  {
    name: "PLAY SONG, started by the browser, after another song",
    async prepare(musician) {
      const { user, post } = await listener(musician);
      await makeListen(user, await makeSong(await makeUser()));
      return { act: post("play", { deviceId: "here" }), state: () => firstRow(openListens) };
    },
    done: { listens: 1 },
  },
  {
    name: "confirming the listen",
    asksOutside: true,
    outage: asked,
    async prepare(musician) {
      const { post } = await listener(musician, { listen: "open" });
      return {
        act: post("listened"),
        state: () => firstRow("SELECT finished_at IS NOT NULL AS finished FROM listens"),
      };
    },
    done: { finished: 1 },
  },
  rating("a rating", { listen: "confirmed" }),
  rating("a rating that owes no mail", { listen: "confirmed", mail: false }),
  rating("a rating that also confirms the listen", { listen: "open" }),
  {
    name: "a favorite",
    asksOutside: true,
    async prepare(musician) {
      const { post } = await listener(musician);
      return {
        act: post("favorite"),
        state: () => firstRow("SELECT favorited_at IS NOT NULL AS remembered FROM package_songs"),
      };
    },
    done: { remembered: 1 },
  },
  {
    name: "a favorite taken back",
    asksOutside: true,
    async prepare(musician) {
      const { post } = await listener(musician);
      await env.DB.prepare("UPDATE package_songs SET favorited_at = 1").run();
      return {
        act: post("unfavorite"),
        state: () => firstRow("SELECT favorited_at IS NOT NULL AS remembered FROM package_songs"),
      };
    },
    done: { remembered: 0 },
  },
  {
    name: "a submission",
    asksOutside: true,
    async prepare(musician) {
      const user = await makeUser({ credits: freePrice });
      await control("reset", { musician });
      const { cookie } = await makeSession(user, { musician });
      const form = { trackId: own.trackId, key: crypto.randomUUID() };
      return {
        act: (around, caller) => ask(around, "/submissions", caller, { cookie, form }),
        state: () => firstRow(submitted, user.id),
      };
    },
    done: {
      ...{ credits: 0, submitted_count: 1, visit: 2, entitled: 5, submissions: 1 },
      log: 1,
      mails: 1,
    },
  },
  {
    name: "taking a submission back",
    async prepare(musician) {
      const user = await makeUser({ credits: freePrice });
      await control("reset", { musician });
      const { cookie } = await makeSession(user, { musician });
      const answer = await request("/submissions", { cookie, json: { trackId: own.trackId } });
      const { submissionId } = await answer.json<{ submissionId: string }>();
      const path = `/submissions/${submissionId}/undo`;
      return {
        act: (around, caller) => ask(around, path, caller, { cookie, form: {} }),
        state: () => firstRow(submitted, user.id),
      };
    },
    done: {
      ...{ credits: freePrice, submitted_count: 0, visit: 2, entitled: null, submissions: 0 },
      log: 2,
      mails: 0,
    },
  },
];
