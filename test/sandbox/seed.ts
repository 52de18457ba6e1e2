/** The SQL of a new local database: demo users and other musicians, songs, ratings, a year of figures. */
import { maxScore } from "../../app/db/rules.ts";
import {
  accountIdOf,
  albumById,
  artistsOf,
  demoByEmail,
  type Musician,
  musicians,
  randomFrom,
  spotifyId,
  trackById,
} from "./catalogue.ts";
import { figureRows } from "./figures.ts";
import { ownRecordings } from "./own-recordings.ts";
import { roundSql } from "./rounds.ts";
import {
  insert,
  outboxRow,
  type RatedRecording,
  type RatedSong,
  type Row,
  rowsOfSongs,
  userRow,
} from "./rows.ts";
import { RETRY_DAYS } from "./stripe/billing.ts";
import { demoSubscribers, FAILED_DAYS_AGO, SUBSCRIBED_DAYS_AGO } from "./stripe/seed.ts";
import { monthAfter } from "./stripe/time.ts";

type SeedSong = (RatedSong | RatedRecording) & { owner: Musician };

const withoutSubmissions = ["demo-new", "demo-rounds"];
const hour = 60 * 60 * 1000;
const day = 24 * hour;
const random = randomFrom("fivefold seed");

/** All but the figures happened in the thirty days before `now`. In a filled database nothing changes. */
export function seedSql(sandboxOrigin: string, now: number): string {
  const users = musicians.filter((musician) => musician.seeded);
  const songs = submitSongs(users, now);
  rateSongs(songs, users, now);
  listenAgain(songs, users, now);
  const ownOfRounds = songsForRounds(users);
  const members = [
    ...users.map((user) => rowOf(user, [...songs, ...ownOfRounds], now)),
    byEmail(now),
  ];
  const tables = {
    users: members,
    mailed_proofs: members.filter(({ own_email }) => own_email).map(confirmationOf),
    subscriptions: subscriptionRows(now),
    ...rowsOfSongs([...songs, ...ownOfRounds], sandboxOrigin, now),
    daily_stats: figureRows(now),
    ...operationRows(songs, now),
  };
  return [
    ...Object.entries(tables).flatMap(([table, rows]) => insert(table, rows)),
    ...roundSql(
      songs.filter(({ owner }) => !owner.demo),
      ownOfRounds,
      now,
    ),
  ].join("\n");
}

/** Both of the musician's, who has submitted none. */
function songsForRounds(users: Musician[]): SeedSong[] {
  const owner = users.find(({ id }) => id === "demo-rounds");
  return (owner?.trackIds ?? []).flatMap((id, n) => {
    const track = trackById.get(id);
    const album = albumById.get(track?.albumId ?? "");
    if (!owner || !track || !album) return [];
    const song = { id: spotifyId(`song for round ${n}`), owner, ownerId: userId(owner) };
    const facts = { track, album, artists: artistsOf(track) };
    return [{ ...song, ...facts, submittedAt: [], ratings: [] }];
  });
}

/** What the operator's page shows: reports of two songs, a mail that was given up on, and when the jobs ran. */
function operationRows(songs: SeedSong[], now: number): Record<string, Row[]> {
  const reported = songs.filter(({ owner, ratings }) => !owner.demo && ratings.length === 1);
  const words = ["It is three minutes of silence.", "The title insults somebody I know."];
  const jobs = "subscriptions outbox songWishes rounds reports community monthlyLook retention";
  return {
    reports: words.map((text, n) => ({
      id: `report-${n}`,
      song_id: reported[n]?.id ?? "",
      reporter_id: "user-demo-exhausted",
      words: text,
      created_at: now - (30 - n) * hour,
      mailed_at: now - (30 - n) * hour,
    })),
    outbox: [
      outboxRow({
        id: "mail-failed",
        mail_id: "mail-failed",
        user_id: "user-demo-premium",
        kind: "premium_welcome",
        subject_id: "welcome",
        state: "failed",
        attempts: 10,
        fault: "503 the provider was down",
        created_at: now - 3 * hour,
        not_before: now - 3 * hour,
      }),
    ],
    // All have just run: the one of the night would be missing until then.
    job_runs: jobs.split(" ").map((job) => ({
      job,
      ran_at: now,
      failed_at: job === "monthlyLook" ? now - 40 * hour : null,
    })),
  };
}

/** Round by round, so that everybody's first song, a short one, is owed ratings longest; then own recordings. */
function submitSongs(users: Musician[], now: number): SeedSong[] {
  const songs: SeedSong[] = [];
  const nextTime = () => now - 30 * day + songs.length * 60_000;
  for (let round = 0; round < 7; round += 1) {
    if (round === 1) songs.push(...submitRecordings(users, nextTime()));
    for (const owner of users) {
      const track = trackById.get(owner.trackIds[round] ?? "");
      const album = albumById.get(track?.albumId ?? "");
      if (!track || !album || withoutSubmissions.includes(owner.id)) continue;
      songs.push({
        id: spotifyId(`song ${owner.id} ${round}`),
        owner,
        ownerId: userId(owner),
        track,
        album,
        artists: artistsOf(track),
        submittedAt: [nextTime()],
        ratings: [],
      });
    }
  }
  return songs;
}

/** Each by another musician, with a few ratings or none. */
function submitRecordings(users: Musician[], from: number): SeedSong[] {
  const others = users.filter(({ demo }) => !demo);
  return ownRecordings.flatMap(({ row }, place) => {
    const owner = others[place];
    const artist = trackById.get(owner?.trackIds[0] ?? "");
    if (!owner || !artist) return [];
    const recording = { ...row, artist: artistsOf(artist)[0] ?? owner.displayName };
    return [
      {
        ...{ id: spotifyId(`own recording ${place}`), owner, ownerId: userId(owner), recording },
        ...{ submittedAt: [from + place * 1000], ratings: [] },
      },
    ];
  });
}

/** Every eighth song has all its ratings. demo-exhausted has rated every song that is in rotation. */
function rateSongs(songs: SeedSong[], users: Musician[], now: number): void {
  const raters = users.filter((user) => !user.demo);
  const exhausted = users.find((user) => user.id === "demo-exhausted");
  songs.forEach((song, index) => {
    const wanted = ratingsWanted(song, index);
    const start = Math.floor(random() * raters.length);
    for (let step = 0; song.ratings.length < wanted; step += 1) {
      const rater = raters[(start + step) % raters.length];
      if (rater && rater !== song.owner) rate(song, rater, now);
    }
    if (exhausted && wanted < 5 && song.owner !== exhausted) rate(song, exhausted, now);
  });
  // These two are on their way to their first submission.
  for (const id of ["demo-free", "demo-premium"]) {
    const rater = users.find((user) => user.id === id);
    const open = songs.filter((song) => song.owner.id !== id && song.ratings.length < 4);
    for (const song of open.slice(-2)) if (rater) rate(song, rater, now);
  }
}

function ratingsWanted(song: SeedSong, index: number): number {
  if ("recording" in song) return index % 4;
  const round = song.owner.trackIds.indexOf(song.track.id);
  if (song.owner.id === "demo-free" || song.owner.id === "demo-premium") {
    return [5, 3, 0, 1][round] ?? 0;
  }
  if (index % 8 === 7) return 5;
  // Songs that users are offered first are owed the most ratings.
  return round < 2 ? 0 : Math.floor(random() * 4);
}

function rate(song: SeedSong, rater: Musician, now: number): void {
  const from = song.ratings.at(-1)?.at ?? song.submittedAt[0] ?? now;
  const at = Math.round(from + (0.1 + random() * 0.2) * (now - from));
  song.ratings.push({ raterId: userId(rater), score: 1 + Math.floor(random() * maxScore), at });
}

/** A song of demo-premium was submitted twice, so that its page has a second listen under way. */
function listenAgain(songs: SeedSong[], users: Musician[], now: number): void {
  const song = songs.find(({ owner }) => owner.id === "demo-premium");
  const before = song?.ratings.at(-1);
  if (!song || !before) throw new Error("no song to listen to again");
  song.submittedAt.push(before.at + hour);
  const known = song.ratings.map(({ raterId }) => raterId);
  const others = users.filter(
    (user) => !user.demo && user !== song.owner && !known.includes(userId(user)),
  );
  const exhausted = users.filter((user) => user.id === "demo-exhausted");
  for (const rater of [...others.slice(0, 1), ...exhausted]) rate(song, rater, now);
}

function userId(musician: Musician): string {
  return `user-${musician.id}`;
}

function rowOf(user: Musician, songs: SeedSong[], now: number): Row {
  const id = userId(user);
  const given = songs.flatMap(({ ratings }) => ratings).filter(({ raterId }) => raterId === id);
  const own = songs.filter(({ owner }) => owner === user);
  const mainArtists = own.flatMap((song) =>
    "track" in song ? [[song.track.artistIds[0], song.artists[0]]] : [],
  );
  return userRow({
    id,
    spotify_id: accountIdOf(user.id),
    display_name: user.displayName,
    email: user.email,
    // Comes in by either way.
    own_email: user.id === "demo-operator" ? user.email : null,
    credits: given.length,
    rated_count: given.length,
    submitted_count: own.flatMap(({ submittedAt }) => submittedAt).length,
    own_artists: JSON.stringify(Object.fromEntries(mainArtists)),
    created_at: now - 30 * day,
    // Or the round that waits for them would not.
    hears_spotify_until: id === "user-demo-rounds" ? now + 30 * day : null,
  });
}

/** A member without Spotify, who comes in by a mailed code. */
function byEmail(now: number): Row {
  return userRow({
    ...{ id: "user-demo-mail", display_name: demoByEmail.displayName, created_at: now - day },
    ...{ spotify_id: null, email: null, own_email: demoByEmail.address },
    ...{ credits: 0, rated_count: 0, submitted_count: 0, own_artists: "{}" },
    hears_spotify_until: null,
  });
}

function confirmationOf({ id, own_email, created_at }: Row): Row {
  const at = Number(created_at);
  return {
    ...{ id: `confirmation-${id}`, kind: "confirmation", asked_by: id ?? "" },
    address: own_email ?? "",
    ...{ created_at: at, expires_at: at + day, used_at: at + hour },
  };
}

function subscriptionRows(now: number): Row[] {
  const today = Math.floor(now / 1000) * 1000;
  return demoSubscribers.map((demo) => {
    const pastDue = demo.status === "past_due";
    const paidSince = today - (pastDue ? FAILED_DAYS_AGO : SUBSCRIBED_DAYS_AGO) * day;
    return {
      user_id: `user-${demo.musician}`,
      status: demo.status,
      tier: "premium",
      subscription_id: demo.subscriptionId,
      customer_id: demo.customerId,
      started_at: now - SUBSCRIBED_DAYS_AGO * day,
      cancel_at: null,
      updated_at: now - day,
      renews_at: monthAfter(paidSince / 1000, paidSince / 1000) * 1000,
      price: "USD 2.99 for a month",
      failed_at: pastDue ? paidSince : null,
      retry_at: pastDue ? today + RETRY_DAYS * day : null,
    };
  });
}
