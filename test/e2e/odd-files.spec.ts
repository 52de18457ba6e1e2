/** What the product takes plays in Chromium, and for as long as it says. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { isRejection } from "~/platform/rejection";
import { mediaTypes } from "~/sources/files/files";
import { askedRange } from "~/sources/files/ranges";
import { readAudio } from "~/sources/files/read-audio";
import { type OddFile, oddFiles } from "../support/recordings/odd-files.ts";
import { test } from "./support/fixtures.ts";

interface Taken extends OddFile {
  type: string;
  seconds: number;
}

/** Those that are taken, as they are served. */
async function takenFiles(): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (const file of oddFiles) {
    const { bytes } = file;
    const read = await readAudio({
      size: bytes.length,
      read: async (offset, length) => bytes.subarray(offset, offset + length),
    });
    if (isRejection(read)) continue;
    taken.push({ ...file, type: mediaTypes[read.type], seconds: read.durationMs / 1000 });
  }
  return taken;
}

/** A page without anything, and the files at their places. */
async function serve(files: Taken[]) {
  const server = createServer((request, response) => {
    const file = files[Number(request.url?.slice(1) || -1)];
    if (!file) {
      response.setHeader("Content-Type", "text/html");
      response.end();
      return;
    }
    const { bytes, type } = file;
    const range = askedRange(request.headers.range ?? null, bytes.length);
    response.setHeader("Content-Type", type);
    response.setHeader("Accept-Ranges", "bytes");
    if (typeof range === "string") {
      response.end(bytes);
      return;
    }
    const { from, to } = range;
    response.statusCode = 206;
    response.setHeader("Content-Range", `bytes ${from}-${to - 1}/${bytes.length}`);
    response.end(bytes.subarray(from, to));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("every file that is taken plays in Chromium, for as long as is said", async ({ page }) => {
  const files = await takenFiles();
  const { server, origin } = await serve(files);
  await page.goto(origin);
  const played = await page.evaluate(
    (count) =>
      Promise.all(
        Array.from({ length: count }, async (_, place) => {
          const audio = new Audio(`/${place}`);
          audio.muted = true;
          audio.defaultPlaybackRate = 16;
          audio.playbackRate = 16;
          const end = new Promise<string>((resolve) => {
            audio.addEventListener("ended", () => resolve("played"));
            audio.addEventListener("error", () => resolve(audio.error?.message ?? "error"));
          });
          await audio.play().catch(() => undefined);
          return { end: await end, seconds: audio.duration };
        }),
      ),
    files.length,
  );
  server.close();
  // LAME and AAC add silence, up to 0.2 s of it at 8 kHz, which Chromium leaves out.
  const wrong = files.flatMap(({ name, seconds }, place) => {
    const { end, seconds: heard = 0 } = played[place] ?? {};
    const isRight = end === "played" && Math.abs(heard - seconds) < 0.3;
    return isRight ? [] : [`${name}: ${end}, ${heard} s, said ${seconds} s`];
  });
  expect(wrong).toEqual([]);
  expect(files.length).toBeGreaterThan(50);
});
