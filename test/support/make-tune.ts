/**
 * Renders the tune of the page that dares to cheat, public/try.wav, which nobody else has a right to: 20 seconds. Run it
 * by `node` after a change of test/sandbox/tunes.ts, and commit the file. It is at 8 kHz and in the µ-law of telephones, which every
 * browser plays: a fourth of what the tune takes otherwise, and no tone of it is higher.
 */
import { writeFileSync } from "node:fs";
import { readArguments } from "../../.ops/command-line.ts";
import { tuneStart, tuneWav } from "../sandbox/tunes.ts";

readArguments({ usage: "node test/support/make-tune.ts" });
const seconds = 20;
const tune = tuneWav("Last Ferry Home", 48);
const samples = new Int16Array(tune.buffer.slice(tuneStart));
const rate = new DataView(tune.buffer).getUint32(24, true) / 2;
const half = Uint8Array.from({ length: seconds * rate }, (_, n) =>
  muLaw(((samples[2 * n] ?? 0) + (samples[2 * n + 1] ?? 0)) / 2),
);
const header = Buffer.alloc(46);
header.write("RIFF", 0);
header.writeUInt32LE(header.length - 8 + half.length, 4);
header.write("WAVEfmt ", 8);
header.writeUInt32LE(18, 16);
header.writeUInt16LE(7, 20); // µ-law
header.writeUInt16LE(1, 22); // channels
header.writeUInt32LE(rate, 24);
header.writeUInt32LE(rate, 28); // bytes a second
header.writeUInt16LE(1, 32); // bytes a sample
header.writeUInt16LE(8, 34); // bits a sample
header.write("data", 38);
header.writeUInt32LE(half.length, 42);
writeFileSync("public/try.wav", Buffer.concat([header, half]));

/** A sample of 16 bits as ITU-T G.711 has it: sign, exponent and four bits, inverted. */
function muLaw(sample: number): number {
  const size = Math.min(Math.abs(Math.round(sample)), 32_635) + 132;
  const exponent = 31 - Math.clz32(size) - 7;
  const mantissa = (size >> (exponent + 3)) & 15;
  return ~((sample < 0 ? 128 : 0) | (exponent << 4) | mantissa) & 255;
}
