import type { FieldStart } from "~/platform/multipart";
import { plainName } from "~/platform/plain-text";
import { isRejection, type Rejection } from "~/platform/rejection";
import { maxFileBytes, refuseBroken } from "./audio-file";
import type { AudioUpload } from "./audio-upload.server";
import { brokenCover, type CoverType, coverTooBig, maxCoverBytes, readCover } from "./cover-file";
import { withoutMetadata } from "./cover-metadata";
import { audioTypeOf, signatureBytes, tooBig } from "./read-audio";
import { noFile, refuseFields, tooLong } from "./upload-fields";

export type FormPiece = FieldStart | Uint8Array | Rejection;

/** Four bytes for each letter, and room for what is no letter. */
const maxTextBytes = 2048;

export interface UploadedForm {
  title: string;
  /** Empty where the member's name stands for it. */
  artist: string;
  /** The song that it is a new mix of; empty for a new song. */
  song: string;
  cover: UploadedCover | null;
}

interface UploadedCover {
  bytes: Uint8Array;
  type: CoverType;
}

/**
 * Reads the form of an upload as it comes. Its file goes on into what `begin` makes, which is asked for with the
 * first bytes, and only if they are of a kind that is taken.
 */
export async function readUploadForm(
  form: AsyncIterable<FormPiece>,
  begin: () => Promise<AudioUpload | Rejection>,
): Promise<UploadedForm | Rejection> {
  const names = { title: gather(maxTextBytes), artist: gather(maxTextBytes) };
  const texts = { ...names, song: gather(99), rights: gather(99) };
  const cover = gather(maxCoverBytes);
  const start = gather(signatureBytes);
  let upload: AudioUpload | null = null;
  let field = "";
  for await (const piece of form) {
    if (isRejection(piece)) return piece;
    if (!(piece instanceof Uint8Array)) {
      field = piece.field;
    } else if (field === "file") {
      const rest = upload ? piece : start.add(piece);
      if (!upload && start.bytes().length === signatureBytes) {
        const type = audioTypeOf(start.bytes());
        const begun = isRejection(type) ? type : await begin();
        if (isRejection(begun)) return begun;
        upload = begun;
        await upload.write(start.bytes());
      }
      await upload?.write(rest);
      if (upload && upload.size() > maxFileBytes) return tooBig;
    } else if (field === "cover") {
      if (cover.add(piece).length > 0) return coverTooBig;
    } else if (isText(field) && texts[field].add(piece).length > 0) {
      return tooLong;
    }
  }
  return upload ? checked() : refuseStart(start.bytes());

  function checked(): UploadedForm | Rejection {
    const [title, artist] = [nameIn(texts.title.bytes()), nameIn(texts.artist.bytes())];
    const fault = refuseFields({ title, artist, hasRights: texts.rights.bytes().length > 0 });
    if (fault) return fault;
    const picture = cover.bytes().length > 0 ? pictureIn(cover.bytes()) : null;
    const song = new TextDecoder().decode(texts.song.bytes());
    return isRejection(picture) ? picture : { title, artist, song, cover: picture };
  }

  function isText(name: string): name is keyof typeof texts {
    return Object.hasOwn(texts, name);
  }
}

/** Room for so many bytes, whatever the pieces that they come in. `add` returns what found none. */
function gather(most: number) {
  let room: Uint8Array | null = null;
  let length = 0;
  return {
    add(piece: Uint8Array): Uint8Array {
      room ??= new Uint8Array(most);
      const taken = piece.subarray(0, most - length);
      room.set(taken, length);
      length += taken.length;
      return piece.subarray(taken.length);
    },
    bytes: () => room?.subarray(0, length) ?? new Uint8Array(),
  };
}

function pictureIn(uploaded: Uint8Array): Rejection | UploadedCover {
  const type = readCover(uploaded);
  if (isRejection(type)) return type;
  const bytes = withoutMetadata(uploaded, type);
  return bytes ? { bytes, type } : brokenCover;
}

function nameIn(bytes: Uint8Array): string {
  return plainName(new TextDecoder().decode(bytes));
}

function refuseStart(start: Uint8Array): Rejection {
  if (start.length === 0) return noFile;
  const type = audioTypeOf(start);
  return isRejection(type) ? type : refuseBroken(type);
}
