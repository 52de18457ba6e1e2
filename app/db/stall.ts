import type { Binding } from "./client.server";

const answerWithinMs = 10_000;

/** D1 may still write what it was asked to, now or later. */
class DatabaseStall extends Error {
  constructor() {
    super(`D1 has not answered within ${answerWithinMs} ms.`);
    this.name = "DatabaseStall";
  }
}

export function isStall(error: unknown): boolean {
  return error instanceof DatabaseStall || (error instanceof Error && isStall(error.cause));
}

/** A D1 binding whose calls fail with a DatabaseStall if they take too long. */
export function answeringInTime(binding: Binding): Binding {
  const originalOf = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

  function timed(original: D1PreparedStatement): D1PreparedStatement {
    const statement = {
      bind: (...values: unknown[]) => timed(original.bind(...values)),
      all: () => inTime(original.all()),
      run: () => inTime(original.run()),
      first: (...column: [string]) => inTime(original.first(...column)),
      raw: (...options: [{ columnNames: true }]) => inTime(original.raw(...options)),
    } as D1PreparedStatement;
    originalOf.set(statement, original);
    return statement;
  }

  return {
    prepare: (sql) => timed(binding.prepare(sql)),
    batch: (statements) =>
      inTime(binding.batch(statements.map((one) => originalOf.get(one) ?? one))),
  };
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stalled = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DatabaseStall()), answerWithinMs);
  });
  try {
    return await Promise.race([answer, stalled]);
  } finally {
    clearTimeout(timer);
  }
}
