/** Files as they are out there, and what is made of each: taken, or refused in a sentence that says this. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { box, id3, joined, makeM4a, makeMp3, makeWav, u32, u32le } from "./sound-files.ts";

export interface OddFile {
  name: string;
  bytes: Uint8Array;
  becomes: "taken" | RegExp;
}

const folder = join(import.meta.dirname, "../../sound-files");

function real(name: string): Uint8Array {
  return readFileSync(join(folder, name));
}

const made: [string, OddFile["becomes"]][] = [
  ["lame.mp3", "taken"],
  ["lame-no-header.mp3", "taken"],
  ["lame-varying.mp3", "taken"],
  ["lame-varying-no-header.mp3", /does not say how long.*constant bit rate, or as WAV/],
  ["lame-average-stereo.mp3", "taken"],
  ["lame-checksums.mp3", "taken"],
  ["lame-tagged.mp3", "taken"],
  ["lame-free-format.mp3", /cannot be read/],
  ["lame-16.mp3", "taken"],
  ["lame-44.1.mp3", "taken"],
  ["ffmpeg.mp3", "taken"],
  ["ffmpeg-layer-2.mp3", /MP2 is not played/],
  ["ffmpeg.m4a", "taken"],
  ["ffmpeg-index-first.m4a", "taken"],
  ["ffmpeg-no-edits.m4a", "taken"],
  ["ffmpeg-cut.m4a", "taken"],
  ["ffmpeg-late.m4a", "taken"],
  ["ffmpeg-fragments.m4a", /streaming/],
  ["ffmpeg-quicktime.m4a", /QuickTime/],
  ["ffmpeg-lossless.m4a", /ALAC.*as WAV, or as M4A/],
  ["ffmpeg-opus.m4a", /do not play/],
  ["ffmpeg.aac", /Bare AAC/],
  ["ffmpeg.flac", /FLAC.*as WAV or MP3/],
  ["ffmpeg.ogg", /Ogg/],
  ["ffmpeg-adpcm.wav", /ordinary WAV/],
  ["ffmpeg-pipe.wav", /never finished/],
  ["sox.wav", "taken"],
  ["sox-gsm.wav", /ordinary WAV/],
];

/** Its tag says that it has so many bytes more than it has. */
function tagOff(more: number, sound: Uint8Array): Uint8Array {
  const padding = new Uint8Array(600);
  const said = id3(new Uint8Array(padding.length + more)).subarray(0, 10);
  return joined(said, padding, sound);
}

const mp3 = real("lame-44.1.mp3");
const varying = real("lame-varying.mp3");
const wav = makeWav(5);
const soundBytes = 80_000;
const note = joined("TIT2", u32(3), [0, 0, 0], "abc");
const ape = joined("APETAGEX", u32le(2000), u32le(32), u32le(0), [0, 0, 0, 0xa0], u32(0, 0));
const apeEnd = joined("APETAGEX", u32le(2000), u32le(32), u32le(0), [0, 0, 0, 0x80], u32(0, 0));

/** A first frame that is Fraunhofer's header, and says so many times the frames that there are. */
function fraunhofer(times: number): Uint8Array {
  const frames = 172;
  const claim = joined([0, 1, 0, 0, 0, 0], u32(frames * 104, frames * times));
  const head = joined([0xff, 0xfb, 0x10, 0xc0], new Uint8Array(32), "VBRI", claim);
  return joined(head, new Uint8Array(104 - head.length), makeMp3(4.5));
}

/** Its header (LAME's) says that it is of less than it has. */
function saysFewerBytes(bytes: Uint8Array): Uint8Array {
  const changed = bytes.slice();
  const at = Buffer.from(changed).indexOf("Xing");
  changed.set(u32(2000), at + 12);
  return changed;
}

const patched: [string, Uint8Array, OddFile["becomes"]][] = [
  ["zeros between tag and sound", joined(id3(note), new Uint8Array(500), mp3), "taken"],
  ["a tag that says 500 bytes too many", tagOff(500, mp3), "taken"],
  ["a tag that says one byte too many", tagOff(1, mp3), "taken"],
  ["a tag that says 500 bytes too few", tagOff(-500, mp3), "taken"],
  ["a tag that says one byte too few", tagOff(-1, mp3), "taken"],
  [
    "text with what looks like a frame before the sound",
    joined(id3(note), ...Array.from({ length: 20 }, () => "hello \xff\xfb"), mp3),
    /cannot be read/,
  ],
  [
    "much more before the sound than little",
    joined(id3(note), new Uint8Array(3000), mp3),
    /no sound/,
  ],
  ["zeros before a varying rate", joined(id3(note), new Uint8Array(50), varying), /how long/],
  ["two tags before", joined(id3(note), id3(note), mp3), "taken"],
  ["an APE tag before", joined(ape, apeEnd, mp3), "taken"],
  ["a line's end behind", joined(mp3, "\r\n"), "taken"],
  ["zeros behind", joined(mp3, new Uint8Array(500)), "taken"],
  ["many zeros behind", joined(mp3, new Uint8Array(2000)), /no sound/],
  ["an ID3v1 tag behind", joined(mp3, "TAG", new Uint8Array(125)), "taken"],
  [
    "a longer ID3v1 tag behind",
    joined(mp3, "TAG+", new Uint8Array(223), "TAG", new Uint8Array(125)),
    "taken",
  ],
  ["an ID3v2 tag behind", joined(mp3, id3(note)), "taken"],
  ["an APE tag behind", joined(mp3, ape, apeEnd), "taken"],
  [
    "an APE tag without a head behind",
    joined(mp3, u32le(4), u32(0), "Title\0Song", apeEnd),
    "taken",
  ],
  ["a lyrics tag behind", joined(mp3, "LYRICSBEGIN", "IND0000200", "000021LYRICS200"), "taken"],
  ["an archive behind", joined(mp3, "PK\x03\x04", new Uint8Array(400)), /no sound/],
  ["the last frame cut", mp3.subarray(0, -37), "taken"],
  ["one sound after another", joined(mp3, mp3), "taken"],
  ["mono after stereo", joined(real("lame-average-stereo.mp3"), mp3), /no sound/],
  ["another rate after one", joined(mp3, real("lame-16.mp3")), /no sound/],
  ["Fraunhofer's header", fraunhofer(1), "taken"],
  ["Fraunhofer's header that lies", fraunhofer(10), /not whole/],
  ["a header for fewer bytes", saysFewerBytes(varying), /how long/],
  ["an M4A with an ID3v1 tag behind", joined(makeM4a(6), "TAG", new Uint8Array(125)), "taken"],
  ["an M4A of which five of eight seconds play", makeM4a(8, { edits: [[5000, 0]] }), "taken"],
  ["an M4A of which the last five seconds play", makeM4a(8, { edits: [[5000, 3000]] }), "taken"],
  [
    "an M4A with an edit of eight bytes",
    makeM4a(8, { edits: [[5000, 1000]], longEdits: true }),
    "taken",
  ],
  [
    "an M4A that begins with silence",
    makeM4a(8, {
      edits: [
        [1000, -1],
        [5000, 1000],
      ],
    }),
    "taken",
  ],
  ["an M4A with an edit beyond its end", makeM4a(8, { edits: [[20_000, 0]] }), "taken"],
  ["an M4A whose edit has no end", makeM4a(8, { edits: [[0, 0]] }), /cannot be read/],
  [
    "an M4A cut together",
    makeM4a(8, {
      edits: [
        [3000, 0],
        [3000, 5000],
      ],
    }),
    /cut together/,
  ],
  ["an M4A with its places in eight bytes", makeM4a(5, { places: "co64" }), "taken"],
  ["an M4A with something behind its index", makeM4a(5, { tail: box("free", "x") }), "taken"],
  ["24 bits", makeWav(5, { bits: 24 }), "taken"],
  ["32 bits", makeWav(5, { bits: 32 }), "taken"],
  ["8 bits, and an odd number of them", makeWav(4.500125, { bits: 8 }), "taken"],
  ["floating point", makeWav(5, { bits: 32, tag: 3 }), "taken"],
  ["floating point of 64 bits", makeWav(5, { bits: 64, tag: 3 }), /ordinary WAV/],
  ["24 valid bits in 24", makeWav(5, { bits: 24, validBits: 24 }), "taken"],
  ["20 valid bits in 24", makeWav(5, { bits: 24, validBits: 20 }), "taken"],
  ["24 valid bits in 32", makeWav(5, { bits: 32, validBits: 24 }), /ordinary WAV/],
  ["16 valid bits in 32", makeWav(5, { bits: 32, validBits: 16 }), /ordinary WAV/],
  [
    "compressed sound in an extensible header",
    makeWav(5, { tag: 2, validBits: 16 }),
    /ordinary WAV/,
  ],
  ["a subformat of its own", makeWav(5, { validBits: 16, subformat: 1 }), /ordinary WAV/],
  ["192 kHz", makeWav(4.1, { bits: 8, wavRate: 192_000 }), "taken"],
  ["eight channels", makeWav(4.1, { channels: 8, bits: 8 }), "taken"],
  ["a length of 0", makeWav(5, { claims: 0 }), /never finished/],
  ["an unknown length", makeWav(5, { claims: 2 ** 32 - 1 }), /never finished/],
  ["an unknown length of sox", makeWav(5, { claims: 0x7ffff000 }), /never finished/],
  ["one byte too many", makeWav(5, { claims: soundBytes + 1 }), "taken"],
  ["eight bytes too many", makeWav(5, { claims: soundBytes + 8 }), "taken"],
  ["44 bytes too many", makeWav(5, { claims: soundBytes + 44 }), "taken"],
  ["a hundred bytes too many", makeWav(5, { claims: soundBytes + 100 }), /not whole/],
  ["eight bytes too few", makeWav(5, { claims: soundBytes - 8 }), "taken"],
  ["a chunk behind", joined(wav, "LIST", u32le(4), "INFO"), "taken"],
  ["a chunk before", makeWav(5, { before: [...joined("JUNK", u32le(3), "odd\0")] }), "taken"],
  ["two formats", makeWav(5, { before: [...wav.subarray(12, 36)] }), /cannot be read/],
  ["an ID3 tag before a WAV", joined(id3(note), wav), /tag of an MP3/],
  ["an ID3 tag before a FLAC", joined(id3(note), real("ffmpeg.flac")), /FLAC.*as WAV or MP3/],
  ["an ID3 tag before bare AAC", joined(id3(note), real("ffmpeg.aac")), /Bare AAC/],
  ["a WAV of more than four gigabytes", joined("RF64", wav.subarray(4)), /RF64/],
];

export const oddFiles: OddFile[] = [
  ...made.map(([name, becomes]) => ({ name, bytes: real(name), becomes })),
  ...patched.map(([name, bytes, becomes]) => ({ name, bytes, becomes })),
];
