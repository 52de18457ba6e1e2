/** A hurried user who goes through the whole loop and presses every button two or three times at once. */
import { env } from "cloudflare:workers";
import { maxScore } from "~/db/rules";
import type { TestUser } from "./database/factories";
import { makeSession, type TestSession } from "./login";
import { request } from "./request";
import { control } from "./sandbox";

interface Told {
  rated: number;
  submissions: Set<string>;
  wantsMails: boolean[];
  statuses: Map<number, number>;
}

export interface SimulatedUser {
  user: TestUser;
  told: Told;
  live(): Promise<void>;
}

/** The maximum number of songs played, so that no user goes on for ever. */
const mostPlays = 14;

/** `random` makes all choices; nobody else uses the musician. */
export function simulateUser(
  user: TestUser,
  musician: string,
  tracks: string[],
  random: () => number,
): SimulatedUser {
  const told: Told = { rated: 0, submissions: new Set(), wantsMails: [], statuses: new Map() };
  let session: TestSession;

  async function send(...[path, options]: Parameters<typeof request>): Promise<Response> {
    const answer = await request(path, { cookie: session.cookie, ...options });
    told.statuses.set(answer.status, (told.statuses.get(answer.status) ?? 0) + 1);
    return answer;
  }

  /** Does the same thing two or three times at once. */
  function press(path: string, fields: Record<string, string>): Promise<Response[]> {
    const asJson = random() < 0.5;
    const times = random() < 0.5 ? 2 : 3;
    const once = () => send(path, asJson ? { json: fields } : { form: fields });
    return Promise.all(Array.from({ length: times }, once));
  }

  async function offered(): Promise<string[]> {
    const [page = ""] = await Promise.all([1, 2].map(async () => (await send("/")).text()));
    const forms = page.matchAll(/action="\/songs\/([^"/]+)\/play"/g);
    return [...new Set([...forms].map(([, id = ""]) => id))];
  }

  /** Plays a song and lets the required time pass, here and at Spotify. */
  async function play(songId: string): Promise<boolean> {
    const answer = await send(`/songs/${songId}/play`, { json: { deviceId: "here" } });
    if (answer.status !== 200) return false;
    type Started = { listenId: string; requiredSeconds: number };
    const { listenId, requiredSeconds } = await answer.json<Started>();
    const track = "SELECT track_id FROM songs WHERE id = ?";
    const trackId = await env.DB.prepare(track).bind(songId).first<string>("track_id");
    const positionMs = (requiredSeconds + 1) * 1000;
    await control("play", { musician, trackId, positionMs });
    await env.DB.prepare("UPDATE listens SET started_at = started_at - ? WHERE id = ?")
      .bind(positionMs, listenId)
      .run();
    return true;
  }

  async function rate(songId: string): Promise<void> {
    if (random() < 0.3) await press(`/songs/${songId}/listened`, {});
    const score = String(1 + Math.floor(random() * maxScore));
    const answers = await press(`/songs/${songId}/rating`, { score });
    // A second press within a minute changes the score at most.
    const isRated = answers.some(
      ({ status, headers }) =>
        status === 200 || headers.get("Location")?.startsWith("/?rated=") === true,
    );
    if (isRated) told.rated += 1;
  }

  async function submit(): Promise<boolean> {
    const [trackId = "", other = ""] = tracks;
    const answers = await Promise.all([
      press("/submissions", { trackId, key: crypto.randomUUID() }),
      press("/submissions", { trackId: other, key: crypto.randomUUID() }),
    ]);
    const ids = await Promise.all(answers.flat().map(submissionIn));
    for (const id of ids) if (id !== null) told.submissions.add(id);
    return told.submissions.size > 0;
  }

  async function changePreference(): Promise<void> {
    const wanted = random() < 0.5;
    told.wantsMails.push(wanted);
    await press("/email-preference", { receiveRatingEmails: String(wanted) });
  }

  async function changeSession(): Promise<void> {
    await press("/logout", {});
    session = await makeSession(user, { musician });
  }

  return {
    user,
    told,
    async live() {
      session = await makeSession(user, { musician });
      for (let plays = 0; plays < mostPlays; plays += 1) {
        const songs = await offered();
        const songId = songs[Math.floor(random() * songs.length)];
        if (songId && (await play(songId))) await rate(songId);
        if (random() < 0.15) await changePreference();
        if (random() < 0.15) await changeSession();
        if (await submit()) break;
      }
      for (const songId of (await offered()).slice(0, 1)) {
        if (await play(songId)) await rate(songId);
      }
    },
  };
}

async function submissionIn(answer: Response): Promise<string | null> {
  if (answer.status === 200) return (await answer.json<{ submissionId: string }>()).submissionId;
  return /&submission=([^&]+)/.exec(answer.headers.get("Location") ?? "")?.[1] ?? null;
}
