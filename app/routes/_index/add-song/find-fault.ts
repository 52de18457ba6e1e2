import { isRejection } from "~/platform/rejection";
import type { FileBytes } from "~/sources/files/audio-file";
import { emptyFile, noFile, readMade, refuseNames } from "~/sources/files/upload-fields";

export interface UploadFault {
  /** The name of the field that it is about. */
  field: string;
  error: string;
}

/** What the server would refuse an upload for, before anything of it travels; null if nothing is known. */
export async function findFault(
  form: FormData,
  takesGenerated: boolean,
): Promise<UploadFault | null> {
  const text = (name: string) => String(form.get(name) ?? "");
  const made = readMade(text("rights"), text("made"), takesGenerated);
  const fault = refuseNames(text("title"), text("artist")) ?? (isRejection(made) ? made : null);
  if (fault) return { field: fault.field, error: fault.error };
  for (const field of ["file", "cover"] as const) {
    const error = await faultOfFile(field, form.get(field));
    if (error) return { field, error };
  }
  return null;
}

/** Reads the file of a field where it is, as the server will. */
export async function faultOfFile(
  field: "file" | "cover",
  file: FormDataEntryValue | null,
): Promise<string | null> {
  if (!(file instanceof File) || (file.name === "" && file.size === 0)) {
    return field === "file" ? noFile.error : null;
  }
  if (file.size === 0) return emptyFile.error;
  const reader = await (field === "file" ? loadAudioReader() : loadPictureReader()).catch(
    () => null,
  );
  // Without its code, the server alone says what is wrong.
  if (!reader) return null;
  try {
    const read = await reader(file);
    return isRejection(read) ? read.error : null;
  } catch {
    return fileChanged;
  }
}

const fileChanged =
  "This file has changed since you chose it, or is not there any more. Choose it again.";

/** What is wrong with files that could not be sent: browsers refuse to read one that was changed since it was chosen. */
export async function changeOf(form: FormData): Promise<string | null> {
  for (const file of [form.get("file"), form.get("cover")]) {
    if (!(file instanceof File)) continue;
    const isThere = await file
      .slice(0, 1)
      .arrayBuffer()
      .then(
        () => true,
        () => false,
      );
    if (!isThere) return fileChanged;
  }
  return null;
}

type Reader = (file: File) => Promise<object | string>;

async function loadAudioReader(): Promise<Reader> {
  const { readAudio } = await import("~/sources/files/read-audio");
  return (file) => readAudio(bytesOf(file));
}

async function loadPictureReader(): Promise<Reader> {
  const { coverTooBig, maxCoverBytes, readCover } = await import("~/sources/files/cover-file");
  return async (file) =>
    file.size > maxCoverBytes ? coverTooBig : readCover(new Uint8Array(await file.arrayBuffer()));
}

export function bytesOf(file: File): FileBytes {
  return {
    size: file.size,
    read: async (offset, length) =>
      new Uint8Array(await file.slice(offset, offset + length).arrayBuffer()),
  };
}
