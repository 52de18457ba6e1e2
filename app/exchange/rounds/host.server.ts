import { type SQL, sql } from "drizzle-orm";
import type { DatabaseAndClock } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { firstFailing, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { rounds } from "~/db/schema";
import {
  fewestMembers,
  isDeadline,
  listenDays,
  mostHostedBy,
  mostOpenedADay,
  readRoundName,
  seatChoices,
} from "~/exchange/round/round";
import { advanceRounds, isLive, mayEnd } from "~/exchange/round/round.server";
import type { Viewer } from "~/members/viewer.server";
import { isInCooldown, lockReason } from "~/members/what-outlives.server";
import { randomToken } from "~/platform/crypto.server";
import { dayMs } from "~/platform/dates";
import { isRejection, type Rejection, reject } from "~/platform/rejection";

const refusals = {
  isNotLocked: "You cannot open a round at the moment, because you cannot submit songs.",
  isNotAway: "You can open a round a day after your last account was deleted.",
  isFewToday: "You have opened as many rounds as a day allows. Come back tomorrow.",
  hasRoom: "Your last round is still going on. You can open another one once it is open or over.",
} as const;

const wrongChoice = reject(
  422,
  "Choose how many seats there are, and until when songs come in: in an hour to seven days.",
);

interface NewRound {
  /** Of the form: pressed twice, it opens one round. */
  key: string;
  name: string;
  seats: number;
  until: number;
  days: number;
}

/** Opens a round (rule 47, rounds). Refuses who is locked, and one beside as many as its host may have. */
export async function openRound(
  { db, now }: DatabaseAndClock,
  viewer: Viewer,
  isOperator: boolean,
  { key, until, days, seats, ...asked }: NewRound,
): Promise<{ token: string } | Rejection> {
  const at = now();
  const host = { tier: viewer.tierConfig.tier, isOperator };
  const name = readRoundName(asked.name);
  if (isRejection(name)) return name;
  const isChoice = seatChoices(host).includes(seats) && listenDays.some((one) => one === days);
  if (!isChoice || !isDeadline(until, at)) return wrongChoice;
  const { userId } = viewer;
  const why = firstFailing({
    isNotLocked: sql`${lockReason(userId)} IS NULL`,
    isNotAway: sql`NOT ${isInCooldown(userId, at)}`,
    isFewToday: sql`(SELECT count(*) FROM rounds
      WHERE host_id = ${userId} AND created_at > ${at - dayMs}) < ${mostOpenedADay}`,
    hasRoom: sql`(SELECT count(*) FROM rounds WHERE host_id = ${userId} AND ${isLive}) < ${mostHostedBy(host)}`,
  });
  const row = { id: key, hostId: userId, name, token: randomToken(), seats };
  const times = { gatherUntil: until, listenMs: days * dayMs, createdAt: at };
  const { refused, opened } = await runBatch(db, {
    refused: db.select({ why: why.as("why") }).from(sql`(SELECT 1)`),
    made: insertSelect(db, rounds, {
      row: { ...row, ...times },
      from: sql`WHERE ${why} IS NULL`,
    }).onConflictDoNothing(),
    opened: db
      .select({ token: rounds.token })
      .from(rounds)
      .where(sql`id = ${key} AND host_id = ${userId}`),
  });
  const [round] = opened;
  return round ?? reject(409, refusals[refused[0]?.why ?? "hasRoom"]);
}

/** What a host does with their round, on which, and by what it shows that it was done. */
const hostings = {
  begin: {
    set: (now: number) => ({ gatherUntil: now }),
    where: sql`begun_at IS NULL AND ended_at IS NULL
      AND (SELECT count(song_id) FROM round_members WHERE round_id = rounds.id) >= ${fewestMembers}`,
    isDone: sql`begun_at IS NOT NULL`,
    refusal: "It can begin once six are in. Perhaps one has just left.",
  },
  end: {
    set: (now: number) => ({
      endedAt: sql`iif(begun_at IS NULL, ${now}, NULL)`,
      endsAt: sql`iif(begun_at IS NULL, NULL, ${now})`,
    }),
    where: sql`(begun_at IS NULL AND ended_at IS NULL OR ${mayEnd})`,
    isDone: sql`NOT (${isLive})`,
    refusal:
      "You can end it once all but one have listened, and five at least. Before that, single marks could tell whose they are.",
  },
  remind: {
    set: (now: number) => ({ remindedAt: now }),
    where: sql`begun_at IS NOT NULL AND ${isLive} AND reminded_at IS NULL`,
    isDone: sql`reminded_at IS NOT NULL`,
    refusal: "Nobody can be reminded of this round now.",
  },
} satisfies Record<string, { set(now: number): object; where: SQL; isDone: SQL; refusal: string }>;

export type Hosting = keyof typeof hostings;

export async function hostRound(
  { db, now }: DatabaseAndClock,
  { userId }: Viewer,
  { token, what }: { token: string; what: Hosting },
): Promise<{ ok: true } | Rejection> {
  const { set, where, isDone, refusal } = hostings[what];
  const at = now();
  const isTheirs = sql`token = ${token} AND host_id = ${userId}`;
  const {
    own: [own],
  } = await runBatch(db, {
    done: db.update(rounds).set(set(at)).where(sql`${isTheirs} AND ${where}`),
    goOn: advanceRounds(db, isTheirs, at),
    own: db
      .select({ isDone: asBoolean(isDone, "is_done") })
      .from(rounds)
      .where(isTheirs),
  });
  if (!own) return reject(404, "You host no round at this address.");
  return own.isDone ? { ok: true } : reject(409, refusal);
}
