/** Members of a round, each with a song of their own, and what they do in it. */

import type { Score } from "~/exchange/rating/scale";
import { type Hosting, hostRound, openRound } from "~/exchange/rounds/host.server";
import { mailRounds } from "~/exchange/rounds/mails.server";
import {
  askExchange,
  handIn,
  leaveRound,
  type OwnResult,
  takeSeat,
  writeOwnResult,
} from "~/exchange/rounds/member.server";
import { loadRound } from "~/exchange/rounds/view.server";
import { dayMs, hourMs } from "~/platform/dates";
import { isRejection } from "~/platform/rejection";
import { baseTime, makeListen, makeSong, unique } from "../database/factories";
import { row } from "../database/rows";
import { type Someone, someone } from "../people";
import { catalogue } from "../spotify/stub";

type SomeoneOptions = Parameters<typeof someone>[0];

/** Somebody with a song that is in no line. */
export async function guest(options: SomeoneOptions = {}) {
  const who = await someone(options);
  const song = await makeSong(who, { submittedAt: [] });
  const it = {
    ...who,
    song,
    at(time: number) {
      who.at(time);
      return it;
    },
    async hostsIn(token: string, what: Hosting) {
      return hostRound(who.services(), await who.viewer(), { token, what });
    },
    async handsIn(token: string, track = song) {
      const asked = { trackId: track.trackId, made: "people" as const };
      return handIn(who.services(catalogue(track)), await who.viewer(), { token, asked });
    },
    async takesSeat(token: string) {
      return takeSeat(who.services(), await who.viewer(), token);
    },
    async leavesRound(token: string) {
      return leaveRound(who.services(), await who.viewer(), token);
    },
    async doesWithOwn(token: string, what: OwnResult) {
      return writeOwnResult(who.services(), await who.viewer(), { token, what });
    },
    async asksExchange(token: string) {
      return askExchange(who.services(), await who.viewer(), token);
    },
    async sees(token: string) {
      const view = await loadRound(who.services(), await who.viewer(), token);
      if (!view) throw new Error("no round");
      return view;
    },
    /** Hears and rates a song that they are offered, of whichever round. */
    async gives(song: { id: string; ownerId: string }, score: Score = 3) {
      const { now } = who.services();
      const startedAt = now() - 60_000;
      await makeListen(who, song, { startedAt, finishedAt: startedAt + 56_000, closedAt: now() });
      return who.rates(song as Parameters<Someone["rates"]>[0], score);
    },
  };
  return it;
}

export type Guest = Awaited<ReturnType<typeof guest>>;

interface RoundOptions {
  members?: number;
  seats?: number;
  host?: SomeoneOptions;
  /** Songs come in for an hour. */
  days?: number;
  at?: number;
}

/** A round of as many members; it has begun if all seats are taken. */
export async function round({ members = 6, seats = members, ...options }: RoundOptions = {}) {
  const { at = baseTime, days = 1, host: about = {} } = options;
  const host = await guest(about);
  // Of those that there are, the next size; where it stays free, the host says that it begins.
  const size = [6, 8, 12].find((one) => one >= seats) ?? 12;
  const asked = {
    key: crypto.randomUUID(),
    name: unique("Round"),
    seats: size,
    days,
    until: at + hourMs,
  };
  host.at(at);
  const opened = await openRound(host.services(), await host.viewer(), false, asked);
  if (isRejection(opened)) throw new Error(opened.error);
  const { token } = opened;
  const all: Guest[] = [host];
  while (all.length < members) all.push(await guest());
  for (const [n, one] of all.entries()) {
    one.at(at + n + 1);
    const handed = await one.handsIn(token);
    if (isRejection(handed)) throw new Error(handed.error);
  }
  const it = {
    token,
    host,
    members: all,
    days,
    asked,
    now: () => row("rounds", { token }),
    /** All do what comes next at this time. */
    at(time: number) {
      for (const one of all) one.at(time);
      return it;
    },
    songOf: (id: string) => {
      const owner = all.find(({ song }) => song.id === id);
      if (!owner) throw new Error("no song of this round");
      return owner.song;
    },
    /** Somebody hears and rates as many as they are offered, or so many. */
    async listens(one: Guest, score: Score = 3, most = 99) {
      let given = 0;
      while (given < most) {
        const { view } = await one.carousel();
        const [next] = view.round && view.round.heard < view.round.due ? view.songs : [];
        if (!next) break;
        const answer = await one.gives(it.songOf(next.songId), score);
        if (isRejection(answer)) throw new Error(answer.error);
        given += 1;
        one.waits(1);
      }
      return given;
    },
    async runs(time: number) {
      const { db, mailQueue } = host.services();
      return mailRounds({ db, mailQueue, now: time });
    },
    begun: at + 100,
    over: at + 100 + days * dayMs,
  };
  return it;
}
