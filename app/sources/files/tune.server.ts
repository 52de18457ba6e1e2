/** Our own tune, which whoever dares may try to cheat with. Of a visit nothing is kept: its token says when it began. */

import { readToken, signToken } from "~/platform/crypto.server";
import { secondsUntil } from "~/platform/dates";
import { placesOfRequest } from "~/platform/network";
import { reject } from "~/platform/rejection";
import { type DeliveryServices, deliverPaced } from "./delivery.server";
import { deliverableTo, dueAt } from "./pacing";
import { serveFile } from "./serve.server";

/** public/try.wav, as test/support/make-tune.ts writes it. */
const tune = { bytes: 480_044, durationMs: 20_000, audioStart: 44, audioEnd: null };
const end = { from: tune.bytes - 65_536, to: tune.bytes };
const purpose = "try";
const longestVisitMs = 60 * 60_000;

export function beginVisit(secret: string, now: number): Promise<string> {
  return signToken(secret, purpose, `${now}`);
}

/**
 * Where a visit is by our clock alone: when it began, how many seconds ago, and how many of the tune are to come; what
 * may have been delivered of its last 64 KB, and in how many seconds all of it.
 */
export async function readVisit(secret: string, visit: string, now: number) {
  const startedAt = Number((await readToken(secret, purpose, visit)) ?? Number.NaN);
  const lastsMs = now - startedAt;
  if (!(lastsMs >= 0)) return reject(400, "No visit of ours began like that.");
  if (lastsMs > longestVisitMs) return reject(410, "That visit is over: it lasted an hour.");
  return {
    startedAt,
    at: Math.floor(lastsMs / 1000),
    secondsLeft: secondsUntil(startedAt + tune.durationMs, now),
    endBytes: deliverableTo(tune, { startedAt, now }, end) - end.from,
    endSecondsLeft: secondsUntil(dueAt(tune, startedAt, end.to), now),
  };
}

/** An isolate keeps it once it was asked for. */
let sound: Uint8Array | null = null;

/** The tune, no byte before its time in the visit that began then. Null where the file is missing. */
export function serveTune(
  services: DeliveryServices & { assets: Fetcher },
  request: Request,
  startedAt: number,
): Promise<Response | null> {
  const served = { recordingId: "tune", type: "wav", bytes: tune.bytes } as const;
  const listenId = placesOfRequest(request)[0] ?? "";
  const unnoted = { listenId, key: "", neededMs: 0, note: async () => true };
  return serveFile(request, served, async (range) => {
    sound ??= await readTune(services.assets);
    return sound && deliverPaced(services, { ...unnoted, file: tune, range, startedAt }, sound);
  });
}

async function readTune(assets: Fetcher): Promise<Uint8Array | null> {
  const file = await assets.fetch("https://assets.invalid/try.wav");
  return file.ok ? new Uint8Array(await file.arrayBuffer()) : null;
}
