import { albumById, type CatalogueTrack, tracks } from "../../sandbox/catalogue.ts";

const longTracks = tracks.filter(
  ({ durationMs, relinkedTo, albumId, name, artistIds }) =>
    durationMs >= 90_000 &&
    relinkedTo === null &&
    albumById.get(albumId)?.cover === true &&
    name.length < 40 &&
    artistIds.length === 1,
);

/** Songs that neither end nor open to rating while a test looks, however slow the machine is. */
export function longSongs(count: number): CatalogueTrack[] {
  return longTracks.slice(0, count);
}
