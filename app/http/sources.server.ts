import { isRejection } from "~/platform/rejection";
import { filesSource } from "~/sources/files/source.server";
import { offeredFile } from "~/sources/files/submittable.server";
import { refuseGenerated } from "~/sources/made";
import { type SourceName, sourceOf } from "~/sources/song";
import type { Offer, OfferOf, SourceOf } from "~/sources/source";
import { type SpotifySourceServices, spotifySource } from "~/sources/spotify/source.server";
import { offeredTrack } from "~/sources/spotify/submittable.server";

/** Chooses the source of a song, and of one that is to become one. */
export function openSources(services: SpotifySourceServices & { takesGenerated: boolean }): {
  sourceOf: SourceOf;
  offerOf: OfferOf;
} {
  const { db, spotify, takesGenerated } = services;
  const open: Record<SourceName, SourceOf> = {
    spotify: ({ trackId }) => spotifySource(services, trackId ?? ""),
    files: () => filesSource(services),
  };
  return {
    sourceOf: (song) => open[sourceOf(song)](song),
    offerOf: (asked, owner) =>
      onlyTaken(
        takesGenerated,
        "trackId" in asked
          ? offeredTrack(spotify, asked, owner.userId)
          : offeredFile(db, asked, owner),
      ),
  };
}

function onlyTaken(takesGenerated: boolean, offer: Offer): Offer {
  return {
    ...offer,
    async submittable() {
      const song = await offer.submittable();
      if (isRejection(song)) return song;
      return refuseGenerated(song.columns.made, takesGenerated) ?? song;
    },
  };
}
