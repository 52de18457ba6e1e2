import { env } from "cloudflare:workers";
import { readConfig } from "~/platform/env";
import { trackOf } from "../catalogue";
import {
  insert,
  makeListen,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
  type UserOptions,
} from "../database/factories";
import { makeSession, type SessionOptions } from "../login";
import { control } from "../sandbox";
import { asking } from "./action";

const track = trackOf("mara-lind", 3);
export const own = trackOf("silas-whitcombe", 3);

interface MemberOptions
  extends UserOptions,
    Pick<SessionOptions, "expiresIn" | "mayAddToPlaylists"> {
  user?: TestUser;
  idle?: number;
}

export async function operates({ id }: TestUser): Promise<void> {
  const [spotifyId = ""] = readConfig(env).operators;
  await env.DB.prepare("UPDATE users SET spotify_id = ? WHERE id = ?").bind(spotifyId, id).run();
}

export async function makeMember(musician: string, options: MemberOptions = {}) {
  const { idle = 0, expiresIn = 3600, mayAddToPlaylists = false } = options;
  await control("reset", { musician });
  const user = options.user ?? (await makeUser(options));
  const lastSeenAt = Date.now() - idle;
  const session = await makeSession(user, { musician, lastSeenAt, expiresIn, mayAddToPlaylists });
  const { cookie } = session;
  return {
    musician,
    user,
    session,
    cookie,
    get: (path: string) => asking(path, { cookie }),
    post: (path: string, form: Record<string, string> = {}) => asking(path, { cookie, form }),
  };
}

interface ListenerOptions extends MemberOptions {
  /** A listen begun 90 s ago, which is confirmed, or which is open and can be confirmed. */
  listen?: "confirmed" | "open";
  mail?: boolean;
}

export async function makeListener(
  musician: string,
  { listen, mail = true, ...options }: ListenerOptions = {},
) {
  const owner = await makeUser(mail ? {} : { receiveRatingEmails: false });
  const song = await makeSong(owner, track);
  const member = await makeMember(musician, options);
  await makePackage(member.user, [song]);
  const startedAt = Date.now() - 90_000;
  if (listen) {
    const confirmed = listen === "confirmed" ? { finishedAt: startedAt + 60_000 } : {};
    await makeListen(member.user, song, { startedAt, ...confirmed });
  }
  if (listen === "open") {
    await control("play", { musician, trackId: track.trackId, positionMs: 80_000 });
  }
  const { on: act } = about(member, song);
  const on = (...done: Parameters<typeof act>) => ({ ...act(...done), owner });
  return { ...member, song, owner, on };
}

/** A member who has just rated the song, so that nothing is left to rate. */
export async function makeRater(musician: string, options: ListenerOptions = {}) {
  const listener = await makeListener(musician, options);
  await makeRating(listener.user, listener.song, { score: 4, at: Date.now() });
  return listener;
}

export async function makeOwner(
  musician: string,
  { received = 0, ...options }: MemberOptions & { received?: number } = {},
) {
  const member = await makeMember(musician, options);
  const song = await makeSong(member.user, { ...own, received });
  return { ...member, song, ...about(member, song) };
}

function about({ post }: Awaited<ReturnType<typeof makeMember>>, { id }: TestSong) {
  return {
    on: (action: string, form: Record<string, string> = {}) => post(`/songs/${id}/${action}`, form),
  };
}

export async function shareSong({ id }: { id: string }): Promise<string> {
  const token = "t".repeat(43);
  const snapshot = '{"received":5,"uploads":[{"number":1,"counts":[1,1,1,2]}]}';
  await insert("shares", { song_id: id, token, snapshot, published_at: Date.now() }).run();
  return token;
}

export async function submissionOf({ id }: TestSong): Promise<string> {
  const query = env.DB.prepare("SELECT id FROM submissions WHERE song_id = ?").bind(id);
  return (await query.first<string>("id")) ?? "";
}

export async function firstRow(
  sql: string,
  ...values: (string | number)[]
): Promise<Record<string, unknown>> {
  const row = await env.DB.prepare(sql)
    .bind(...values)
    .first<Record<string, unknown>>();
  return row ?? {};
}
