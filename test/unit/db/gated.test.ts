import { DatabaseSync } from "node:sqlite";
import { eq, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { gated, hasRow, onCommit, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { prepared } from "~/db/prepared";

const seats = sqliteTable("seats", { id: text().primaryKey(), guest: text().notNull() });
const rooms = sqliteTable("rooms", { id: text().primaryKey(), free: integer().notNull() });

interface Bound {
  text: string;
  params: string[];
}

/** A database with one free seat, as far as D1 answers for it, and how many batches it has run. */
function theatre() {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec(`CREATE TABLE seats (id TEXT PRIMARY KEY, guest TEXT NOT NULL);
    CREATE TABLE rooms (id TEXT PRIMARY KEY, free INTEGER NOT NULL);
    INSERT INTO rooms VALUES ('stalls', 1);`);
  const counts = { batches: 0 };
  const binding = {
    prepare: (text: string) => ({ bind: (...params: string[]) => ({ text, params }) }),
    async batch(statements: Bound[]) {
      counts.batches += 1;
      sqlite.exec("BEGIN");
      try {
        const results = statements.map(({ text, params }) => ({
          results: sqlite.prepare(text).all(...params),
        }));
        sqlite.exec("COMMIT");
        return results;
      } catch (error) {
        sqlite.exec("ROLLBACK");
        throw error;
      }
    },
  };
  return { db: createDatabase(binding as unknown as D1Database), counts };
}

type Db = ReturnType<typeof theatre>["db"];

const selectRooms = prepared((db) => db.select().from(rooms));
const takeSeat = (db: Db) => db.update(rooms).set({ free: sql`free - 1` });

/** Takes a seat if one is free. */
function book(db: Db, id: string) {
  const gate = insertSelect(db, seats, {
    row: { id, guest: "Ada" },
    from: sql`FROM rooms WHERE free > 0`,
  }).returning({ id: seats.id });
  return gated(gate, hasRow(seats, id), (isBooked) => ({
    room: takeSeat(db).where(isBooked).returning({ free: rooms.free }),
  }));
}

test("results stand under the names of their statements, groups and lists included", async () => {
  const { db, counts } = theatre();
  const guest = (id: string) => ({
    seat: db.insert(seats).values({ id, guest: id }).returning({ guest: seats.guest }),
    none: null,
  });
  expect(
    await runBatch(db, {
      rooms: selectRooms(db),
      left: null,
      guests: ["Grace", "Mary"].map(guest),
      seats: db.select({ id: seats.id }).from(seats).orderBy(seats.id),
    }),
  ).toEqual({
    rooms: [{ id: "stalls", free: 1 }],
    left: undefined,
    guests: [
      { seat: [{ guest: "Grace" }], none: undefined },
      { seat: [{ guest: "Mary" }], none: undefined },
    ],
    seats: [{ id: "Grace" }, { id: "Mary" }],
  });
  expect(counts.batches).toBe(1);
});

test("a batch without statements takes no round trip", async () => {
  const { db, counts } = theatre();
  expect(await runBatch(db, { touch: null, others: [] })).toEqual({ touch: undefined, others: [] });
  expect(counts.batches).toBe(0);
});

test("effects follow what the gate has written, and nothing else", async () => {
  const { db } = theatre();
  expect(await runBatch(db, book(db, "A1"))).toEqual({
    gate: [{ id: "A1" }],
    effects: { room: [{ free: 0 }] },
  });
  expect(await runBatch(db, book(db, "A2"))).toEqual({ gate: [], effects: { room: [] } });
});

test("what is to be done with a result is done once the batch is committed", async () => {
  const { db } = theatre();
  const told: string[] = [];
  const seat = (id: string) =>
    onCommit(
      db.insert(seats).values({ id, guest: "Ada" }).returning({ id: seats.id }),
      (taken) => void told.push(...taken.map((one) => one.id)),
    );
  const both = runBatch(db, [seat("A1"), seat("A1")]);
  await expect(both).rejects.toThrow();
  expect(told).toEqual([]);
  const { seats: taken } = await runBatch(db, { seats: [seat("A1"), seat("A2")] });
  expect(taken).toEqual([[{ id: "A1" }], [{ id: "A2" }]]);
  expect(told).toEqual(["A1", "A2"]);
});

test("the others of a batch run, too, where a gate refuses", async () => {
  const { db } = theatre();
  await runBatch(db, book(db, "A1"));
  const { booking, room } = await runBatch(db, {
    booking: book(db, "A2"),
    room: db.select({ free: rooms.free }).from(rooms).where(eq(rooms.id, "stalls")),
  });
  expect(booking.gate).toEqual([]);
  expect(room).toEqual([{ free: 0 }]);
});
