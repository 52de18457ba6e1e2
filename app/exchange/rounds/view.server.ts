import { eq, type SQL, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { roundMembers, rounds, songs, users } from "~/db/schema";
import { songColumns } from "~/db/song-columns";
import { isScore, type Score } from "~/exchange/rating/scale";
import { isDue, type Round, stateOf } from "~/exchange/round/round";
import {
  advanceRounds,
  isInRound,
  marksIn,
  mayEnd,
  scoresShown,
} from "~/exchange/round/round.server";
import type { Viewer } from "~/members/viewer.server";
import type { Made } from "~/sources/made";
import { type Song, toSong } from "~/sources/song";

export interface RoundSongView {
  song: Song & { songId: string };
  /** How many have rated it in the round. Of another's song that is not shown always five: fewer would tell who has not listened. */
  received: number;
  /** From worst to best; null while they are closed to the viewer. */
  scores: Score[] | null;
}

export interface MineView extends RoundSongView {
  hasListened: boolean;
  isOpened: boolean;
  isShown: boolean;
  /** The exchange was asked for what is missing. */
  isAsked: boolean;
}

export interface RoundView extends Round {
  state: ReturnType<typeof stateOf>;
  token: string;
  host: string | null;
  isHost: boolean;
  isReminded: boolean;
  /** Its host may end what has begun. */
  mayEnd: boolean;
  /** How many have handed in a song. */
  taken: number;
  /** How many of them have given theirs; nobody learns who. */
  listened: number;
  /** Told to members and to the host alone, and not which song is whose. */
  names: string[];
  mine: MineView | null;
  /** The viewer's songs that they can hand in, where they choose one. */
  own: OfferedOwnSong[];
  /** In the order in which they came, once the viewer has opened their own. */
  others: RoundSongView[];
}

const roundColumns = {
  token: rounds.token,
  name: rounds.name,
  seats: rounds.seats,
  gatherUntil: rounds.gatherUntil,
  begunAt: rounds.begunAt,
  endsAt: rounds.endsAt,
  endedAt: rounds.endedAt,
  openedAt: rounds.openedAt,
  listenMs: rounds.listenMs,
};

/** A round as the viewer may see it (rule 47, rounds); null if there is none. What its times bring follows first. */
export async function loadRound(
  { db, now }: DatabaseAndClock,
  viewer: Viewer | null,
  token: string,
  { asksForSong = false } = {},
): Promise<RoundView | null> {
  const at = now();
  let read = await readRound(db, viewer, token, asksForSong);
  if (read.round[0] && isDue(read.round[0], at)) {
    await runBatch(db, advanceRounds(db, sql`rounds.token = ${token}`, at));
    read = await readRound(db, viewer, token, asksForSong);
  }
  const [round] = read.round;
  if (!round) return null;
  const { members } = read;
  const own = members.find(({ isViewer }) => isViewer);
  const { hostId, remindedAt, mayEnd, ...rest } = round;
  const isHost = viewer !== null && hostId === viewer.userId;
  const isTheirs = isHost || own !== undefined;
  return {
    ...rest,
    state: stateOf(round),
    isHost,
    isReminded: isHost && remindedAt !== null,
    mayEnd: isHost && mayEnd,
    taken: members.length,
    listened: isTheirs ? members.filter(({ hasListened }) => hasListened).length : 0,
    // In another order than the songs.
    names: isTheirs
      ? members
          .filter((one) => one !== own)
          .map(({ name }) => name)
          .sort()
      : [],
    mine: own
      ? {
          ...toSongView(own),
          hasListened: own.hasListened,
          isOpened: own.isOpened,
          isShown: own.isShown,
          isAsked: own.isAsked,
        }
      : null,
    own: (read.own ?? []).map(({ trackId, recordingId, made, ...song }) => ({
      ...song,
      names: trackId === null ? { recording: recordingId ?? "" } : { trackId, made },
    })),
    others: members.filter((one) => one !== own && one.isTold).map(toSongView),
  };
}

function readRound(db: Database, viewer: Viewer | null, token: string, asksForSong: boolean) {
  const viewerId = viewer?.userId ?? null;
  const isViewer = sql`round_members.user_id = ${viewerId}`;
  const isOpen = sql`(rounds.opened_at IS NOT NULL AND EXISTS (SELECT 1 FROM round_members AS mine
    WHERE mine.round_id = rounds.id AND mine.user_id = ${viewerId} AND mine.opened_at IS NOT NULL))`;
  const marks = (what: SQL) =>
    sql`(SELECT ${what} ${marksIn(sql`rounds.id`, sql`round_members.song_id`)})`;
  return runBatch(db, {
    own: asksForSong && viewer ? selectOwnSongs(db, viewer) : null,
    round: db
      .select({
        ...roundColumns,
        remindedAt: rounds.remindedAt,
        mayEnd: asBoolean(mayEnd, "may_end"),
        hostId: rounds.hostId,
        host: users.displayName,
      })
      .from(rounds)
      .leftJoin(users, eq(users.id, rounds.hostId))
      .where(eq(rounds.token, token)),
    members: db
      .select({
        name: users.displayName,
        isViewer: asBoolean(isViewer, "is_viewer"),
        isTold: asBoolean(isOpen, "is_told"),
        song: { songId: sql<string>`${songs.id}`.as("song_id"), ...songColumns },
        hasListened: asBoolean(sql`round_members.listened_at IS NOT NULL`, "has_listened"),
        isOpened: asBoolean(sql`round_members.opened_at IS NOT NULL`, "is_opened"),
        isAsked: asBoolean(
          sql`EXISTS (SELECT 1 FROM submissions WHERE submissions.owner_id = round_members.user_id
            AND request_key = 'round:' || rounds.id)`,
          "is_asked",
        ),
        isShown: asBoolean(sql`round_members.shown_at IS NOT NULL`, "is_shown"),
        received: sql<number>`iif(${isViewer} OR ${isOpen} AND round_members.shown_at IS NOT NULL,
          ${marks(sql`count(*)`)}, iif(${isOpen}, 5, 0))`.as("received"),
        scores: sql`iif(${isOpen} AND (${isViewer} OR round_members.shown_at IS NOT NULL),
            ${marks(sql`json_group_array(score)`)}, NULL)`
          .mapWith((text: string) => JSON.parse(text) as number[])
          .as("scores") as SQL.Aliased<number[] | null>,
      })
      .from(rounds)
      .innerJoin(roundMembers, eq(roundMembers.roundId, rounds.id))
      .innerJoin(songs, eq(songs.id, roundMembers.songId))
      .innerJoin(users, eq(users.id, roundMembers.userId))
      .where(eq(rounds.token, token))
      .orderBy(roundMembers.joinedAt, roundMembers.userId),
  });
}

function toSongView({
  song,
  received,
  scores,
}: Awaited<ReturnType<typeof readRound>>["members"][number]): RoundSongView {
  return {
    song: toSong(song),
    received,
    scores: scores?.filter(isScore).sort((a, b) => a - b) ?? null,
  };
}

export interface OfferedOwnSong {
  title: string;
  artists: string[];
  artUrl: string | null;
  smallerArt: Record<number, string>;
  /** What its form names: a track, or a file. */
  names: { trackId: string; made: Made } | { recording: string };
}

const mostOffered = 10;

/** They wait for no ratings. Whether a member has rated them is not looked at: the list would tell who has. */
function selectOwnSongs(db: Database, { userId }: Viewer) {
  return db
    .select({
      title: songs.title,
      artists: songs.artists,
      artUrl: songColumns.artUrl,
      smallerArt: songs.smallerArt,
      trackId: songs.trackId,
      made: songs.made,
      recordingId: songs.ownRecordingId,
    })
    .from(songs)
    .where(
      sql`owner_id = ${userId} AND owed = 0 AND taken_out IS NULL
        AND (own_recording_id IS NULL OR EXISTS (SELECT 1 FROM recordings
          WHERE recordings.id = own_recording_id AND file_ended_at IS NULL))
        AND NOT ${isInRound(sql`songs.id`)}`,
    )
    .orderBy(sql`active_at DESC, songs.id`)
    .limit(mostOffered);
}

export interface OwnRound extends Round {
  token: string;
  state: ReturnType<typeof stateOf>;
  taken: number;
  hasSeat: boolean;
}

const mostListed = 30;

/** The rounds that somebody hosts or has a seat in, and those that they are about to join; the newest first. */
export async function roundsOf(db: Database, { userId }: Viewer): Promise<OwnRound[]> {
  const rows = await db
    .select({
      ...roundColumns,
      taken: sql<number>`(SELECT count(song_id) FROM round_members WHERE round_id = rounds.id)`.as(
        "taken",
      ),
      hasSeat: asBoolean(
        sql`EXISTS (SELECT 1 FROM round_members
          WHERE round_id = rounds.id AND user_id = ${userId} AND song_id IS NOT NULL)`,
        "has_seat",
      ),
    })
    .from(rounds)
    .where(
      sql`rounds.id IN (SELECT id FROM rounds WHERE host_id = ${userId}
        UNION SELECT round_id FROM round_members WHERE user_id = ${userId})`,
    )
    .orderBy(sql`${rounds.createdAt} DESC`)
    .limit(mostListed);
  return rows.map((row) => ({ ...row, state: stateOf(row) }));
}

/** Of a song's owner: the marks that rounds have given it, and they have opened. */
export function selectOpenedRounds(db: Database, userId: string, songId: string) {
  return db
    .select({
      token: rounds.token,
      name: rounds.name,
      scores: scoresShown
        .mapWith((text: string) => (JSON.parse(text) as number[]).filter(isScore))
        .as("scores"),
    })
    .from(roundMembers)
    .innerJoin(rounds, eq(rounds.id, roundMembers.roundId))
    .where(
      sql`round_members.user_id = ${userId} AND round_members.song_id = ${songId}
        AND round_members.opened_at IS NOT NULL AND rounds.opened_at IS NOT NULL`,
    )
    .orderBy(sql`rounds.opened_at DESC`);
}
