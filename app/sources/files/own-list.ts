import { retentionDays } from "~/db/periods";
import { dayMs } from "~/platform/dates";

export interface RecordingRow {
  recordingId: string;
  title: string;
  isDraft: boolean;
  /** Of the file and its cover. */
  bytes: number;
  uploadedAt: number;
  fileEndedAt: number | null;
  songId: string | null;
  /** Null while its song is in the rotation. */
  leftAt: number | null;
}

export type FileState = "draft" | "rotation" | "kept" | "deleted";

export interface OwnRecordingView {
  recordingId: string;
  title: string;
  bytes: number;
  songId: string | null;
  state: FileState;
  /** Until when a file is kept, or since when it is gone. */
  at: number | null;
}

/** What is left of a recording's file, and for how long (rule 43, files). */
export function ownRecordingView(row: RecordingRow): OwnRecordingView {
  const { recordingId, title, bytes, songId } = row;
  return { recordingId, title, bytes, songId, ...stateOf(row) };
}

function stateOf(row: RecordingRow): Pick<OwnRecordingView, "state" | "at"> {
  const { isDraft, uploadedAt, fileEndedAt, leftAt } = row;
  if (fileEndedAt !== null) return { state: "deleted", at: fileEndedAt };
  if (isDraft) return { state: "draft", at: uploadedAt + retentionDays.drafts * dayMs };
  if (leftAt === null) return { state: "rotation", at: null };
  return { state: "kept", at: leftAt + retentionDays.files * dayMs };
}
