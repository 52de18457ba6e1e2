import type { OldRoutes } from "./old-routes";
import { createRequestMemory, type RequestMemory } from "./requests";

/** An isolate has 128 MB for everything, and an answer may have a quarter of one. */
const maxSessions = 300;
const maxAnswers = 100;

/** What an isolate remembers about Spotify from one request to the next. */
export interface Memories {
  oldRoutes: OldRoutes;
  /** The memory of a session's requests; of those used longest ago, answers and all go first. */
  requestStateFor(sessionId: string): RequestMemory;
}

export function createMemories(): Memories {
  /** Last used comes last. */
  const sessions = new Map<string, RequestMemory>();
  return {
    oldRoutes: new Set(),
    requestStateFor(sessionId) {
      const memory = sessions.get(sessionId) ?? createRequestMemory();
      sessions.delete(sessionId);
      let answers = memory.answers.size;
      for (const other of sessions.values()) answers += other.answers.size;
      for (const [id, other] of sessions) {
        if (answers <= maxAnswers && sessions.size < maxSessions) break;
        answers -= other.answers.size;
        other.answers.clear();
        if (sessions.size >= maxSessions) sessions.delete(id);
      }
      sessions.set(sessionId, memory);
      return memory;
    },
  };
}

/** This isolate's. */
export const memories = createMemories();
