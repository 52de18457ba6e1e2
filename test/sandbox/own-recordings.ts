/** Own recordings of other musicians, with the files that go into the local bucket: the same at every start. */
import { createHash } from "node:crypto";
import { tuneMs, tuneStart, tuneWav } from "./tunes.ts";

const titles = [
  "Kitchen Demo, Tuesday",
  "Slow Ferry (rough mix)",
  "Before the Drums",
  "Paper Boats",
  "Voice Memo 14",
  "The Long Way Home, Take 3",
  "Half a Chorus",
  "Rain on the Porch",
  "Untitled in D",
  "Second Verse Missing",
  "Lanterns (demo)",
  "Four in the Morning",
];

export const ownRecordings = titles.map((title) => {
  const bytes = tuneWav(title);
  const id = uuidOf(title);
  return {
    row: {
      ...{ id, title, type: "wav", hash: sha256(bytes).toString("base64url") },
      drawn_from: sha256(title).toString("base64url"),
      ...{ bytes: bytes.length, duration_ms: tuneMs(bytes), audio_start: tuneStart },
    },
    file: { key: `${id}/audio`, bytes },
  };
});

function uuidOf(title: string): string {
  const digits = sha256(title).toString("hex");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-a$4-$5");
}

function sha256(content: string | Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}
