import { describe, expect, test } from "vitest";
import { countInPlaylists, inPlaylistsSentence } from "~/domain/result/in-playlists";

const [yes, no] = [
  { score: 4, inPlaylist: true },
  { score: 4, inPlaylist: false },
];
const liked = { score: 3, inPlaylist: false };

describe("how many really are in a playlist", () => {
  test.each([
    {
      seen: [yes, no, yes, liked],
      said: '"Added to my playlist!": 2 of 3 really are in a playlist.',
    },
    { seen: [no, no, yes, no], said: '"Added to my playlist!": 1 of 4 really is in a playlist.' },
    { seen: [yes, yes, yes], said: '"Added to my playlist!": 3 of 3 really are in a playlist.' },
  ])("$said", ({ seen, said }) => {
    expect(inPlaylistsSentence(countInPlaylists(seen))).toBe(said);
  });

  test("is not said of fewer than three, nor where none is known", () => {
    expect(inPlaylistsSentence(countInPlaylists([yes, yes, liked, liked]))).toBeNull();
    expect(inPlaylistsSentence(countInPlaylists([no, no, no]))).toBeNull();
  });
});
