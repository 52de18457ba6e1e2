/**
 * The built Worker with a count on its database, whose queue handler is called by a request: the
 * answer says what became of each message and what it took. `./app.js` and `./counting.js` are given
 * by test/bench/mail/mail.ts.
 */
import app from "./app.js";
import { countingDatabase } from "./counting.js";

export default {
  async fetch(request, env, execution) {
    const ids = await request.json();
    const { binding, roundTrips, statements } = countingDatabase(env.DB);
    /** For each message the seconds until it comes again; null where it is done with. */
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
