/** Somebody who may submit a song, and uploads files of their own. */
import { expect } from "vitest";
import { freePrice } from "../database/factories";
import { rows } from "../database/rows";
import { someone } from "../people";
import { hearDraft, type UploadFields, uploaded, uploadForm } from "../recordings/uploads";

export async function uploader(options: Parameters<typeof someone>[0] = {}) {
  const who = await someone({ credits: freePrice, ...options });
  const at = (id: string) => `/recordings/${id}`;
  return {
    ...who,
    /** Uploads a file, as a mix of a song if there is one. */
    async uploads({ song, ...fields }: UploadFields & { song?: string } = {}, bindings?: object) {
      const body = uploadForm(fields);
      if (song) body.set("song", song);
      return who.gets("/recordings", { body, ...(bindings && { bindings }) });
    },
    /** Uploads what becomes a draft. @returns its id. */
    drafts: async (fields: UploadFields = {}) => uploaded(await who.login(), fields),
    bytesOf: async (path: string) => new Uint8Array(await (await who.gets(path)).arrayBuffer()),
    hears: async (id: string) => hearDraft(await who.login(), id),
    renames: (id: string, title: string, artist = "") =>
      who.posts(`${at(id)}/name`, { title, artist }),
    deletes: async (id: string) => (await who.posts(`${at(id)}/delete`)).status,
    handsIn: (recording: string, form: Record<string, string> = {}) =>
      who.posts("/submissions", { recording, ...form }),
    /** Hears a draft, and submits it. */
    async hearsAndHandsIn(recording: string, form: Record<string, string> = {}) {
      await hearDraft(await who.login(), recording);
      expect((await who.posts("/submissions", { recording, ...form })).status).toBe(303);
    },
  };
}

/** The recordings whose files are kept, or are still to come. */
export function living() {
  return rows("recordings", { fileEndedAt: null });
}
