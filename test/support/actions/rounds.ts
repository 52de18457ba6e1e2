/** From a round's link to its results. */
import { hourMs } from "~/platform/dates";
import { makeListen, makeSong, type TestUser } from "../database/factories";
import { change } from "../database/rows";
import { type Guest, guest, round } from "../people/rounds";
import { type Action, asking, forMembers, type Says, toOthers } from "./action";
import { firstRow, makeMember, own } from "./world";

const noRound: Says = [404, "There is no round at this address. Ask for the link again."];
const notHost: Says = [404, "You host no round at this address."];
const notOpen: Says = [
  409,
  "Your marks are not open yet. They open once the round has, and you have heard yours.",
];

const members = "SELECT count(song_id) AS songs, count(*) AS members FROM round_members";

/** A member of a round that others are in, with a song handed in if there is to be one. */
async function inRound(
  musician: string,
  { others = 5, joins = true }: { others?: number; joins?: boolean } = {},
) {
  const member = await makeMember(musician);
  const at = Date.now() - 2 * hourMs;
  const me = await guest({ user: member.user });
  const it = await round({ members: others, seats: 8, at });
  await change("rounds", { token: it.token }, { gatherUntil: Date.now() + hourMs });
  if (joins) await me.at(Date.now()).handsIn(it.token);
  const on = (action: string, form: Record<string, string> = {}) =>
    member.post(`/rounds/${it.token}/${action}`, form);
  return { ...member, me, it, on };
}

/** Its round is open, and all have listened but, if asked for, the last. */
async function inOpenRound(musician: string, { leavesOut = 0 } = {}) {
  const made = await inRound(musician, { others: 5 });
  const { it, me } = made;
  await change("rounds", { token: it.token }, { gatherUntil: Date.now() });
  await it.runs(Date.now());
  const all = [me, ...it.members];
  for (const one of all.slice(0, all.length - leavesOut)) {
    one.at(Date.now());
    for (const other of all) if (other !== one) await one.gives(other.song);
  }
  if (leavesOut > 0) await change("rounds", { token: it.token }, { endsAt: Date.now() });
  await it.runs(Date.now());
  return made;
}

const mine = ({ id }: TestUser) =>
  firstRow(
    "SELECT opened_at IS NOT NULL AS opened, shown_at IS NOT NULL AS shown FROM round_members WHERE user_id = ?",
    id,
  );

export const roundActions: Action[] = [
  {
    name: "opening a round",
    ...forMembers("LIMIT_STRICT"),
    refuses: [
      [422, "Give the round a name, and choose its seats and times."],
      [
        { name: "A", seats: "6" },
        { name: "A", seats: "6", until: "soon", days: "1" },
      ],
    ],
    formsOn: ["/rounds"],
    async prepare(musician) {
      const { post } = await makeMember(musician);
      const until = String(Date.now() + 2 * hourMs);
      const form = { key: crypto.randomUUID(), name: "Friday", seats: "6", until, days: "1" };
      return {
        ...post("/rounds/open", form),
        state: () => firstRow("SELECT count(*) AS rounds, max(seats) AS seats FROM rounds"),
      };
    },
    done: { rounds: 1, seats: 6 },
  },
  {
    name: "taking a seat",
    ...forMembers("LIMIT_STRICT", { nothing: noRound }),
    async prepare(musician) {
      const { on } = await inRound(musician, { others: 2, joins: false });
      return { ...on("seat"), id: "none", state: () => firstRow(members) };
    },
    done: { songs: 2, members: 3 },
  },
  {
    name: "handing in a song",
    ...forMembers("LIMIT_STRICT", { nothing: noRound }),
    refuses: [
      [422, "Choose a song, and say how it was made."],
      [{}, { trackId: "x" }, { recording: "x" }, { trackId: own.trackId, made: "it was" }],
    ],
    asksOutside: true,
    outage: [502, 503],
    async prepare(musician) {
      const { on } = await inRound(musician, { others: 2, joins: false });
      return {
        ...on("hand-in", { trackId: own.trackId }),
        id: "none",
        state: () => firstRow(members),
      };
    },
    done: { songs: 3, members: 3 },
  },
  {
    name: "leaving a round",
    ...forMembers("LIMIT_STRICT", { nothing: noRound }),
    async prepare(musician) {
      const { on } = await inRound(musician, { others: 2 });
      return { ...on("leave"), id: "none", state: () => firstRow(members) };
    },
    done: { songs: 2, members: 2 },
  },
  ...(["begin", "end", "remind"] as const).map(
    (what): Action => ({
      name: `a host's press: ${what}`,
      ...forMembers("LIMIT_STRICT", { ...toOthers(notHost) }),
      async prepare(musician) {
        const { on, it, user } = await inRound(musician, { others: 6 });
        await change("rounds", { token: it.token }, { hostId: user.id });
        if (what === "remind") await it.runs((await it.now()).gatherUntil);
        return {
          ...on(what),
          id: "none",
          state: () =>
            firstRow(
              "SELECT begun_at IS NOT NULL AS begun, ended_at IS NOT NULL AS ended, reminded_at IS NOT NULL AS reminded FROM rounds",
            ),
        };
      },
      done: {
        begun: what === "end" ? 0 : 1,
        ended: what === "end" ? 1 : 0,
        reminded: what === "remind" ? 1 : 0,
      },
    }),
  ),
  ...(["open", "show", "hide"] as const).map(
    (what): Action => ({
      name: `with one's own marks: ${what}`,
      ...forMembers("LIMIT_STRICT", toOthers(notOpen)),
      async prepare(musician) {
        const { on, me, it, user } = await inOpenRound(musician);
        if (what !== "open") await me.doesWithOwn(it.token, "open");
        if (what === "hide") await me.doesWithOwn(it.token, "show");
        return { ...on(what), id: "none", state: () => mine(user) };
      },
      done: { opened: 1, shown: what === "show" ? 1 : 0 },
    }),
  ),
  {
    name: "asking the exchange for what a round's members left out",
    ...forMembers("LIMIT_STRICT", {
      ...toOthers([
        409,
        "Musicians outside the round cannot give it the rest. Perhaps it waits there already, or you have asked for another one this week.",
      ]),
    }),
    async prepare(musician) {
      const { on, me } = await inOpenRound(musician, { leavesOut: 1 });
      return {
        ...on("exchange"),
        id: "none",
        state: () =>
          firstRow(
            `SELECT entitled, received, owed, (SELECT count(*) FROM ratings WHERE sealed = 0) AS unsealed
             FROM songs WHERE id = ?`,
            me.song.id,
          ),
      };
    },
    done: { entitled: 5, received: 4, owed: 1, unsealed: 4 },
  },
  {
    name: "a rating in a round, the last one, which opens it",
    async prepare(musician) {
      const { it, me, user, post } = await inRound(musician);
      await change("rounds", { token: it.token }, { gatherUntil: Date.now() });
      await it.runs(Date.now());
      const all = [me, ...it.members];
      const [last] = it.members;
      for (const one of all) {
        one.at(Date.now());
        for (const other of all) {
          const isLast = one === me && other === last;
          if (other !== one && !isLast) await one.gives(other.song);
        }
      }
      const startedAt = Date.now() - 90_000;
      const { song } = last as Guest;
      await makeListen(user, song, { startedAt, finishedAt: startedAt + 60_000 });
      return {
        ...post(`/songs/${song.id}/rating`, { score: "3" }),
        state: () =>
          firstRow(
            `SELECT count(*) AS ratings, min(sealed) AS sealed, (SELECT credits FROM users WHERE id = ?) AS credits,
               (SELECT opened_at IS NOT NULL FROM rounds) AS opened,
               (SELECT count(*) FROM outbox) AS mails FROM ratings WHERE round_id IS NOT NULL`,
            user.id,
          ),
      };
    },
    done: { ratings: 30, sealed: 1, credits: 0, opened: 1, mails: 6 },
    outage: [409, 502, 503],
  },
];

export const roundPages: Action[] = [
  {
    name: "the rounds",
    async prepare(musician) {
      const { get } = await inRound(musician);
      return { ...get("/rounds"), shows: /Your rounds/ };
    },
  },
  {
    name: "a round that gathers",
    async prepare(musician) {
      const { get, it } = await inRound(musician);
      return { ...get(`/rounds/${it.token}`), shows: /Six of eight are in/ };
    },
  },
  {
    name: "where a song is handed in to a round",
    async prepare(musician) {
      const { get, it, user } = await inRound(musician, { joins: false });
      await makeSong(user, { submittedAt: [] });
      return { ...get(`/rounds/${it.token}?seat`), shows: /Which song is yours/ };
    },
  },
  {
    name: "a round's invitation",
    async prepare() {
      const it = await round({ members: 2, seats: 6, at: Date.now() });
      return { ...asking(`/rounds/${it.token}`), shows: /Take a seat/ };
    },
  },
  {
    name: "a round that is open",
    async prepare(musician) {
      const { get, me, it } = await inOpenRound(musician);
      await me.doesWithOwn(it.token, "open");
      return { ...get(`/rounds/${it.token}`), shows: /The other five/ };
    },
  },
];
