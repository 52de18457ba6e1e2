/** Short tunes that nobody has ever played: a melody, a bass and a last chord, always the same for the same title. */
import { randomFrom } from "./catalogue.ts";

interface Note {
  /** In seconds. */
  at: number;
  frequency: number;
  lasts: number;
  loud: number;
}

const rate = 16_000;
/** Place of the first byte of sound. */
export const tuneStart = 44;
const bytesPerSample = 2;
/** Semitones above the key of five notes that sound well in any order. */
const scale = [0, 2, 4, 7, 9, 12, 14, 16];
const basses = [0, 9, 5, 7];

/** A WAV of 5.4 to 7.3 seconds, if it has twelve beats. */
export function tuneWav(title: string, beats = 12): Uint8Array<ArrayBuffer> {
  const random = randomFrom(`tune ${title}`);
  const beat = 0.36 + 0.16 * random();
  const notes = compose(random, 130.8 * 2 ** (Math.floor(random() * 7) / 12), beat, beats);
  const seconds = (beats + 3) * beat;
  const bright = 0.25 + 0.3 * random();
  return wavOf(mix(notes, Math.round(seconds * rate), bright));
}

/** How long a tune lasts, by its bytes. */
export function tuneMs({ length }: Uint8Array): number {
  return Math.round(((length - tuneStart) * 1000) / (rate * bytesPerSample));
}

function compose(random: () => number, key: number, beat: number, beats: number): Note[] {
  const tone = (semitones: number) => key * 2 ** (semitones / 12);
  const notes: Note[] = [];
  let step = 2 + Math.floor(random() * 3);
  for (let place = 0; place < beats; place += 1) {
    const at = place * beat;
    if (place % 3 === 0) {
      const bass = basses[(place / 3) % basses.length] ?? 0;
      notes.push({ at, frequency: tone(bass - 12), lasts: beat * 3, loud: 0.5 });
    }
    step = Math.min(scale.length - 1, Math.max(0, step + Math.round(random() * 4 - 2)));
    const melody = { frequency: tone((scale[step] ?? 0) + 12), loud: 0.5, lasts: beat * 2 };
    notes.push({ ...melody, at });
    if (random() < 0.3) notes.push({ ...melody, at: at + beat / 2, loud: 0.3 });
  }
  const chord = [-12, 0, 4, 7, 12].map((semitones, place) => ({
    ...{ at: (beats + place * 0.06) * beat, frequency: tone(semitones) },
    ...{ lasts: beat * 3, loud: 0.35 },
  }));
  return [...notes, ...chord];
}

/** Each note begins softly and fades, as a plucked string does. */
function mix(notes: Note[], length: number, bright: number): Float32Array {
  const sound = new Float32Array(length);
  for (const { at, frequency, lasts, loud } of notes) {
    const first = Math.round(at * rate);
    const samples = Math.min(length - first, Math.round(lasts * rate));
    for (let n = 0; n < samples; n += 1) {
      const time = n / rate;
      const turn = 2 * Math.PI * frequency * time;
      const tone =
        Math.sin(turn) + bright * Math.sin(2 * turn) + bright * bright * Math.sin(3 * turn);
      const envelope = Math.min(1, time / 0.01) * Math.exp((-3 * n) / samples) * (1 - n / samples);
      sound[first + n] = (sound[first + n] ?? 0) + loud * envelope * tone;
    }
  }
  return sound;
}

/** One channel of 16 bits. */
function wavOf(sound: Float32Array): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(tuneStart + sound.length * bytesPerSample);
  const view = new DataView(file.buffer);
  const words = { 0: "RIFF", 8: "WAVE", 12: "fmt ", 36: "data" };
  for (const [at, word] of Object.entries(words)) {
    file.set(new TextEncoder().encode(word), Number(at));
  }
  view.setUint32(4, file.length - 8, true);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * bytesPerSample, true);
  view.setUint16(32, bytesPerSample, true);
  view.setUint16(34, 8 * bytesPerSample, true);
  view.setUint32(40, file.length - tuneStart, true);
  const loudest = sound.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (const [n, value] of sound.entries()) {
    const sample = Math.round((value / loudest) * 0.7 * 32_767);
    view.setInt16(tuneStart + n * bytesPerSample, sample, true);
  }
  return file;
}
