import { joinBytes } from "~/platform/bytes";
import type { FieldStart } from "~/platform/multipart";
import { plainName } from "~/platform/plain-text";
import { isRejection, type Rejection, reject } from "~/platform/rejection";
import type { Made } from "~/sources/made";
import { type FileBytes, maxFileBytes, refuseBroken } from "./audio-file";
import type { AudioUpload } from "./audio-upload.server";
import {
  type CoverType,
  coverParts,
  coverTooBig,
  maxCoverBytes,
  readCover,
  refuseCover,
} from "./cover-file";
import { withoutMetadata } from "./cover-metadata";
import { audioTypeOf, refuseKind, signatureBytes, tooBig } from "./read-audio";
import { noFile, readMade, refuseNames, tooLong } from "./upload-fields";
import type { Place } from "./upload-room";

export type FormPiece = FieldStart | Uint8Array | Rejection;

/** More than the longest name takes, and room for what is no letter. */
const maxTextBytes = 4096;

export interface UploadedForm {
  title: string;
  /** Empty where the member's name stands for it. */
  artist: string;
  /** The song that it is a new mix of; empty for a new song. */
  song: string;
  /** Null where rights and this are said later. */
  made: Made | null;
  cover: UploadedCover | null;
}

interface UploadedCover {
  bytes: Uint8Array<ArrayBuffer>;
  type: CoverType;
}

export interface Arrival {
  place: Place;
  takesGenerated: boolean;
  /** Writes the row. @returns why there is none. */
  begin(): Promise<Rejection | null>;
  /** What the file goes on into. */
  open(): Promise<AudioUpload>;
}

/**
 * Reads the form of an upload as it comes. Its row is there before any byte is kept, and its file goes on only if its
 * first bytes are of a kind that is taken.
 */
export async function readUploadForm(
  form: AsyncIterable<FormPiece>,
  { place, takesGenerated, begin, open }: Arrival,
): Promise<UploadedForm | Rejection> {
  const texts = {
    ...{ title: gather(maxTextBytes), artist: gather(maxTextBytes) },
    ...{ song: gather(99), rights: gather(99), made: gather(99) },
  };
  const cover = place.gather(maxCoverBytes);
  const start = gather(signatureBytes);
  const takers = { ...texts, cover, file: start };
  const seen = new Set<string>();
  let upload: AudioUpload | null = null;
  let hasBegun = false;
  let field = "";

  async function take(piece: Uint8Array): Promise<Rejection | null> {
    const obstacle = hasBegun ? null : await begin();
    if (obstacle) return obstacle;
    hasBegun = true;
    if (field === "file") return takeFile(piece);
    if (isText(field)) return texts[field].add(piece).length > 0 ? tooLong : null;
    const more = await cover.add(piece);
    if (isRejection(more)) return more;
    return more.length > 0 ? coverTooBig : null;
  }

  async function takeFile(piece: Uint8Array): Promise<Rejection | null> {
    const rest = upload ? piece : start.add(piece);
    if (!upload && start.bytes().length < signatureBytes) return null;
    if (!upload) {
      const type = audioTypeOf(start.bytes());
      if (isRejection(type)) return refuseKind(fileOf(joinBytes([start.bytes(), rest])), type);
      upload = await open();
      const refused = await upload.write(start.bytes());
      if (refused) return refused;
    }
    const refused = await upload.write(rest);
    return refused ?? (upload.size() > maxFileBytes ? tooBig : null);
  }

  for await (const piece of form) {
    if (isRejection(piece)) return piece;
    if (piece instanceof Uint8Array) {
      place.came(piece.length);
      const refused = await take(piece);
      if (refused) return refused;
      place.ask();
    } else {
      field = piece.field;
      if (!Object.hasOwn(takers, field) || seen.has(field)) return unknownField;
      seen.add(field);
    }
  }
  return place.settle() ?? (upload ? checked() : refuseStart(start.bytes()));

  function checked(): UploadedForm | Rejection {
    const [title, artist] = [nameIn(texts.title.bytes()), nameIn(texts.artist.bytes())];
    const fault = refuseNames(title, artist);
    if (fault) return fault;
    const said = textIn(texts.made.bytes());
    const made = readMade(textIn(texts.rights.bytes()), said, takesGenerated);
    if (isRejection(made)) return made;
    const picture = cover.bytes().length > 0 ? pictureIn(cover.bytes()) : null;
    if (isRejection(picture)) return picture;
    if (picture) cover.replace(picture.bytes);
    return { title, artist, song: textIn(texts.song.bytes()), made, cover: picture };
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

function fileOf(bytes: Uint8Array): FileBytes {
  return {
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  };
}

function pictureIn(uploaded: Uint8Array): Rejection | UploadedCover {
  const parts = coverParts();
  const type = readCover(uploaded, parts);
  if (isRejection(type)) return type;
  const bytes = withoutMetadata(uploaded, type, parts);
  return bytes ? { bytes, type } : refuseCover(parts);
}

function textIn(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function nameIn(bytes: Uint8Array): string {
  return plainName(textIn(bytes));
}

function refuseStart(start: Uint8Array): Rejection {
  if (start.length === 0) return noFile;
  const type = audioTypeOf(start);
  return isRejection(type) ? type : refuseBroken(type);
}

const unknownField = reject(
  400,
  "The request has a field that an upload does not have, or one of them twice. Nothing was kept. Go back and try again.",
);
