/**
 * The built Worker with a counting database: every statement is recorded with its cost according to
 * D1, and the benchmark reads these records after the response. Requests also run queue and cron.
 * test/bench/worker/counted-app.ts provides `./app.js`.
 */
import app from "./app.js";

/** @type {{ trip: number, read: number, written: number }[]} */
let sent = [];
let trips = 0;
/** One for the life of the isolate, as the app expects. */
let counted;

export default {
  async fetch(request, env, execution) {
    counted ??= { ...env, DB: countingDatabase(env.DB) };
    const { pathname, searchParams } = new URL(request.url);
    switch (pathname) {
      case "/bench/statements": {
        const answer = Response.json(sent);
        sent = [];
        return answer;
      }
      case "/bench/queue": {
        const bodies = await request.json();
        const messages = bodies.map((body) => ({ body, ack() {}, retry() {} }));
        await app.queue({ queue: searchParams.get("queue"), messages }, counted, execution);
        return new Response();
      }
      case "/bench/cron":
        await app.scheduled({ cron: searchParams.get("cron") }, counted, execution);
        return new Response();
      default:
        return app.fetch(request, counted, execution);
    }
  },
};

/** Wraps a D1 binding or a session of it, and records costs. */
function countingDatabase(database) {
  const originals = new WeakMap();

  function wrap(original) {
    async function all() {
      trips += 1;
      return note(trips, await original.all());
    }
    const statement = {
      bind: (...values) => wrap(original.bind(...values)),
      all,
      run: all,
      async first(column) {
        const [row = null] = (await all()).results;
        return column === undefined || row === null ? row : row[column];
      },
      // D1's `raw` has no figures, so this uses `all`. The app never selects two columns of the same name, which `all` would merge.
      async raw() {
        return (await all()).results.map((row) => Object.values(row));
      },
    };
    originals.set(statement, original);
    return statement;
  }

  return {
    prepare: (sql) => wrap(database.prepare(sql)),
    async batch(statements) {
      trips += 1;
      const trip = trips;
      const results = await database.batch(statements.map((one) => originals.get(one)));
      return results.map((result) => note(trip, result));
    },
    withSession(from) {
      const session = database.withSession(from);
      return { ...countingDatabase(session), getBookmark: () => session.getBookmark() };
    },
  };
}

function note(trip, result) {
  const { rows_read: read, rows_written: written } = result.meta;
  sent.push({ trip, read, written });
  return result;
}
