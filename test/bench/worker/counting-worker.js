/**
 * The built Worker with a counting database: every statement is recorded with its cost according to
 * D1, and the benchmark reads these records after the response.
 * test/bench/worker/counted-app.ts provides `./app.js`.
 */
import app from "./app.js";

/** @type {{ sql: string, trip: number, read: number, written: number }[]} */
let sent = [];
let trips = 0;
/** One for the life of the isolate, as the app expects. */
let counted;

export default {
  async fetch(request, env, execution) {
    counted ??= {
      ...env,
      DB: countingDatabase(env.DB),
      // A benchmark makes more requests per minute than a person, so no limits apply.
      LIMIT_LOGIN: undefined,
      LIMIT_STRICT: undefined,
      LIMIT_NORMAL: undefined,
      LIMIT_WIDE: undefined,
    };
    if (new URL(request.url).pathname !== "/bench/statements") {
      return app.fetch(request, counted, execution);
    }
    const answer = Response.json(sent);
    sent = [];
    trips = 0;
    return answer;
  },
};

/** Wraps a D1 binding or a session of it, and records costs. */
function countingDatabase(database) {
  const originals = new WeakMap();

  function wrap(original, sql) {
    async function all() {
      trips += 1;
      return note({ sql, trip: trips }, await original.all());
    }
    const statement = {
      bind: (...values) => wrap(original.bind(...values), sql),
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
    originals.set(statement, { original, sql });
    return statement;
  }

  return {
    prepare: (sql) => wrap(database.prepare(sql), sql),
    async batch(statements) {
      trips += 1;
      const trip = trips;
      const known = statements.map((statement) => originals.get(statement));
      const results = await database.batch(known.map(({ original }) => original));
      return results.map((result, index) => {
        return note({ sql: known[index].sql, trip }, result);
      });
    },
    withSession(from) {
      const session = database.withSession(from);
      return { ...countingDatabase(session), getBookmark: () => session.getBookmark() };
    },
  };
}

function note(statement, result) {
  const { rows_read, rows_written } = result.meta;
  sent.push({ ...statement, read: rows_read, written: rows_written });
  return result;
}
