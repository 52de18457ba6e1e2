import { eq, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { listOf } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { songWishes, subscriptions, users } from "~/db/schema";
import { subscriptionColumns } from "~/db/subscription-columns";
import { keepWindow, selectPool, toPool } from "~/exchange/pool/pool.server";
import { hearsSpotifySomewhere } from "~/members/hearing.server";
import { resolveTier, tierConfigs } from "~/members/tiers";
import { toSubscriptionRecord } from "~/members/viewer.server";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { dayMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";

/** Each costs as much as a carousel, under a thousand rows. */
const wishesPerRun = 25;

/**
 * Owes the mail to those who asked for one and have songs to rate again, which one of their logins can hear. The wishes of a run move to the
 * end first, so that no fault keeps others waiting. Of two runs at once, only one owes a mail.
 */
export async function mailSongsAgain({
  db,
  mailQueue,
  now,
}: OwedMailServices & { now: number }): Promise<{ looked: number; mails: number }> {
  const wishes = await db
    .update(songWishes)
    .set({ lookedAt: now })
    .where(
      sql`id IN (SELECT id FROM song_wishes WHERE looked_at < ${now}
        ORDER BY looked_at, id LIMIT ${wishesPerRun})`,
    )
    .returning({
      id: songWishes.id,
      userId: songWishes.userId,
      foundSince: songWishes.foundSince,
    });
  if (wishes.length === 0) return { looked: 0, mails: 0 };

  const userIds = wishes.map(({ userId }) => userId);
  const states = await readStates(userIds, { db, now });
  const due: { wishId: string; userId: string }[] = [];
  const withSongs: string[] = [];
  const withoutSongs: string[] = [];
  const windows = [];
  for (const { id, userId, foundSince } of wishes) {
    const state = states.find((one) => one.userId === userId);
    if (!state) continue;
    const { songs, packageSize, window } = state;
    if (areSongsBack({ songs, since: foundSince ?? now }, packageSize, now)) {
      due.push({ wishId: id, userId });
    } else {
      (songs > 0 ? withSongs : withoutSongs).push(id);
    }
    // Without the window, each check for a user who stays away would scan the whole line.
    if (window) windows.push(window);
  }

  const { granted } = await runBatch(db, {
    withSongs: db
      .update(songWishes)
      .set({ foundSince: sql`coalesce(found_since, ${now})` })
      .where(sql`id IN ${listOf(withSongs)}`),
    withoutSongs: db
      .update(songWishes)
      .set({ foundSince: null })
      .where(sql`id IN ${listOf(withoutSongs)}`),
    granted: due.map(({ wishId, userId }) => ({
      mail: oweMail(
        { db, mailQueue },
        { id: crypto.randomUUID(), userId, kind: "songs_again", subjectId: wishId, now },
        sql`FROM song_wishes WHERE id = ${wishId}`,
      ),
      wish: db.delete(songWishes).where(eq(songWishes.id, wishId)),
    })),
    windows,
  });
  return { looked: wishes.length, mails: granted.flatMap(({ mail }) => mail).length };
}

interface WisherState {
  userId: string;
  songs: number;
  packageSize: number;
  window: ReturnType<typeof keepWindow>;
}

async function readStates(
  userIds: string[],
  services: { db: Database; now: number },
): Promise<WisherState[]> {
  try {
    return await readTogether(userIds, services);
  } catch (error) {
    if (userIds.length === 1) throw error;
    const states: WisherState[] = [];
    let failures = 0;
    for (const userId of userIds) {
      try {
        states.push(...(await readTogether([userId], services)));
      } catch (fault) {
        failures += 1;
        logEvent("song_wish_unreadable", { error: fault });
      }
    }
    if (failures === userIds.length) throw error;
    return states;
  }
}

async function readTogether(
  userIds: string[],
  { db, now }: { db: Database; now: number },
): Promise<WisherState[]> {
  const { members, pools } = await runBatch(db, {
    members: selectMembers(db, userIds),
    pools: Object.fromEntries(
      userIds.map((userId) => [
        userId,
        selectPool(db, userId, { hears: hearsSpotifySomewhere(userId, now), place: null }),
      ]),
    ),
  });
  return members.map((member) => {
    const { userId } = member;
    const pool = toPool(pools[userId] ?? [], member, { now });
    return {
      userId,
      songs: pool.eligible.length,
      packageSize: tierConfigs[resolveTier(toSubscriptionRecord(member)).tier].packageSize,
      window: keepWindow(db, pool, now),
    };
  });
}

function selectMembers(db: Database, userIds: string[]) {
  return db
    .select({ userId: users.id, ...subscriptionColumns })
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .where(sql`${users.id} IN ${listOf(userIds)}`);
}

/** Nobody is called back for a single song at once, but in a small circle a full package might never come. */
const patienceMs = dayMs;

/** Checks whether there are songs for a package, or there was at least one all day (since `since`). */
export function areSongsBack(
  { songs, since }: { songs: number; since: number },
  packageSize: number,
  now: number,
): boolean {
  return songs >= packageSize || (songs > 0 && now - since >= patienceMs);
}
