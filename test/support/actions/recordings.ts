/** Uploading recordings of one's own, and what happens to their files. */
import { env } from "cloudflare:workers";
import { freePrice, insert } from "../database/factories";
import {
  brokenFiles,
  bucketKeys,
  emptyBucket,
  smallPng,
  uploaded,
  uploadForm,
} from "../recordings/uploads";
import { everyTenMinutes, runJobs } from "../worker";
import { type Action, asking, forMembers, type Says, toOthers } from "./action";
import { firstRow, makeMember } from "./world";

async function makeUploader(musician: string) {
  await emptyBucket();
  return makeMember(musician, { credits: freePrice });
}

const noDraft: Says = [
  404,
  "There is no such draft. Perhaps you have submitted it, or deleted it.",
];
const drafts = `SELECT count(*) AS drafts FROM recordings
  WHERE state = 'draft' AND file_ended_at IS NULL`;

/** No row promises a file that is not there, and no file is without a row. */
async function filesFit(): Promise<boolean> {
  return (await brokenFiles()).length === 0;
}

export const recordingActions: Action[] = [
  {
    name: "an upload",
    ...forMembers("LIMIT_STRICT"),
    formsOn: ["/?menu=addownsong"],
    async prepare(musician) {
      const { cookie } = await makeUploader(musician);
      const whole = new Response(uploadForm({ cover: smallPng }));
      const headers = { "Content-Type": whole.headers.get("Content-Type") ?? "" };
      const body = new Uint8Array(await whole.arrayBuffer());
      return {
        ...asking("/recordings", { cookie, body, headers }),
        state: () => firstRow(drafts),
        kept: filesFit,
      };
    },
    done: { drafts: 1 },
  },
  {
    name: "another title for an upload",
    ...forMembers("LIMIT_NORMAL", toOthers(noDraft)),
    formsOn: ["/recordings/:id"],
    async prepare(musician) {
      const { post, cookie } = await makeUploader(musician);
      const id = await uploaded(cookie);
      return {
        ...post(`/recordings/${id}/name`, { title: "Last light", artist: "Ada" }),
        state: () => firstRow("SELECT title, artist FROM recordings"),
        kept: filesFit,
      };
    },
    done: { title: "Last light", artist: "Ada" },
  },
  {
    name: "the word that a browser cannot play an upload",
    ...forMembers("LIMIT_NORMAL", toOthers(noDraft)),
    async prepare(musician) {
      const { post, cookie } = await makeUploader(musician);
      const id = await uploaded(cookie);
      return {
        ...post(`/recordings/${id}/silent`),
        state: () => firstRow("SELECT hearing FROM recordings"),
        kept: filesFit,
      };
    },
    done: { hearing: "silent" },
  },
  {
    name: "the cover that is drawn for a file",
    ...forMembers("LIMIT_NORMAL"),
    async prepare(musician) {
      const { post } = await makeUploader(musician);
      return { ...post("/recordings/cover", { hash: "A".repeat(43) }), kept: filesFit };
    },
  },
  {
    name: "the deletion of an upload",
    ...forMembers("LIMIT_NORMAL", toOthers(noDraft)),
    formsOn: ["/recordings/:id"],
    async prepare(musician) {
      const { post, cookie } = await makeUploader(musician);
      const id = await uploaded(cookie);
      return { ...post(`/recordings/${id}/delete`), state: () => firstRow(drafts), kept: filesFit };
    },
    done: { drafts: 0 },
    already: "There is no such draft",
  },
];

export const recordingPages: Action[] = [
  {
    name: "the page of an upload",
    async prepare(musician) {
      const { get, cookie } = await makeUploader(musician);
      return { ...get(`/recordings/${await uploaded(cookie)}`), shows: /First light/ };
    },
  },
];

export const recordingJobs: Action[] = [
  {
    name: "the deletion of files",
    async prepare() {
      await emptyBucket();
      await env.RECORDINGS.put("gone/audio", "sound");
      await insert("file_deletions", { key: "gone/audio", created_at: 1 }).run();
      return {
        async act(around) {
          await runJobs(everyTenMinutes, around);
          return undefined;
        },
        state: async () => ({
          files: (await bucketKeys()).length,
          ...(await firstRow("SELECT count(*) AS lines FROM file_deletions")),
        }),
        kept: filesFit,
      };
    },
    done: { files: 0, lines: 0 },
  },
];
