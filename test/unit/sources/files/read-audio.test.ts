import fc from "fast-check";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import { describe, expect, test, vi } from "vitest";
import { isRejection } from "~/platform/rejection";
import { type AudioFile, maxFileBytes } from "~/sources/files/audio-file";
import { indexInFront, readM4a } from "~/sources/files/m4a";
import { readAudio } from "~/sources/files/read-audio";
import { oddFiles } from "../../../support/recordings/odd-files";
import {
  box,
  id3,
  joined,
  makeM4a,
  makeMp3,
  makeWav,
  mp3Frames,
  u32,
  u32le,
} from "../../../support/recordings/sound-files";

/** The file's reading, and how much of it was asked for. */
async function reading(bytes: Uint8Array, size = bytes.length) {
  let asked = 0;
  let calls = 0;
  const result = await readAudio({
    size,
    async read(offset, length) {
      const part = bytes.subarray(offset, offset + length);
      asked += part.length;
      calls += 1;
      return part;
    },
  });
  return { result, asked, calls };
}

async function read(bytes: Uint8Array): Promise<AudioFile> {
  const { result } = await reading(bytes);
  if (isRejection(result)) throw new Error(result.error);
  return result;
}

async function refusal(bytes: Uint8Array): Promise<string> {
  const { result } = await reading(bytes);
  return isRejection(result) ? result.error : `a ${result.type} of ${result.durationMs} ms`;
}

/** The beginning of a file, and bytes behind it. */
const padded = (...start: Parameters<typeof joined>) => joined(...start, new Uint8Array(99));

const makers = { wav: makeWav, mp3: makeMp3, m4a: makeM4a };
const types = Object.keys(makers) as (keyof typeof makers)[];

describe.each(types)("a file of %s", (type) => {
  const make = makers[type];

  test("is read, and as long as another reader says, but for a frame", async () => {
    for (const seconds of [4.5, 7, 61]) {
      const bytes = make(seconds);
      const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
      const { durationMs, ...known } = await read(bytes);
      expect(known).toMatchObject({ type });
      expect(Math.abs(durationMs - (await input.computeDuration()) * 1000)).toBeLessThan(100);
    }
  });

  test("is refused below four seconds and above ten minutes", async () => {
    expect(await refusal(make(3.9))).toMatch(/at least 4 seconds/);
    expect(await refusal(make(599))).toMatch(`a ${type} of 59`);
    // Encoders fill up their last frames.
    expect(await refusal(make(600.8))).toMatch(`a ${type} of 600`);
    expect(await refusal(make(601.1))).toMatch(/10 minutes and 1 second|more than ten minutes/);
    expect(await refusal(make(602))).toMatch(/10 minutes at most. Cut it/);
  });

  test("is refused wherever it is cut, or shorter than it was", async () => {
    const bytes = make(20, type === "mp3" ? { claims: mp3Frames(20) } : {});
    const cuts = fc.double({ min: 0, max: 0.94, noNaN: true });
    await fc.assert(
      fc.asyncProperty(cuts, async (part) => {
        const cut = bytes.subarray(0, Math.floor(bytes.length * part));
        expect(isRejection((await reading(cut)).result)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test("with bytes changed is read as a song that may be, or refused, at a bounded cost", async () => {
    const bytes = make(6);
    const change = fc.tuple(
      fc.nat(300),
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(change, async ([at, new_, fromEnd]) => {
        const changed = bytes.slice();
        changed.set(
          new_,
          Math.max(0, fromEnd ? bytes.length - at - 8 : Math.min(at, bytes.length - 8)),
        );
        const { result, asked, calls } = await reading(changed);
        if (!isRejection(result)) {
          expect(result.durationMs).toBeGreaterThanOrEqual(4000);
          expect(result.durationMs).toBeLessThanOrEqual(600_000);
          expect(result.audioStart).toBeLessThan(bytes.length);
        }
        expect(asked).toBeLessThanOrEqual(4 * bytes.length);
        expect(calls).toBeLessThan(1100);
      }),
      { numRuns: 300 },
    );
  });
});

test.each(oddFiles)("an odd file: $name", async ({ bytes, becomes }) => {
  if (becomes === "taken") await read(bytes);
  else expect(await refusal(bytes)).toMatch(becomes);
});

test("whatever bytes come are refused in a sentence that says what to do", async () => {
  const starts = ["", "RIFF....WAVE", "ID3", "\xff\xfb\x10\xc0", "\0\0\0\x14ftypM4A "];
  const bytes = fc.tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 4000 }));
  await fc.assert(
    fc.asyncProperty(bytes, async ([start, rest]) => {
      expect(await refusal(joined(start, rest))).toMatch(/\. (Export|Upload)/);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["nothing at all", new Uint8Array(), /empty/],
  ["Ogg", padded("OggS"), /Ogg is not played by every browser. Export/],
  ["AIFF", padded("FORM", u32(90), "AIFF"), /AIFF/],
  ["QuickTime", padded(u32(20), "ftypqt  "), /QuickTime/],
  ["FLAC", padded("fLaC"), /FLAC.*Export your song as WAV or MP3/],
  [
    "FLAC with the tag of an MP3",
    joined(id3(new Uint8Array(90)), "fLaC", new Uint8Array(99)),
    /FLAC.*Export your song as WAV or MP3/,
  ],
  [
    "a WAV with the tag of an MP3",
    joined(id3(new Uint8Array(90)), makeWav(6)),
    /tag of an MP3, and is none/,
  ],
  ["a page", joined("<!DOCTYPE html><script>", new Uint8Array(99)), /This is no song/],
  ["a page that holds an MP3", joined("<html>", makeMp3(6)), /in front of its sound/],
  ["an MP3 behind a mark", joined([0xef, 0xbb, 0xbf], makeMp3(6)), /in front of its sound/],
  ["an MP3 behind a line break", joined("\r\n", makeMp3(6)), /in front of its sound.*once more/],
  ["an MP3 behind zeros", joined(new Uint8Array(100), makeMp3(6)), /in front of its sound/],
  ["an MP3 cut within a frame", makeMp3(6).subarray(50), /in front of its sound/],
  ["a file of zeros", new Uint8Array(20_000), /This is no song/],
  ["BW64", padded("BW64", u32(0), "WAVE"), /\(BW64\) is not played/],
  ["W64", padded("riff.\x91\xcf\x11"), /\(W64\) is not played/],
  ["AU", padded(".snd"), /AU is not played/],
  ["AC-3", padded("\x0bw"), /AC-3 is not played/],
  ["TTA", padded("TTA1"), /TTA is not played/],
  ["MP2", padded([0xff, 0xfd]), /MP2 is not played/],
  ["AVIF", padded(u32(28), "ftypavif"), /This is a picture/],
  ["HEIC", padded(u32(28), "ftypheic"), /This is a picture/],
  [
    "an MP3 with a large picture behind",
    makeMp3(6, { after: joined("APETAGEX", u32le(2000), u32le(9000), new Uint8Array(9016)) }),
    /tag behind its sound, perhaps a picture.*without it/,
  ],
  [
    "one MP3 behind another with a tag between",
    makeMp3(6, { after: joined(id3(new Uint8Array(9000)), makeMp3(6)) }),
    /something in this MP3 that is no sound/,
  ],
  [
    "an M4A with nine megabytes of pictures",
    makeM4a(6, { extra: [box("udta", new Uint8Array(9_000_000))] }),
    /more than 8 MB of pictures/,
  ],
  ["a WAV of compressed sound", makeWav(6, { tag: 2 }), /ordinary WAV/],
  ["a WAV that claims more than there is", makeWav(6, { claims: 96_065 }), /not whole/],
  ["an MP3 that claims to be longer", makeMp3(6, { claims: 20_000 }), /not whole/],
  ["an MP3 that claims to be shorter", makeMp3(60, { claims: 200 }), /not whole/],
  [
    "an MP3 with an archive behind",
    makeMp3(6, { after: joined("PK\x03\x04", new Uint8Array(999)) }),
    /no sound/,
  ],
  ["ALAC", makeM4a(6, { entry: "alac" }), /ALAC.*as WAV, or as M4A/],
  ["a locked song", makeM4a(6, { entry: "drms" }), /protected/],
  ["an encrypted song", makeM4a(6, { entry: "enca" }), /protected/],
  ["a video", makeM4a(6, { handler: "vide" }), /video/],
  ["MP3 in an M4A", makeM4a(6, { objectType: 0x6b }), /do not play/],
  ["AAC that few browsers play", makeM4a(6, { aacType: 42 }), /do not play/],
  ["an M4A in fragments", makeM4a(6, { extra: [box("mvex")] }), /streaming/],
  ["an M4A with slow samples", makeM4a(6, { delta: 10_240 }), /not whole/],
  ["an M4A with sound behind its index", makeM4a(6, { soundBehind: "mdat" }), /not whole/],
  ["an M4A with sound that is no box of sound", makeM4a(6, { soundBehind: "free" }), /not whole/],
  ["an M4A whose sound runs into its index", makeM4a(6, { soundBehind: "" }), /not whole/],
  ["an M4A with four billion samples", makeM4a(6, { claims: 2 ** 32 - 1 }), /not whole/],
  [
    "an M4A without an index",
    joined(box("ftyp", "M4A ", u32(0)), box("mdat", new Uint8Array(99))),
    /not whole/,
  ],
])("%s is refused", async (_what, bytes, says) => {
  expect(await refusal(bytes)).toMatch(says);
});

test("tags, pictures and what else stands in a file are passed over, up to eight megabytes", async () => {
  const tags = joined(
    ...Array.from({ length: 30_000 }, () => joined("TXXX", u32(9), [0, 0, 0], "<b>a\0b</b>")),
  );
  const picture = new Uint8Array(7_000_000);
  const known = [
    await read(makeMp3(6, { before: id3(tags), after: joined("TAG", new Uint8Array(125)) })),
    await read(makeMp3(6, { before: joined(id3(picture), id3(tags)), claims: mp3Frames(6) })),
    await read(makeM4a(6, { extra: [box("udta", box("meta", picture))], indexFirst: true })),
    await read(makeWav(6, { before: [...joined("LIST", u32(tags.length).reverse(), tags)] })),
  ];
  expect(known.map(({ durationMs }) => Math.round(durationMs / 100))).toEqual([60, 60, 60, 60]);
  const more = joined(picture, picture.subarray(0, 2_000_000));
  expect(await refusal(makeMp3(6, { before: id3(more) }))).toMatch(/pictures and other things/);
  expect(await refusal(joined(makeM4a(6), box("free", more)))).toMatch(/pictures and other things/);
});

const fileOf = (bytes: Uint8Array) => ({
  size: bytes.length,
  read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
});

async function withIndexInFront(bytes: Uint8Array): Promise<Uint8Array> {
  const pieces = await indexInFront(fileOf(bytes));
  if (!pieces) return bytes;
  return joined(
    ...pieces.map((piece) => ("from" in piece ? bytes.subarray(piece.from, piece.to) : piece)),
  );
}

test("an M4A's index is moved in front of its sound, and its places with it", async () => {
  expect(await withIndexInFront(makeM4a(6))).toEqual(makeM4a(6, { indexFirst: true }));
  expect(await withIndexInFront(makeM4a(6, { indexFirst: true }))).toEqual(
    makeM4a(6, { indexFirst: true }),
  );
  const tail = box("free", "what is behind");
  const edits: [number, number][] = [[4500, 1000]];
  for (const options of [{}, { tail }, { edits }, { edits, tail }, { places: "co64" as const }]) {
    const behind = makeM4a(6, options);
    const inFront = await withIndexInFront(behind);
    expect(inFront).toEqual(makeM4a(6, { ...options, indexFirst: true }));
    expect(await read(inFront)).toEqual(await read(behind));
  }
});

test("of an M4A's index no more than a megabyte is read, whatever pictures it has", async () => {
  const picture = box("udta", box("meta", new Uint8Array(7_000_000)));
  const bytes = makeM4a(6, { extra: [picture] });
  expect(await withIndexInFront(bytes)).toEqual(makeM4a(6, { extra: [picture], indexFirst: true }));
  let most = 0;
  const file = {
    size: bytes.length,
    async read(offset: number, length: number) {
      most = Math.max(most, length);
      return bytes.subarray(offset, offset + length);
    },
  };
  expect(await readM4a(file)).toMatchObject({ type: "m4a" });
  const pieces = (await indexInFront(file)) ?? [];
  expect(most).toBeLessThan(1024 * 1024);
  const held = pieces.filter((piece) => piece instanceof Uint8Array);
  expect(held.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(1024 * 1024);
  const large = makeM4a(6, { extra: [box("trak", new Uint8Array(1_100_000))] });
  expect(await refusal(large)).toMatch(/cannot be read/);
});

test("an M4A with an old tag behind it is one", async () => {
  const tag = joined("TAG", new Uint8Array(125));
  for (const indexFirst of [false, true]) {
    const tagged = joined(makeM4a(6, { indexFirst }), tag);
    expect(await read(tagged)).toMatchObject({ type: "m4a", durationMs: 5991 });
    expect(await withIndexInFront(tagged)).toEqual(joined(makeM4a(6, { indexFirst: true }), tag));
  }
  expect(await refusal(joined(makeM4a(6), tag.subarray(1)))).toMatch(/not whole/);
});

test("where the sound begins and ends is told as the file is kept", async () => {
  const inFront = makeM4a(6, { indexFirst: true, tail: box("free", "behind") });
  const { audioStart, audioEnd } = await read(inFront);
  expect(new TextDecoder().decode(inFront.subarray(audioStart - 4, audioStart))).toBe("mdat");
  expect(audioEnd).toBe(inFront.length - 14);
  // 6 bytes for each sample, and another second before it ends.
  const cut = await read(makeM4a(8, { indexFirst: true, edits: [[4000, 1000]] }));
  expect(cut.audioStart - audioStart).toBe(36 + 6 * 43);
  expect(cut.durationMs).toBe(4000);
  expect(Number(cut.audioEnd) - cut.audioStart).toBe(6 * (258 - 43));
  expect((await read(makeWav(6))).audioEnd).toBeNull();
  const listed = joined(makeWav(6), "LIST", u32le(4), "INFO");
  expect((await read(listed)).audioEnd).toBe(listed.length - 12);
  const tagged = makeMp3(6, { after: joined("TAG", new Uint8Array(125)) });
  expect((await read(tagged)).audioEnd).toBe(tagged.length - 128);
});

test.each<[string, [number, number][], string | number]>([
  ["none", [], 7988],
  ["all of it", [[8000, 0]], 7988],
  ["five of its eight seconds", [[5000, 0]], 5000],
  ["the last five", [[5000, 3000]], 4988],
  [
    "a second of silence before",
    [
      [1000, -1],
      [5000, 1000],
    ],
    6000,
  ],
  ["more than there is", [[20_000, 0]], 7988],
  [
    "two parts",
    [
      [3000, 0],
      [2000, 5000],
    ],
    "cut together",
  ],
  [
    "the same part twice",
    [
      [5000, 0],
      [5000, 0],
    ],
    "cut together",
  ],
  [
    "silence in the middle",
    [
      [3000, 0],
      [1000, -1],
      [3000, 3000],
    ],
    "cut together",
  ],
  ["nothing", [[0, 0]], "cannot be read"],
  ["silence alone", [[5000, -1]], "cannot be read"],
  ["what is behind its end", [[5000, 20_000]], "cannot be read"],
  ["too little", [[3900, 0]], "at least 4 seconds"],
])("an M4A whose edit list plays %s is as long as that, or refused", async (_what, edits, is) => {
  for (const longEdits of [false, true]) {
    const file = makeM4a(8, { edits, longEdits });
    if (typeof is === "string") expect(await refusal(file)).toContain(is);
    else expect(Math.abs((await read(file)).durationMs - is)).toBeLessThan(30);
  }
});

/** The smallest parts that a format has, as many as fit into so many bytes, and within each other. */
const manyParts: [string, (bytes: number) => Uint8Array][] = [
  ["boxes in a file", (n) => joined(box("ftyp", "M4A ", u32(0)), repeated(box("free"), n))],
  ["boxes in an index", (n) => makeM4a(6, { extra: [box("udta"), repeated(box("free"), n)] })],
  ["tracks of boxes", (n) => makeM4a(6, { extra: tracks(n, (inside) => inside) })],
  ["tracks of media", (n) => makeM4a(6, { extra: tracks(n, (inside) => box("mdia", inside)) })],
  [
    "tracks of sound",
    (n) =>
      makeM4a(6, {
        extra: tracks(n, (inside) =>
          box("mdia", box("hdlr", u32(0, 0), "soun"), box("minf", box("stbl", inside))),
        ),
      }),
  ],
  ["chunks of a WAV", (n) => joined("RIFF", u32(0), "WAVE", repeated(joined("junk", u32(0)), n))],
  ["tags of an MP3", (n) => repeated(id3(new Uint8Array()), n)],
];

function repeated(part: Uint8Array, bytes: number): Uint8Array {
  const whole = new Uint8Array(Math.floor(bytes / part.length) * part.length);
  for (let at = 0; at < whole.length; at += part.length) whole.set(part, at);
  return whole;
}

/** 990 empty boxes in each. */
function tracks(bytes: number, within: (inside: Uint8Array) => Uint8Array): Uint8Array[] {
  const track = box("trak", within(repeated(box("free"), 990 * 8)));
  return [repeated(track, bytes)];
}

test.each(manyParts)("of many %s no more than a thousand are looked at", async (_what, make) => {
  const bytes = make(7_900_000);
  const looks = vi.spyOn(Uint8Array.prototype, "subarray");
  const { result, calls } = await reading(bytes);
  const steps = looks.mock.calls.length;
  looks.mockRestore();
  expect(isRejection(result) && result.error).toMatch(/cannot be read|not whole|no song/);
  expect(steps).toBeLessThan(7000);
  expect(calls).toBeLessThan(60);
});

test("a file of more than forty megabytes is refused before it is read", async () => {
  const { result, calls } = await reading(makeWav(6), maxFileBytes + 1);
  expect([isRejection(result) && result.error, calls]).toEqual([
    expect.stringMatching(/40 MB at most.*MP3/),
    0,
  ]);
});

test("a file of forty megabytes in the smallest frames is read in a few pieces", async () => {
  const bytes = makeMp3(590, { before: id3(new Uint8Array(8_000_000)) });
  const { calls } = await reading(bytes);
  expect(calls).toBeLessThan(45);
});
