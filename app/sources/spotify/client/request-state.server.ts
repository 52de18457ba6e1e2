import type { LegacyCalls } from "./legacy-fallback";
import { createRequestState, type RequestState } from "./requests";

/** An isolate has 128 MB for everything, and one cached answer may take a quarter of a megabyte. */
const maxSessions = 300;
const maxAnswers = 100;

export function createSpotifyState() {
  /** The most recently used session comes last. */
  const sessions = new Map<string, RequestState>();
  const legacyCalls: LegacyCalls = new Map();
  return {
    legacyCalls,
    /** Of too many sessions or answers, those of the least recently used sessions are dropped. */
    requestStateFor(sessionId: string) {
      const state = sessions.get(sessionId) ?? createRequestState();
      sessions.delete(sessionId);
      let answers = state.answers.size;
      for (const other of sessions.values()) answers += other.answers.size;
      for (const [id, other] of sessions) {
        if (answers <= maxAnswers && sessions.size < maxSessions) break;
        answers -= other.answers.size;
        other.answers.clear();
        if (sessions.size >= maxSessions) sessions.delete(id);
      }
      sessions.set(sessionId, state);
      return state;
    },
  };
}

/** What this isolate keeps from one request to the next. */
export const spotifyState = createSpotifyState();
