import fc from "fast-check";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import { describe, expect, test } from "vitest";
import { isRejection } from "~/platform/rejection";
import { type AudioFile, maxFileBytes } from "~/recordings/audio-file";
import { readAudio } from "~/recordings/read-audio";
import {
  box,
  id3,
  joined,
  makeFlac,
  makeM4a,
  makeMp3,
  makeWav,
  mp3Frames,
  u32,
} from "../../support/recordings/sound-files";

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

const makers = { wav: makeWav, mp3: makeMp3, flac: makeFlac, m4a: makeM4a };
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
    expect(await refusal(make(602))).toMatch(/10 minutes at most. Please cut it/);
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

test("whatever bytes come are refused in a sentence that says what to do", async () => {
  const starts = ["", "RIFF....WAVE", "fLaC", "ID3", "\xff\xfb\x10\xc0", "\0\0\0\x14ftypM4A "];
  const bytes = fc.tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 4000 }));
  await fc.assert(
    fc.asyncProperty(bytes, async ([start, rest]) => {
      expect(await refusal(joined(start, rest))).toMatch(/\. Please (export|upload)/);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["nothing at all", new Uint8Array(), /empty/],
  ["Ogg", joined("OggS", new Uint8Array(99)), /Ogg is not played by every browser. Please export/],
  ["AIFF", joined("FORM", u32(90), "AIFF", new Uint8Array(99)), /AIFF/],
  ["QuickTime", joined(u32(20), "ftypqt  ", new Uint8Array(99)), /QuickTime/],
  ["a page", joined("<!DOCTYPE html><script>", new Uint8Array(99)), /This is no song/],
  ["a page that holds an MP3", joined("<html>", makeMp3(6)), /This is no song/],
  ["a WAV of compressed sound", makeWav(6, { tag: 2 }), /ordinary WAV/],
  ["a WAV that claims more than there is", makeWav(6, { claims: 2 ** 31 }), /not whole/],
  ["an MP3 that claims to be longer", makeMp3(6, { claims: 20_000 }), /not whole/],
  ["an MP3 that claims to be shorter", makeMp3(60, { claims: 200 }), /not whole/],
  [
    "an MP3 with an archive behind",
    makeMp3(6, { after: joined("PK\x03\x04", new Uint8Array(999)) }),
    /no sound/,
  ],
  ["a FLAC that claims to be longer", makeFlac(6, { claims: 44_100 * 300 }), /not whole/],
  ["a FLAC that claims to be shorter", makeFlac(60, { claims: 44_100 * 5 }), /not whole/],
  ["a FLAC that does not say its length", makeFlac(6, { claims: 0 }), /does not say how long/],
  ["ALAC", makeM4a(6, { entry: "alac" }), /ALAC.*FLAC or WAV/],
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
    await read(makeFlac(6, { blocks: [tags, tags] })),
    await read(makeM4a(6, { extra: [box("udta", box("meta", picture))], indexFirst: true })),
    await read(makeWav(6, { before: [...joined("LIST", u32(tags.length).reverse(), tags)] })),
  ];
  expect(known.map(({ durationMs }) => Math.round(durationMs / 100))).toEqual([60, 60, 60, 60, 60]);
  const more = joined(picture, picture.subarray(0, 2_000_000));
  expect(await refusal(makeMp3(6, { before: id3(more) }))).toMatch(/pictures and other things/);
  expect(await refusal(joined(makeM4a(6), box("free", more)))).toMatch(/pictures and other things/);
});

test("the place of an M4A's index is told where it stands behind the sound", async () => {
  const behind = makeM4a(6);
  const { audioStart, indexStart } = await read(behind);
  expect(new TextDecoder().decode(behind.subarray(audioStart - 4, audioStart))).toBe("mdat");
  expect(
    new TextDecoder().decode(behind.subarray(Number(indexStart) + 4, Number(indexStart) + 8)),
  ).toBe("moov");
  expect((await read(makeM4a(6, { indexFirst: true }))).indexStart).toBeNull();
});

test("a file of more than forty megabytes is refused before it is read", async () => {
  const { result, calls } = await reading(makeWav(6), maxFileBytes + 1);
  expect([isRejection(result) && result.error, calls]).toEqual([
    expect.stringMatching(/40 MB at most.*MP3/),
    0,
  ]);
});

test("a file of forty megabytes in the smallest frames is read within a second", async () => {
  const bytes = makeMp3(590, { before: id3(new Uint8Array(8_000_000)) });
  const begun = performance.now();
  const { calls } = await reading(bytes);
  expect(calls).toBeLessThan(45);
  expect(performance.now() - begun).toBeLessThan(1000);
});
