/**
 * The sender and the targets of the hostile requests: a logged-in user, a victim with rows in every
 * table, and the routes of the build.
 */
import { env } from "cloudflare:workers";
// @ts-expect-error: the bundle, which may not have been built yet, has no types.
import bundle from "../../../build/index.js?raw";
import { trackOf } from "../../support/catalogue";
import {
  baseTime,
  insert,
  makeListen,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  type TestUser,
  unique,
} from "../../support/database/factories";
import { makeSession, type TestSession } from "../../support/login";
import { oweRating, oweSubmission } from "../../support/mails";
import { control } from "../../support/sandbox";

/** The source of every module below app/routes, by path. */
// @ts-expect-error: this is Vite's, and its types are not loaded here.
const modules: Record<string, string> = import.meta.glob("../../../app/routes/**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});
/** A route is a file, or a folder's `route.tsx`. */
export const moduleCount = Object.keys(modules).filter((path) =>
  /\/routes\/(?:[^/]+|[^/]+\/route\.tsx?)$/.test(path),
).length;

/** The names of all fields and query parameters that any route reads. */
export const names = namesIn(Object.values(modules).join("\n"));

const idsAndPaths = readBundle();
export const routeCount = idsAndPaths.size;

/** All routes; `path` as Remix writes it ("songs/:songId/play", "" for the front page), each action by itself. */
export const routes: { path: string; names: string[] }[] = [...idsAndPaths].flatMap(
  ([id, path]) => {
    // Ids have "-" for the "$" of their files (remix.config.js).
    const own = Object.entries(modules).filter(([file]) =>
      `${file.replaceAll("$", "-").replace(/\.tsx?$/, "")}/`.includes(`/${id}/`),
    );
    const text = own.map(([, source]) => source).join("\n");
    if (!path.endsWith(":action")) return [{ path, names: namesIn(text) }];
    const actions = [...text.matchAll(/^ {2}"?([\w-]+)"?: limitPosts\(/gm)];
    return actions.map(([, action = ""]) => {
      const [post = text] =
        new RegExp(`^ {2}"?${action}"?: memberPost[^]*?^ {2}\\}\\),`, "m").exec(text) ?? [];
      return { path: path.replace(":action", action), names: namesIn(post) };
    });
  },
);

/** Reads the bundle, which lists each route twice: for the server and for the browser. */
function readBundle(): Map<string, string> {
  const entries = /\bid: "(routes\/[^"]+)",\s+parentId: "\w+",\s+path: (.+?),/g;
  const found = [...(bundle as string).matchAll(entries)];
  return new Map(
    found.map(([, id = "", path = ""]) => [id, path.startsWith('"') ? path.slice(1, -1) : ""]),
  );
}

function namesIn(text: string): string[] {
  // Capitalised names are headers, except for one field.
  const asked =
    /\.(?:get|has)\("([a-z]\w*|List-Unsubscribe)"\)|[\s{](\w+): (?:z\.(?!object)|wanted|aspects)/g;
  return [...new Set([...text.matchAll(asked)].map(([, name, key]) => name ?? key ?? ""))];
}

export interface World {
  user: TestUser;
  session: TestSession;
  victim: TestUser;
  victimAddress: string;
  victimSession: TestSession;
  /** Facts about the victim that no response to others may contain. */
  secrets: string[];
  /** Song ids: the user's own song; the victim's one that the user has heard, one begun, one not drawn. */
  ids: string[];
  /** Valid fields, with which the user could rate the song heard, submit, and so on. */
  valid: Record<string, string>;
}

/**
 * Makes a user who has a song, has heard a song and begun another, and has the credit for another
 * submission.
 * @param musician the user's account at the sandbox; each test file needs a different one.
 */
export async function makeWorld(musician: string): Promise<World> {
  await control("reset", { musician });
  const user = await makeUser({ credits: 5, ownEmail: `${unique("own")}@mail.example` });
  const victimAddress = `${unique("victim")}@mail.example`;
  const victim = await makeUser({
    displayName: unique("Victoria Unharmed"),
    tier: "premium",
    ownEmail: victimAddress,
    receiveRatingEmails: true,
  });
  const pictures = `${env.SANDBOX_ORIGIN}/spotify/images`;
  const own = await makeSong(user);
  const [heard, begun, undrawn] = [
    // As the stand-in tells of them, so that a listen finds nothing changed.
    await makeSong(victim, trackOf(musician, 2, pictures)),
    await makeSong(victim, trackOf(musician, 3, pictures)),
    await makeSong(victim, { submittedAt: [baseTime, baseTime + 1] }),
  ];
  await makePackage(user, [heard, begun]);
  const at = baseTime + 60_000;
  await makeListen(user, heard, { finishedAt: at, closedAt: at });
  await makeListen(user, begun);
  await makeSession(user);
  const session = await makeSession(user, { musician });

  const other = await makeSong(await makeUser());
  const rated = await makeSong(await makeUser());
  await makeRating(victim, rated, { score: 4, inPlaylist: true });
  const playlistName = unique("Secret playlist");
  await insert("playlist_adds", {
    ...{ user_id: victim.id, song_id: rated.id, added_at: at },
    ...{ playlist_id: "p".repeat(22), playlist_name: playlistName },
  }).run();
  await makePackage(victim, [other]);
  await env.DB.prepare("UPDATE package_songs SET favorited_at = ? WHERE song_id = ?")
    .bind(at, other.id)
    .run();
  await makeListen(victim, other);
  await oweRating(undrawn);
  await oweSubmission(undrawn);
  await insert("activity_log", {
    ...{ id: unique("log"), kind: "login", user_id: victim.id, created_at: at },
  }).run();
  await insert("song_wishes", {
    ...{ id: unique("wish"), user_id: victim.id, asked_at: at, looked_at: at },
  }).run();
  const shareToken = unique("share");
  await insert("shares", {
    ...{ song_id: undrawn.id, token: shareToken, published_at: at },
    snapshot: '{"received":5,"uploads":[{"number":1,"counts":[1,1,1,2]}]}',
  }).run();
  for (const song of [begun, undrawn]) {
    const row = { id: unique("report"), song_id: song.id, reporter_id: victim.id, created_at: at };
    await insert("reports", { ...row, words: unique("Secret words") }).run();
  }
  await insert("billing_events", { id: unique("evt"), created_at: at }).run();
  const victimSession = await makeSession(victim, { musician: "demo-premium" });

  return {
    ...{ user, session, victim, victimAddress, victimSession },
    secrets: [
      victimAddress,
      shareToken,
      playlistName,
      `${victim.id}@`,
      victim.displayName,
      victimSession.accessToken,
      victimSession.refreshToken,
      await customerOf(victim),
    ],
    ids: [own.id, heard.id, begun.id, undrawn.id],
    valid: {
      score: "3",
      liked: "Groove",
      improve: "Sound",
      trackId: trackOf(musician, 4).trackId,
      key: "0f8fad5b-d9cb-469f-a165-70867728950e",
      address: `${unique("new")}@mail.example`,
      receiveRatingEmails: "false",
      receiveSubscriptionEmails: "false",
      receive: "false",
      wanted: "false",
      "List-Unsubscribe": "One-Click",
      next: "/account",
      menu: "addownsong",
      deviceId: "here",
      reason: "taste",
      words: "Not music",
      playlist: "finds",
      name: "Mine",
    },
  };
}

async function customerOf({ id }: TestUser): Promise<string> {
  const query = env.DB.prepare("SELECT customer_id FROM subscriptions WHERE user_id = ?").bind(id);
  return (await query.first<string>("customer_id")) ?? "";
}
