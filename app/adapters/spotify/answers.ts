import { z } from "zod";
import type { Track } from "~/domain/track";
import type { Playback, SpotifyProfile } from "./spotify";

/** Only the fields that the product reads; Spotify sends more. */
const image = z.object({ url: z.url() });

const track = z.object({
  id: z.string(),
  name: z.string(),
  artists: z.array(z.object({ name: z.string() })),
  album: z.object({ name: z.string(), images: z.array(image) }),
  duration_ms: z.int().positive(),
  /** Only told where Spotify knows the user's market. */
  is_playable: z.boolean().optional(),
  external_ids: z.object({ isrc: z.string().optional() }).optional(),
  external_urls: z.object({ spotify: z.url() }),
  linked_from: z.object({ id: z.string() }).partial().nullish(),
});

const trackAnswer = track.transform(toTrack);

const searchAnswer = z
  .object({ tracks: z.object({ items: z.array(z.unknown()) }) })
  // One item that cannot be read, or played where the user is, must not cost the others.
  .transform(({ tracks }) =>
    tracks.items.flatMap((item) => {
      const parsed = track.safeParse(item);
      return parsed.success && parsed.data.is_playable !== false ? [toTrack(parsed.data)] : [];
    }),
  );

const profileAnswer = z
  .object({
    id: z.string().min(1),
    account_id: z.string().min(1).nullish(),
    display_name: z.string().nullish(),
    email: z.string().nullish(),
    images: z.array(image).nullish(),
  })
  .transform(
    (profile): SpotifyProfile => ({
      id: profile.account_id ?? profile.id,
      displayName: profile.display_name || profile.id,
      imageUrl: profile.images?.[0]?.url ?? null,
      email: profile.email ?? null,
    }),
  );

const playbackAnswer = z
  .object({
    is_playing: z.boolean(),
    progress_ms: z.number().nullish(),
    item: z
      .object({
        id: z.string().nullish(),
        linked_from: z.object({ id: z.string() }).partial().nullish(),
        external_ids: z.object({ isrc: z.string().optional() }).nullish(),
      })
      .nullish(),
  })
  .transform(
    ({ is_playing, progress_ms, item }): Playback => ({
      playing: is_playing,
      progressMs: progress_ms ?? 0,
      trackIds: [item?.id, item?.linked_from?.id].filter((id) => typeof id === "string"),
      isrc: item?.external_ids?.isrc ?? null,
    }),
  );

/** Readers of the Web API's answers; each throws a ZodError on an answer that is not one. */
export const answers = {
  track: trackAnswer,
  search: searchAnswer,
  profile: profileAnswer,
  playback: playbackAnswer,
};

function toTrack(item: z.output<typeof track>): Track {
  return {
    // A relinked track keeps the id that was asked for: that is the one songs are known by.
    trackId: item.linked_from?.id ?? item.id,
    title: item.name,
    artists: item.artists.map((artist) => artist.name),
    album: item.album.name,
    artUrl: item.album.images[0]?.url ?? null,
    durationMs: item.duration_ms,
    isrc: item.external_ids?.isrc ?? null,
    spotifyUrl: item.external_urls.spotify,
  };
}
