import type { LegacyCalls } from "./legacy-fallback";
import { createRequestState, type RequestState } from "./requests";

/** An isolate has 128 MB for everything, and one cached answer may take a quarter of a megabyte. */
const maxSessions = 300;
const maxAnswers = 100;

/** State about Spotify that an isolate keeps from one request to the next. */
export interface SpotifyState {
  legacyCalls: LegacyCalls;
  /**
   * The request state of a session. Of too many answers, those of the least recently used sessions
   * are dropped; of too many sessions, the least recently used ones.
   */
  requestStateFor(sessionId: string): RequestState;
}

export function createSpotifyState(): SpotifyState {
  /** The most recently used session comes last. */
  const sessions = new Map<string, RequestState>();
  return {
    legacyCalls: new Map(),
    requestStateFor(sessionId) {
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

/** The state of this isolate. */
export const spotifyState = createSpotifyState();
