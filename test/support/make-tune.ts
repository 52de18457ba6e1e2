/**
 * Renders the tune that one may try to cheat with, public/try.wav, which nobody else has a right to: 20 seconds. Run it by
 * `node` after a change of test/sandbox/tunes.ts, and commit the file. Less than 12 kHz and 16 bits would be too little:
 * Chromium begins to play a WAV once 230 KB have come, and ten seconds come at once.
 */
import { writeFileSync } from "node:fs";
import { readArguments } from "../../.ops/command-line.ts";
import { tuneStart, tuneWav } from "../sandbox/tunes.ts";

readArguments({ usage: "node test/support/make-tune.ts" });
const [seconds, rate, bytesPerSample] = [20, 12_000, 2];
const source = Buffer.from(tuneWav("Last Ferry Home", 48));
const step = source.readUInt32LE(24) / rate;
const file = Buffer.alloc(tuneStart + seconds * rate * bytesPerSample);
source.copy(file, 0, 0, tuneStart);
file.writeUInt32LE(file.length - 8, 4);
file.writeUInt32LE(rate, 24);
file.writeUInt32LE(rate * bytesPerSample, 28);
file.writeUInt32LE(file.length - tuneStart, 40);
for (let n = 0; n < seconds * rate; n += 1) {
  const at = Math.floor(n * step);
  const part = n * step - at;
  const sample = sampleAt(at) * (1 - part) + sampleAt(at + 1) * part;
  file.writeInt16LE(Math.round(sample), tuneStart + n * bytesPerSample);
}
writeFileSync("public/try.wav", file);

/** Silence behind the end. */
function sampleAt(place: number): number {
  const at = tuneStart + place * bytesPerSample;
  return at < source.length ? source.readInt16LE(at) : 0;
}
