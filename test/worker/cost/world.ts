/** The users and songs that a page or an action is measured with. */
import { env } from "cloudflare:workers";
import { trackOf } from "../../support/catalogue";
import {
  insert,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
} from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { makeSession, type TestSession } from "../../support/login";
import { type Handler, type Measured, measure } from "../../support/measure";

/** What a test finds there. */
export interface World {
  musician: string;
  viewer: TestUser;
  session: TestSession;
  /** In the viewer's package if there is one. */
  song: TestSong;
  own: TestSong;
}

/** A logged-in user, and a rotation of nine songs of others and one of the user's. */
export async function makeWorld(
  musician: string,
  options: { drawn?: boolean; idle?: number; mayAddToPlaylists?: boolean } = {},
): Promise<World> {
  const viewer = await makeUser();
  const owners = [await makeUser(), await makeUser(), await makeUser(), await makeUser()];
  const song = await makeSong(owners[0] ?? viewer, trackOf("eino-kallas", 4));
  for (const owner of owners) await makeSong(owner);
  for (const owner of owners) await makeSong(owner);
  const own = await makeSong(viewer);
  await makeRating(owners[0] ?? viewer, own);
  if (options.drawn) {
    await makePackage(viewer, [song]);
    // A package from yesterday would be replaced.
    await env.DB.prepare("UPDATE packages SET drawn_at = ?").bind(Date.now()).run();
  }
  const lastSeenAt = Date.now() - (options.idle ?? 0);
  const { mayAddToPlaylists = false } = options;
  const session = await makeSession(viewer, { musician, lastSeenAt, mayAddToPlaylists });
  return { musician, viewer, session, song, own };
}

/** Measures a page as the user of a world of its own. */
export function page(handler: Handler, path: string, options: Parameters<typeof makeWorld>[1]) {
  return async (musician: string) => {
    const { session } = await makeWorld(musician, options);
    return measure(handler, { path, cookie: session.cookie });
  };
}

/** A post about the song of a world. */
export async function post(
  handler: Handler,
  { session, song }: World,
  form: Record<string, string> = {},
): Promise<Measured> {
  const path = "/an/action";
  return measure(handler, { path, cookie: session.cookie, songId: song.id, form });
}

/** Nothing is left to rate, so that submitting is free. */
export async function makeExhausted(musician: string): Promise<World> {
  const world = await makeWorld(musician, { drawn: true });
  // Only the songs are deleted, so their owners' submissions are still counted.
  exemptFromInvariants("submitted_count is the number of submissions");
  const others = "DELETE FROM songs WHERE owner_id <> ? AND id <> ?";
  await env.DB.prepare(others).bind(world.viewer.id, world.song.id).run();
  await makeRating(world.viewer, world.song);
  return world;
}

/** A viewer who has rated the song, and may add to the musician's playlists. */
export async function makeRated(musician: string): Promise<World> {
  const world = await makeWorld(musician, { drawn: true, mayAddToPlaylists: true });
  await makeRating(world.viewer, world.song, { score: 4, at: Date.now() });
  return world;
}

/** Publishes something about the viewer's song. @returns the token of its page. */
export async function shareOwn({ own }: World): Promise<string> {
  const token = "t".repeat(43);
  const snapshot = '{"received":5,"uploads":[{"number":1,"counts":[1,1,1,2]}]}';
  await insert("shares", { song_id: own.id, token, snapshot, published_at: Date.now() }).run();
  return token;
}
