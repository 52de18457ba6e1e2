import { env } from "cloudflare:workers";
import { rowsOf } from "../database/contents";
import { request } from "../request";
import { fileInvariants } from "./file-invariants";
import { joined, makeWav, u32, u32le } from "./sound-files";

const pngHead = joined("\x89PNG\r\n\x1a\n", u32(13), "IHDR", u32(64, 64), new Uint8Array(9));

export const smallPng = joined(pngHead, u32(0), "IEND", u32(0));

export const smallJpeg = joined(
  [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 64, 0, 64, 1, 1, 0x11, 0],
  [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xff, 0xd9],
);

const webpPicture = joined([0x2f, 63, 0xc0, 15, 0, 1], new Uint8Array(10));
export const smallWebp = joined("RIFF", u32le(28), "WEBP", "VP8L", u32le(16), webpPicture);

export interface UploadFields {
  title?: string;
  artist?: string;
  rights?: string | null;
  made?: string | null;
  file?: Uint8Array<ArrayBuffer> | null;
  fileName?: string;
  fileType?: string;
  cover?: Uint8Array<ArrayBuffer>;
}

export function uploadForm(fields: UploadFields = {}): FormData {
  const { title = "First light", artist = "", rights = "yes", file = makeWav(6) } = fields;
  const { made = "people" } = fields;
  const { fileName = "song.wav", fileType = "audio/wav", cover } = fields;
  const form = new FormData();
  form.set("title", title);
  form.set("artist", artist);
  if (file) form.set("file", new File([file], fileName, { type: fileType }));
  // A browser sends an empty part for a picture that was not chosen.
  form.set("cover", new File(cover ? [cover] : [], cover ? "cover.png" : ""));
  if (rights !== null) form.set("rights", rights);
  if (made !== null) form.set("made", made);
  return form;
}

export function upload(cookie: string, fields: UploadFields = {}, bindings?: object) {
  return request("/recordings", {
    cookie,
    body: uploadForm(fields),
    ...(bindings ? { bindings } : {}),
  });
}

/** The id in the address that an upload leads to. */
export async function uploaded(cookie: string, fields: UploadFields = {}): Promise<string> {
  const response = await upload(cookie, fields);
  const [, id] =
    /^\/recordings\/([0-9a-f-]{36})(?:\?again)?$/.exec(response.headers.get("Location") ?? "") ??
    [];
  if (!id) throw new Error(`${response.status} ${await response.text()}`);
  return id;
}

/** Its owner plays a draft to its end. */
export async function hearDraft(cookie: string, id: string): Promise<void> {
  await (await request(`/recordings/${id}/audio`, { cookie })).arrayBuffer();
}

export async function bucketKeys(): Promise<string[]> {
  const { objects } = await env.RECORDINGS.list();
  return objects.map(({ key }) => key);
}

export async function emptyBucket(): Promise<void> {
  const keys = await bucketKeys();
  if (keys.length > 0) await env.RECORDINGS.delete(keys);
}

/** What does not hold between rows and files. */
export async function brokenFiles(): Promise<string[]> {
  const { objects } = await env.RECORDINGS.list();
  const files = JSON.stringify(objects.map(({ key, size }) => ({ key, size })));
  const broken: string[] = [];
  for (const { name, sql } of fileInvariants) {
    if ((await rowsOf(sql, files)).length > 0) broken.push(name);
  }
  return broken;
}
