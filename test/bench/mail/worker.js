/**
 * The built Worker with a counting database. A request calls its queue handler; the response has the
 * outcome of each message and the cost. test/bench/mail/mail.ts provides `./app.js` and `./counting.js`.
 */
import app from "./app.js";
import { countingDatabase } from "./counting.js";

export default {
  async fetch(request, env, execution) {
    const ids = await request.json();
    const { binding, roundTrips, statements } = countingDatabase(env.DB);
    /** For each message the seconds until its retry; null if it is done. */
    const outcomes = ids.map(() => null);
    const messages = ids.map((outboxId, index) => ({
      id: String(index),
      body: { outboxId },
      ack() {},
      retry({ delaySeconds }) {
        outcomes[index] = delaySeconds;
      },
    }));
    await app.queue({ queue: "fivefold-outbox", messages }, { ...env, DB: binding }, execution);
    return Response.json({ outcomes, trips: roundTrips(), statements: statements.length });
  },
};
