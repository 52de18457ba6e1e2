import { filesSource } from "~/sources/files/source.server";
import { offeredFile } from "~/sources/files/submittable.server";
import { type SourceName, sourceOf } from "~/sources/song";
import type { OfferOf, SourceOf } from "~/sources/source";
import { type SpotifySourceServices, spotifySource } from "~/sources/spotify/source.server";
import { offeredTrack } from "~/sources/spotify/submittable.server";

/** Chooses the source of a song, and of one that is to become one. */
export function openSources(services: SpotifySourceServices): {
  sourceOf: SourceOf;
  offerOf: OfferOf;
} {
  const { db, spotify } = services;
  const open: Record<SourceName, SourceOf> = {
    spotify: ({ trackId }) => spotifySource(services, trackId ?? ""),
    files: () => filesSource(services),
  };
  return {
    sourceOf: (song) => open[sourceOf(song)](song),
    offerOf: (asked, owner) =>
      "trackId" in asked
        ? offeredTrack(spotify, asked.trackId, owner.userId)
        : offeredFile(db, asked, owner),
  };
}
