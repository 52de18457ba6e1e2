import * as z from "zod";
import type {
  AlbumTrack,
  CatalogueEntry,
  Device,
  DevicePlayback,
  Playback,
  SpotifyProfile,
} from "./spotify";
import type { Track } from "./track";

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

/** Left out of lists where it cannot be played where the user is. */
const playableTrack = track.refine(({ is_playable }) => is_playable !== false).transform(toTrack);

const albumTrack = track.omit({ album: true }).transform(
  (item): AlbumTrack => ({
    trackId: idOf(item),
    title: item.name,
    artists: item.artists.map((artist) => artist.name),
    durationMs: item.duration_ms,
    spotifyUrl: item.external_urls.spotify,
  }),
);

/** Older apps' answers name the song `track`, newer ones' `item`. */
const playlistTrack = z
  .object({ item: z.unknown().optional(), track: z.unknown().optional() })
  .transform(({ item, track }) => item ?? track)
  .pipe(playableTrack);

/** An album, an artist or a playlist. */
const entry = z
  .object({
    id: z.string().min(1),
    name: z.string(),
    images: z.array(image).nullish(),
    external_urls: z.object({ spotify: z.url() }),
  })
  .transform(
    (read): CatalogueEntry => ({
      id: read.id,
      name: read.name,
      imageUrl: read.images?.[0]?.url ?? null,
      spotifyUrl: read.external_urls.spotify,
    }),
  );

/** One item that is null or cannot be read must not cost the others. */
function listOf<T>(item: z.ZodType<T>) {
  return z.object({ items: z.array(z.unknown()) }).transform(({ items }) =>
    items.flatMap((each) => {
      const parsed = item.safeParse(each);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}

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

const item = z
  .object({
    id: z.string().nullish(),
    linked_from: z.object({ id: z.string() }).partial().nullish(),
    external_ids: z.object({ isrc: z.string().optional() }).nullish(),
  })
  .nullish();

const playing = z.object({
  is_playing: z.boolean(),
  progress_ms: z.number().nullish(),
  item,
});

const device = z
  .object({
    id: z.string().nullish(),
    is_active: z.boolean(),
    name: z.string(),
    type: z.string(),
  })
  .nullish()
  .transform((read): Device | null =>
    read?.is_active ? { id: read.id ?? null, name: read.name, type: read.type } : null,
  );

/** Readers of the Web API's answers; each throws a ZodError on an answer that is not one. */
export const answers = {
  track: track.transform(toTrack),
  search: z.object({ tracks: listOf(playableTrack) }).transform(({ tracks }) => tracks),
  playlistSearch: z.object({ playlists: listOf(entry) }).transform(({ playlists }) => playlists),
  profile: profileAnswer,
  /** The id itself, which the old routes want. */
  userId: z.object({ id: z.string().min(1) }).transform(({ id }) => id),
  playlists: listOf(entry),
  playlistTracks: listOf(playlistTrack),
  albumTracks: listOf(albumTrack),
  entry,
  created: z.object({ id: z.string().min(1) }).transform(({ id }) => id),
  playback: playing.transform(toPlayback),
  devicePlayback: playing
    .extend({ device })
    .transform((read): DevicePlayback => ({ ...toPlayback(read), device: read.device })),
};

function toTrack(read: z.output<typeof track>): Track {
  return {
    trackId: idOf(read),
    title: read.name,
    artists: read.artists.map((artist) => artist.name),
    album: read.album.name,
    artUrl: read.album.images[0]?.url ?? null,
    durationMs: read.duration_ms,
    isrc: read.external_ids?.isrc ?? null,
    spotifyUrl: read.external_urls.spotify,
  };
}

/** A relinked track keeps the id that was asked for: that is the one songs are known by. */
function idOf(read: Pick<z.output<typeof track>, "id" | "linked_from">): string {
  return read.linked_from?.id ?? read.id;
}

function toPlayback({ is_playing, progress_ms, item }: z.output<typeof playing>): Playback {
  return {
    playing: is_playing,
    progressMs: progress_ms ?? 0,
    trackIds: [item?.id, item?.linked_from?.id].filter((id) => typeof id === "string"),
    isrc: item?.external_ids?.isrc ?? null,
  };
}
