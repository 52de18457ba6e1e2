import { decode } from "jpeg-js";
import { grey } from "~/db/rules";
import { timeLimit } from "~/platform/signals";
import { tintOf } from "./tint";

const maxBytes = 300_000;

/** The tint of a picture at Spotify; grey where it is gone, or no JPEG that can be read. Null where nobody answers. */
export async function readTint(
  fetch: typeof globalThis.fetch,
  url: string,
  timeoutMs: number,
): Promise<number | null> {
  let bytes: Uint8Array;
  try {
    const response = await fetch(url, { signal: timeLimit(timeoutMs) });
    if (response.status === 429 || response.status >= 500) return null;
    const length = Number(response.headers.get("Content-Length") ?? 0);
    if (!response.ok || length > maxBytes) {
      await response.body?.cancel();
      return grey;
    }
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch {
    return null;
  }
  return tintOfJpeg(bytes);
}

/** Grey where it cannot be read, or is bigger than a cover has to be. */
export function tintOfJpeg(bytes: Uint8Array): number {
  if (bytes.byteLength > maxBytes) return grey;
  try {
    const options = { useTArray: true, maxResolutionInMP: 1, maxMemoryUsageInMB: 32 } as const;
    return tintOf(decode(bytes, options).data);
  } catch {
    return grey;
  }
}
