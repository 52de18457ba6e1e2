import type { SQL } from "drizzle-orm";
import type { DatabaseAndClock } from "~/db/client.server";
import { notePremium } from "~/login/sessions.server";
import type { Viewer } from "~/members/viewer.server";
import { isRejection, type Rejection, reject } from "~/platform/rejection";
import type { FoundTrack } from "~/sources/catalogue";
import { unlockMs, unlockTime } from "~/sources/listen";
import type {
  Begun,
  KnownSong,
  Learned,
  ReadListen,
  Source,
  Start,
  Verdict,
} from "~/sources/source";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { notHeardErrors, playErrors, returnErrors } from "./errors";
import { refuseAsSpotify, refuseEndedLogin } from "./failure.server";
import { freshenSong } from "./freshen.server";
import { judgeListen, spotCheckDelay } from "./progress";
import type { SpotCheckQueue } from "./spot-check.server";
import { whatChanged } from "./what-changed";

/** The longest time that the player is asked to wait for Spotify's limit at once. */
const maxLimitedSeconds = 15;

export interface SpotifySourceServices extends DatabaseAndClock {
  spotify: Spotify;
  spotChecks: SpotCheckQueue;
  random(): number;
}

/** A track of Spotify's: what plays is Spotify's word, at the end and at spot checks in between. */
export function spotifySource(services: SpotifySourceServices, trackId: string): Source {
  const { spotChecks, random } = services;
  return {
    begin: (viewer, song, how) => begin(services, viewer, { ...song, trackId }, how),
    follow: (listenId, { after, leftMs }) =>
      spotChecks.enqueue({ listenId, after }, spotCheckDelay(leftMs, random())),
    mayReturn: () => rejectUnlessPlayed(services.spotify, trackId),
    unplayableText: returnErrors.unplayable,
    doesNotPlay: async () => (await askForTrack(services.spotify, trackId)).isUnplayable,
    verify: (viewer, song, listen) => verify(services, viewer, { ...song, ...listen, trackId }),
  };
}

type TrackSong = KnownSong & { trackId: string };

const nothing: Learned = () => null;

/**
 * Starts playback. Spotify is asked whether it plays the track where playback fails, where it is played again
 * before it was heard, and where it is explicit (rule 12, rest).
 */
async function begin(
  services: SpotifySourceServices,
  viewer: Viewer,
  song: TrackSong,
  { isAgain, startPlayback }: Start,
): Promise<Begun> {
  if (viewer.session.spotify === null) return refused(reject(409, playErrors.notConnected));
  const isAsked = isAgain || song.explicit;
  const asked = isAsked ? await askAbout(services, song) : { learned: nothing };
  if (asked.refusal) return asked.refusal;
  try {
    await startPlayback?.(song.trackId);
    return { is: "begun", learned: asked.learned };
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    const rejection = rejectPlayback(error);
    // The fault is neither the listener's nor their device's, and Spotify is not down.
    const mayBeSongs = rejection.error === playErrors.playbackFailed && !error.outage;
    const why = mayBeSongs && !isAsked ? await askAbout(services, song) : asked;
    if (why.refusal) return why.refusal;
    return refused(mayBeSongs && song.explicit ? reject(409, playErrors.mayBeHidden) : rejection);
  }
}

function refused(rejection: Rejection) {
  return { is: "refused", rejection } as const;
}

async function askAbout(
  { db, spotify, now }: SpotifySourceServices,
  song: TrackSong,
): Promise<{ refusal?: Exclude<Begun, { is: "begun" }>; learned: Learned }> {
  const at = now();
  const { isUnplayable, track } = await askForTrack(spotify, song.trackId);
  const learned = learnedFrom(db, song, track && { track, at });
  if (isUnplayable) {
    return { refusal: { is: "unplayable", rejection: reject(409, playErrors.refused) }, learned };
  }
  return track?.hidden
    ? { refusal: refused(reject(409, playErrors.hidden)), learned }
    : { learned };
}

/** A track is unplayable where Spotify does not play it to the listener or does not know it. */
async function askForTrack(
  spotify: Pick<Spotify, "track">,
  trackId: string,
): Promise<{ isUnplayable: boolean; track: FoundTrack | null }> {
  try {
    const track = await spotify.track(trackId);
    return track?.playable ? { isUnplayable: false, track } : { isUnplayable: true, track: null };
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    return { isUnplayable: false, track: null };
  }
}

function learnedFrom(
  db: DatabaseAndClock["db"],
  song: TrackSong,
  answer: { track: FoundTrack; at: number } | null | undefined,
): Learned {
  const changed = answer && whatChanged(song, answer.track, "listener");
  if (!changed) return nothing;
  const fresh = { songId: song.songId, changed, asker: "listener", at: answer.at } as const;
  return (condition?: SQL) => freshenSong(db, fresh, condition);
}

async function verify(
  services: SpotifySourceServices,
  viewer: Viewer,
  listen: TrackSong & ReadListen,
): Promise<Verdict> {
  const { db, spotify, now } = services;
  const askedAt = now();
  const isOver = askedAt >= listen.startedAt + unlockMs(listen.requiredSeconds);
  // Who was found silent may not know why. Before the time is over nothing tells of a check.
  const isToAsk = isOver && (listen.recheckAt !== null || unlockTime(listen, askedAt) <= askedAt);
  const answer = isToAsk ? await askPlayback(spotify) : "unreachable";
  if (isRejection(answer)) return open(answer);
  const at = now();
  const playback = answer === "private" ? null : answer;
  const said = judgeListen(listen, at, playback);
  if (said.is === "heard") {
    const track = playback === "unreachable" ? null : playback?.track;
    const learned = learnedFrom(db, listen, track && { track, at: askedAt });
    return { ...said, at, learned, ofLogin: notePremium(db, viewer, now()) };
  }
  const text = answer === "private" ? playErrors.private : notHeardErrors[said.is];
  const { secondsLeft } = said;
  const rejection = reject(said.is === "unconfirmed" ? 503 : 409, text, { secondsLeft });
  switch (said.is) {
    case "early":
    case "unconfirmed":
      return open(rejection);
    case "found again":
      return { ...said, at, rejection };
    case "paused":
      return { is: "contradicted", at, learned: nothing, rejection };
    case "wrong-song":
    case "unknown": {
      const { refusal, learned } = await askAbout(services, listen);
      if (refusal?.is === "unplayable") return refusal;
      return said.is === "unknown"
        ? open(rejection, learned)
        : { is: "contradicted", at, learned, rejection };
    }
  }
}

function open(rejection: Rejection, learned = nothing): Verdict {
  return { is: "open", learned, rejection };
}

async function askPlayback(spotify: Spotify) {
  try {
    return await spotify.playback();
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    // Somebody who asks too often has to wait, or a limit would be a way around the question.
    if (error.status === 429) {
      const secondsLeft = Math.min(maxLimitedSeconds, error.retryAfterSeconds ?? maxLimitedSeconds);
      return reject(409, playErrors.limited, { secondsLeft });
    }
    // An outage must not cost the user their listening time; a refusal must not count as heard.
    if (error.outage) return "unreachable";
    if (error.status === 401) return refuseEndedLogin(error);
    return reject(502, playErrors.notAllowed);
  }
}

function rejectPlayback(error: SpotifyError): Rejection {
  if (error.status === 401) return refuseEndedLogin(error);
  if (error.reason === "PREMIUM_REQUIRED") return reject(409, playErrors.premiumRequired);
  if (error.reason === "NO_ACTIVE_DEVICE" || error.status === 404) {
    return reject(409, playErrors.noDevice);
  }
  return reject(error.outage ? 503 : 502, playErrors.playbackFailed);
}

async function rejectUnlessPlayed(
  spotify: Pick<Spotify, "track">,
  trackId: string,
): Promise<Rejection | null> {
  try {
    const track = await spotify.track(trackId);
    return track?.playable ? null : reject(409, returnErrors.unplayable);
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
    return refuseAsSpotify(error, returnErrors);
  }
}

/** Pauses the user's device first; Spotify refuses a pause where nothing plays. */
export async function playOnActiveDevice(
  spotify: Pick<Spotify, "pause" | "play">,
  trackId: string,
): Promise<void> {
  try {
    await spotify.pause();
  } catch (error) {
    if (!(error instanceof SpotifyError)) throw error;
  }
  await spotify.play(trackId);
}
