/** Small files of silence or of a tone, as musicians' programs write them. */

const rate = 44_100;

type Bytes = Uint8Array<ArrayBuffer>;

export function joined(...parts: (Uint8Array | number[] | string)[]): Bytes {
  const arrays = parts.map((part) =>
    typeof part === "string"
      ? Uint8Array.from(part, (c) => c.charCodeAt(0))
      : Uint8Array.from(part),
  );
  const whole = new Uint8Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of arrays) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function u32(...values: number[]): Bytes {
  const bytes = new Uint8Array(values.length * 4);
  for (const [n, value] of values.entries()) new DataView(bytes.buffer).setUint32(n * 4, value);
  return bytes;
}

export function u32le(value: number): Bytes {
  return u32(value).reverse();
}

function u16le(value: number): number[] {
  return [value & 255, value >> 8];
}

interface WavOptions {
  tag?: number;
  bits?: number;
  channels?: number;
  wavRate?: number;
  claims?: number;
  before?: number[];
  validBits?: number;
  subformat?: number;
}

/**
 * `claims` is the length that the chunk of sound says it has. With `validBits` the header is the extensible one, whose
 * `subformat` is that of the others, or one of its own.
 */
export function makeWav(seconds: number, options: WavOptions = {}): Bytes {
  const { tag = 1, bits = 16, channels = 1, wavRate = 8000, claims = -1, before = [] } = options;
  const { validBits = 0, subformat = 0 } = options;
  const block = (channels * bits) / 8;
  const bytes = Math.round(seconds * wavRate) * block;
  const sound = new Uint8Array(bytes);
  for (let n = 0; n < bytes; n += 1) sound[n] = n % 251;
  const more = joined(...[u16le(22), u16le(validBits), u32(0), u16le(tag)], [
    0,
    0,
    0,
    0,
    16,
    0,
    128,
    0,
    0,
    170,
    0,
    56,
    155,
    113 + subformat,
  ]);
  const format = joined(
    ...[
      u16le(validBits > 0 ? 0xfffe : tag),
      u16le(channels),
      u32le(wavRate),
      u32le(wavRate * block),
    ],
    ...[u16le(block), u16le(bits), validBits > 0 ? more : []],
  );
  const chunks = joined(
    ...["WAVE", before, "fmt ", u32le(format.length), format],
    ...["data", u32le(claims < 0 ? bytes : claims), sound],
  );
  return joined("RIFF", u32le(chunks.length), chunks);
}

/** A frame of MPEG 1, layer III, 32 kbit/s, mono; 104 bytes each. */
const mp3Frame = joined([0xff, 0xfb, 0x10, 0xc0], new Uint8Array(100));
const mp3FrameSeconds = 1152 / rate;

export function mp3Frames(seconds: number): number {
  return Math.round(seconds / mp3FrameSeconds);
}

/** `claims` is the number of frames that a LAME header says there are; without it there is none. */
export function makeMp3(
  seconds: number,
  { claims = -1, before = [] as number[] | Uint8Array, after = [] as number[] | Uint8Array } = {},
): Bytes {
  const info = joined(mp3Frame.slice(0, 21), "Info", u32(1, claims), new Uint8Array(71));
  const frames = Array.from({ length: mp3Frames(seconds) }, () => mp3Frame);
  return joined(before, claims < 0 ? [] : info, ...frames, after);
}

/** An ID3v2 tag with so many bytes of content. */
export function id3(content: Uint8Array): Bytes {
  const { length } = content;
  const size = [21, 14, 7, 0].map((shift) => (length >> shift) & 127);
  return joined("ID3", [4, 0, 0], size, content);
}

export function box(name: string, ...content: (Uint8Array | number[] | string)[]): Bytes {
  const inside = joined(...content);
  return joined(u32(inside.length + 8), name, inside);
}

interface M4aOptions {
  indexFirst?: boolean;
  /** The name of the description of its sound. */
  entry?: string;
  handler?: string;
  /** Of MPEG-4 in `esds`, and of AAC. */
  objectType?: number;
  aacType?: number;
  /** What each sample is said to last. */
  delta?: number;
  /** How many samples the times say there are. */
  claims?: number;
  /** Further boxes in the index, and in the file. */
  extra?: Uint8Array[];
  tail?: Uint8Array;
  /** The edit list: how many thousandths of a second each edit lasts, and where it begins in the sound. */
  edits?: [durationMs: number, mediaMs: number][];
  /** Whether the edit list is written in numbers of eight bytes. */
  longEdits?: boolean;
  /** How its places are written. */
  places?: "stco" | "co64";
  /** The box behind the index in which its sound is, beside as much room in front; without a name, where that ends. */
  soundBehind?: string;
}

/** An edit list; a place below zero is silence. */
function editList(edits: [number, number][], isLong: boolean): Bytes {
  const units = edits.map(([ms, mediaMs]) => [ms, mediaMs < 0 ? -1 : (mediaMs * rate) / 1000]);
  const number = (value: number) => (isLong ? u32(value < 0 ? -1 : 0, value) : u32(value));
  const list = units.map((values) => joined(...values.map(number), u32(65_536)));
  return box("edts", box("elst", u32(isLong ? 2 ** 24 : 0, edits.length), ...list));
}

/** Silence in AAC-LC, mono: frames of 6 bytes, with tables as programs write them. */
export function makeM4a(seconds: number, options: M4aOptions = {}): Bytes {
  const { indexFirst = false, entry = "mp4a", handler = "soun", objectType = 0x40 } = options;
  const { aacType = 2, delta = 1024, extra = [], tail = new Uint8Array() } = options;
  const { edits = [], longEdits = false } = options;
  const samples = Math.round((seconds * rate) / 1024);
  const sound = joined(...Array.from({ length: samples }, () => [1, 0x18, 0x20, 7, 0, 0]));
  const head = box("ftyp", "M4A ", u32(0), "M4A mp42isom");
  const specific = [(aacType << 3) | 2, 0x08];
  const config = joined(
    [4, 15 + specific.length, objectType, 0x15],
    new Uint8Array(11),
    [5, 2],
    specific,
  );
  const esds = box("esds", u32(0), [3, config.length + 6, 0, 1, 0], config, [6, 1, 2]);
  const described = box(
    entry,
    ...[new Uint8Array(6), [0, 1], new Uint8Array(8), [0, 1, 0, 16, 0, 0, 0, 0]],
    ...[u32(rate * 65_536), esds],
  );
  const index = (place: number) =>
    box(
      "moov",
      box("mvhd", u32(0, 0, 0, 1000, seconds * 1000), new Uint8Array(80)),
      ...extra,
      box(
        "trak",
        box("tkhd", u32(7, 0, 0, 1, 0, seconds * 1000), new Uint8Array(60)),
        edits.length > 0 ? editList(edits, longEdits) : [],
        box(
          "mdia",
          box("mdhd", u32(0, 0, 0, rate, samples * delta, 0)),
          box("hdlr", u32(0, 0), handler, new Uint8Array(13)),
          box(
            "minf",
            box("smhd", u32(0, 0)),
            box(
              "stbl",
              box("stsd", u32(0, 1), described),
              box("stts", u32(0, 1, options.claims ?? samples, delta)),
              box("stsc", u32(0, 1, 1, samples, 1)),
              box("stsz", u32(0, 6, options.claims ?? samples)),
              options.places === "co64"
                ? box("co64", u32(0, 1, 0, place))
                : box("stco", u32(0, 1, place)),
            ),
          ),
        ),
      ),
    );
  const data = box("mdat", sound);
  if (options.soundBehind) {
    const behind = head.length + data.length + index(0).length + 8;
    return joined(head, data, index(behind), box(options.soundBehind, sound));
  }
  const first = options.soundBehind === "" ? data.length - 8 : 8;
  if (!indexFirst) return joined(head, data, index(head.length + first), tail);
  return joined(head, index(head.length + index(0).length + 8), data, tail);
}
