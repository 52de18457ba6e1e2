/**
 * The built Worker with a counting database: every statement is recorded with its cost according to
 * D1, and the benchmark reads these records after the response. Requests also run queue and cron.
 * test/bench/worker/counted-app.ts provides `./app.js`.
 */
import app from "./app.js";

/** @type {{ sql: string, params: unknown[], trip: number, read: number, written: number, ms: number }[]} */
let sent = [];
let trips = 0;
/** Operations of R2, by the classes of its price list. Deleting costs nothing. */
let files = { classA: 0, classB: 0 };
/** One for the life of the isolate, as the app expects. */
let counted;

export default {
  async fetch(request, env, execution) {
    counted ??= {
      ...env,
      DB: countingDatabase(env.DB),
      RECORDINGS: countingBucket(env.RECORDINGS),
      // A benchmark makes more requests per minute than a person, so no limits apply.
      LIMIT_LOGIN: undefined,
      LIMIT_STRICT: undefined,
      LIMIT_NORMAL: undefined,
      LIMIT_WIDE: undefined,
    };
    const { pathname, searchParams } = new URL(request.url);
    switch (pathname) {
      case "/bench/statements": {
        const answer = Response.json(sent);
        sent = [];
        trips = 0;
        return answer;
      }
      case "/bench/files": {
        const answer = Response.json(files);
        files = { classA: 0, classB: 0 };
        return answer;
      }
      case "/bench/again":
        return Response.json(await again(env.DB, await request.json()));
      case "/bench/queue": {
        const messages = (await request.json()).map((body) => ({
          body,
          ack() {},
          retry() {},
        }));
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

/**
 * The average milliseconds of a read over many in a row, because D1's clock only has whole
 * milliseconds.
 */
async function again(database, { sql, params, times }) {
  const statement = database.prepare(sql).bind(...params);
  const results = await database.batch(Array.from({ length: times }, () => statement));
  return results.reduce((sum, { meta }) => sum + meta.duration, 0) / times;
}

/** Wraps a D1 binding or a session of it, and records costs. */
function countingDatabase(database) {
  const originals = new WeakMap();

  function wrap(original, sql, params) {
    async function all() {
      trips += 1;
      return note({ sql, params, trip: trips }, await original.all());
    }
    const statement = {
      bind: (...values) => wrap(original.bind(...values), sql, values),
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
    originals.set(statement, { original, sql, params });
    return statement;
  }

  return {
    prepare: (sql) => wrap(database.prepare(sql), sql, []),
    async batch(statements) {
      trips += 1;
      const trip = trips;
      const known = statements.map((statement) => originals.get(statement));
      const results = await database.batch(known.map(({ original }) => original));
      return results.map((result, index) => {
        const { sql, params } = known[index];
        return note({ sql, params, trip }, result);
      });
    },
    withSession(from) {
      const session = database.withSession(from);
      return { ...countingDatabase(session), getBookmark: () => session.getBookmark() };
    },
  };
}

function note(statement, result) {
  const { rows_read, rows_written, duration } = result.meta;
  sent.push({ ...statement, read: rows_read, written: rows_written, ms: duration });
  return result;
}

/** Wraps an R2 binding, and counts what its operations are billed as. */
function countingBucket(bucket) {
  const counting =
    (original, name, kind) =>
    (...args) => {
      files[kind] += 1;
      return original[name](...args);
    };
  return {
    put: counting(bucket, "put", "classA"),
    list: counting(bucket, "list", "classA"),
    get: counting(bucket, "get", "classB"),
    head: counting(bucket, "head", "classB"),
    delete: (keys) => bucket.delete(keys),
    async createMultipartUpload(...args) {
      files.classA += 1;
      const upload = await bucket.createMultipartUpload(...args);
      return {
        uploadPart: counting(upload, "uploadPart", "classA"),
        complete: counting(upload, "complete", "classA"),
        abort: () => upload.abort(),
      };
    },
  };
}
