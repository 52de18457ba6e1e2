import { expect, test } from "vitest";
import { playlistWindowMs } from "~/db/rules";
import { releaseWindowMs } from "~/exchange/release/release-link";
import {
  countInPlaylists,
  countReleaseWishes,
  inPlaylistsSentence,
  releaseWishesSentence,
} from "~/results/in-playlists";

const [yes, no] = [
  { score: 4, inPlaylist: true },
  { score: 4, inPlaylist: false },
];
const liked = { score: 3, inPlaylist: false };
type Rating = typeof liked;

/** What is said of ratings that came a minute apart, so long after the last one. */
function saidOf(ratings: Rating[], { after = 2 * playlistWindowMs, hidden = 0 } = {}) {
  const minute = 60_000;
  const seen = ratings.map((rating, place) => ({ ...rating, at: place * minute }));
  const now = (ratings.length - 1) * minute + after;
  return inPlaylistsSentence(countInPlaylists({ seen, received: seen.length + hidden, now }));
}

const threeOf = (count: number) =>
  `"Added to my playlist!": 3 of the first ${count} really are in a playlist.`;

test.each([
  [threeOf(3), [yes, liked, yes, yes]],
  [threeOf(3), [yes, yes, yes, yes, no]],
  [threeOf(6), [yes, no, yes, no, yes, no, yes]],
  [null, [yes, yes, liked, no, liked, yes]],
  [null, [no, no, no, no, no, no]],
])(
  "how many really are in a playlist of whole steps of three, once three are: %j",
  (said, seen) => {
    expect(saidOf(seen)).toBe(said);
  },
);

test("how many really are in a playlist is said once no track can come into a playlist any more, and only where all is seen", () => {
  const all = [yes, yes, yes];
  expect(saidOf(all, { after: playlistWindowMs })).toBeNull();
  expect(saidOf(all, { after: playlistWindowMs + 120_000 })).toBe(threeOf(3));
  expect(saidOf(all, { hidden: 1 })).toBeNull();
});

test("how many want to know when it is out is said in the same steps", () => {
  const minute = 60_000;
  const said = (wants: boolean[], after: number) => {
    const seen = wants.map((wantsRelease, place) => ({
      ...{ score: 4, wantsRelease },
      at: place * minute,
    }));
    const now = (seen.length - 1) * minute + after;
    return releaseWishesSentence(countReleaseWishes({ seen, received: seen.length, now }));
  };
  const settled = releaseWindowMs + 2 * minute;
  expect(said([true, true], settled)).toBeNull();
  expect(said([true, true, false], settled)).toBeNull();
  for (const later of [[], [true], [true, true]]) {
    expect(said([true, true, true, ...later], settled)).toBe(
      '"Added to my playlist!": 3 of the first 3 want to know when it is out.',
    );
  }
  expect(said([true, true, true, true, false, true], settled)).toBe(
    '"Added to my playlist!": 5 of the first 6 want to know when it is out.',
  );
  expect(said([true, true, true], settled - 1)).toBeNull();
});
