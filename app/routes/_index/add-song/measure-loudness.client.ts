import { isRejection } from "~/platform/rejection";
import { readAudio } from "~/sources/files/read-audio";
import { bytesOf } from "./find-fault";

/** As long as somebody may wait for it who is about to upload. */
const longestMs = 10_000;

const rate = 48_000;
const bytesPerMs = (rate / 1000) * 2 * Float32Array.BYTES_PER_ELEMENT;

/** Of decoded sound, for each gigabyte that the device has; four where it does not tell. */
const maxBytesPerGigabyte = 64 * 1024 * 1024;

/**
 * The loudness of a file, in tenths of LUFS, or that it is silent. Null where it cannot be decoded, takes more memory
 * than the device can spare, or takes long. Never rejects.
 */
export function measureLoudness(file: File): Promise<Loudness> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, longestMs, null));
  return Promise.race([measure(file).catch(() => null), late]);
}

export type Loudness = number | "silent" | null;

/** What is quieter throughout nobody hears. */
const leastSample = 1e-4;

async function measure(file: File): Promise<Loudness> {
  const { deviceMemory = 4 } = navigator as { deviceMemory?: number };
  const room = Math.min(4, deviceMemory) * maxBytesPerGigabyte;
  const audio = await readAudio(bytesOf(file));
  if (isRejection(audio) || audio.durationMs * bytesPerMs > room) return null;
  const context = new OfflineAudioContext(1, 1, rate);
  const sound = await context.decodeAudioData(await file.arrayBuffer());
  const channels = Array.from({ length: sound.numberOfChannels }, (_, n) =>
    sound.getChannelData(n),
  );
  const isSilent = channels.every((channel) =>
    channel.every((sample) => Math.abs(sample) < leastSample),
  );
  if (isSilent) return "silent";
  const loudness = await askWorker({ channels, rate: sound.sampleRate });
  return loudness === null ? null : Math.round(loudness * 10);
}

/** Null where the browser has no workers of this kind. */
async function askWorker(sound: { channels: Float32Array<ArrayBuffer>[]; rate: number }) {
  // Imported like this, it is a file of its own.
  const { workerUrl } = await import("./loudness-worker.client");
  const worker = new Worker(workerUrl, { type: "module" });
  const answer = await new Promise<number | null>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<number | null>) => resolve(data);
    worker.onerror = () => resolve(null);
    const buffers = sound.channels.map(({ buffer }) => buffer);
    worker.postMessage(sound, buffers);
  });
  worker.terminate();
  return answer;
}
