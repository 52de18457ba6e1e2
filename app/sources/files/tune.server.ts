/** Our own tune, which whoever dares may try to cheat with. Of a visit nothing is kept: its token says when it began. */

import { readToken, signToken } from "~/platform/crypto.server";
import { placesOfRequest } from "~/platform/network";
import { isRejection, type Rejection, reject } from "~/platform/rejection";
import { type DeliveryServices, deliverToVisitor } from "./delivery.server";
import { deliverableTo, dueAt } from "./pacing";
import { serveFile } from "./serve.server";

/** public/try.wav, as test/support/make-tune.ts writes it. */
const tune = { bytes: 480_044, durationMs: 20_000, audioStart: 44, audioEnd: null };
const endRange = { from: tune.bytes - 65_536, to: tune.bytes };
const purpose = "try";
const longestVisitMs = 60 * 60_000;

interface VisitServices {
  secret: string;
  now(): number;
}

export function beginVisit({ secret, now }: VisitServices): Promise<string> {
  return signToken(secret, purpose, `${now()}`);
}

/** When a visit began. */
export async function readVisit(
  { secret, now }: VisitServices,
  visit: string,
): Promise<number | Rejection> {
  const began = Number((await readToken(secret, purpose, visit)) ?? Number.NaN);
  const lastsMs = now() - began;
  if (!(lastsMs >= 0)) return reject(400, "No visit of ours began like that.");
  return lastsMs < longestVisitMs ? began : reject(410, "That visit is over: it lasted an hour.");
}

/** How many seconds of the tune are still to come, by our clock alone. */
export function tuneSecondsLeft(began: number, now: number): number {
  return secondsUntil(began + tune.durationMs, now);
}

/** What may have been delivered of the tune's last 64 KB, and in how many seconds all of it. */
export function endOfTune(began: number, now: number) {
  return {
    bytes: deliverableTo(tune, { startedAt: began, now }, endRange) - endRange.from,
    secondsLeft: secondsUntil(dueAt(tune, began, tune.bytes), now),
  };
}

function secondsUntil(time: number, now: number): number {
  return Math.max(0, Math.ceil((time - now) / 1000));
}

/** An isolate keeps it once it was asked for. */
let sound: Uint8Array | null = null;

/** The tune, no byte before its time in the visit that began then. Null where the file is missing. */
export function serveTune(
  {
    assets,
    waitUntil,
    ...services
  }: Pick<DeliveryServices, "now" | "wait"> & {
    assets: Fetcher;
    waitUntil(work: Promise<unknown>): void;
  },
  request: Request,
  began: number,
): Promise<Response | null> {
  const served = { recordingId: "tune", type: "wav", bytes: tune.bytes } as const;
  return serveFile(request, served, async (range) => {
    sound ??= await readAsset(assets);
    if (!sound) return null;
    const [address = ""] = placesOfRequest(request);
    const delivery = { file: tune, range, startedAt: began, sound, address };
    const delivered = deliverToVisitor(services, delivery);
    if (isRejection(delivered)) return delivered;
    waitUntil(delivered.done);
    return delivered.body;
  });
}

async function readAsset(assets: Fetcher): Promise<Uint8Array | null> {
  const file = await assets.fetch("https://assets.invalid/try.wav");
  return file.ok ? new Uint8Array(await file.arrayBuffer()) : null;
}
