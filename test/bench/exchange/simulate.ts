/** Simulates an exchange of musicians over days, on an empty database. */
import { createDatabase } from "~/db/client.server";
import { refreshCommunity } from "~/domain/community/community.server";
import { mailSongsAgain } from "~/domain/empty-pool/songs-again.server";
import { purgeExpired } from "~/domain/retention/purge.server";
import { randomFrom } from "../../sandbox/catalogue";
import { findViolations } from "../../support/database/invariants";
import { Agenda } from "./agenda";
import { localD1, migratedDatabase } from "./local-d1";
import { makeMusicians } from "./musicians";
import { createTally } from "./tally";
import { createVisitor, type Exchange, type Visitor } from "./visits";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const opening = Date.UTC(2026, 0, 1);
/** Of those who are mailed that there are songs again, this share comes. */
const comesForMail = 0.6;

export interface Setting {
  musicians: number;
  days: number;
  floods: boolean;
}

/** Runs an exchange from its opening to its end. The same setting gives the same outcome. */
export async function simulate({ musicians, days, floods }: Setting) {
  const seed = `${musicians} musicians`;
  const random = randomFrom(seed);
  seedIds(randomFrom(`ids of ${seed}`));
  const database = migratedDatabase();
  const db = createDatabase(localD1(database));
  const end = opening + days * day;
  let clock = opening;
  const now = () => clock;
  const tally = createTally(database, now);
  const catalogue: Exchange["catalogue"] = new Map();
  const secret = "the secret of the simulation";
  const exchange: Exchange = { database, db, secret, random, now, tally, catalogue };
  const agenda = new Agenda<AsyncGenerator<number, void>>();
  const visitors = new Map<string, Visitor>();
  for (const musician of makeMusicians(musicians, days, random, floods)) {
    const visitor = createVisitor(exchange, musician);
    visitors.set(musician.account, visitor);
    agenda.add(opening + musician.arrivesAt, life(visitor));
    if (musician.leavesAt !== null) agenda.add(opening + musician.leavesAt, departure(visitor));
  }
  agenda.add(opening, cron());

  for (let next = agenda.next(end); next; next = agenda.next(end)) {
    clock = next.at;
    const { done, value } = await next.item.next();
    if (!done) agenda.add(clock + value, next.item);
  }
  clock = end;
  const outcome = tally.atTheEnd();
  const violations = await findViolations(database);
  database.close();
  return { tally, outcome, violations };

  async function* life(visitor: Visitor): AsyncGenerator<number, void> {
    const { every, returns } = visitor.musician;
    for (;;) {
      yield* visitor.visit();
      if (random() > returns) return;
      yield Math.floor(every * (0.6 + 0.8 * random()));
    }
  }

  async function* departure(visitor: Visitor): AsyncGenerator<number, void> {
    while (visitor.isBusy) yield minute;
    // To delete an account, one has to log in.
    for await (const _ of [0]) yield* visitor.visit();
    await visitor.leave();
    if (!visitor.musician.comesBack) return;
    yield Math.floor(3 * day * random());
    visitor.isGone = false;
    yield* life(visitor);
  }

  /** The job of every ten minutes, as far as it has to do with the exchange; and songs that stop playing. */
  async function* cron(): AsyncGenerator<number, void> {
    for (;;) {
      const mailed: string[] = [];
      const mailQueue = { enqueue: (id: string) => void mailed.push(id) };
      await mailSongsAgain({ db, mailQueue, now: clock });
      await refreshCommunity(db, clock);
      await purgeExpired(db, clock);
      for (const id of mailed) callBack(id);
      for (const track of catalogue.values()) {
        // Four in a hundred within a month.
        if (random() < 0.04 / (30 * 24 * 6)) track.playable = false;
      }
      yield 10 * minute;
    }
  }

  function callBack(mailId: string): void {
    const whose = `SELECT spotify_id AS account FROM outbox JOIN users ON users.id = user_id
      WHERE outbox.id = ?`;
    const { account } = database.prepare(whose).get(mailId) as { account: string };
    const visitor = visitors.get(account);
    if (!visitor || random() > comesForMail) return;
    agenda.add(clock + Math.floor(12 * hour * random()), visitor.visit());
  }
}

/** Ids decide between songs of the same moment, and must not be others each time. */
function seedIds(random: () => number): void {
  const hex = (length: number) =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");
  crypto.randomUUID = () => `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
}
