import * as z from "zod";
import { toPlayback, toTrackInfo } from "./json";
import type {
  AlbumTrack,
  CatalogueEntry,
  Device,
  DevicePlayback,
  FoundTrack,
  SpotifyProfile,
} from "./spotify";
import type { Track } from "./track";

/** These schemas name only the fields that the product reads; Spotify sends more. */
const image = z.object({ url: z.string(), width: z.int().positive().nullish().catch(null) });

const track = z.object({
  id: z.string(),
  name: z.string(),
  artists: z.array(z.object({ id: z.string().nullish(), name: z.string() })),
  album: z.object({ name: z.string(), images: z.array(image) }),
  duration_ms: z.int().positive(),
  /** Only given where Spotify knows the user's market. */
  is_playable: z.boolean().optional(),
  restrictions: z.object({ reason: z.string() }).partial().nullish(),
  external_ids: z.object({ isrc: z.string().optional() }).optional(),
  external_urls: z.object({ spotify: z.url() }),
  linked_from: z.object({ id: z.string() }).partial().nullish(),
});

/** Fails for a track that cannot be played in the user's market, so that lists leave it out. */
const playableTrack = track.refine(({ is_playable }) => is_playable !== false).transform(toTrack);

const albumTrack = track.omit({ album: true }).transform((read): AlbumTrack => {
  const { title, artists } = toTrackInfo(read);
  return {
    trackId: idOf(read),
    title,
    artists,
    durationMs: read.duration_ms,
    spotifyUrl: read.external_urls.spotify,
  };
});

/** Older apps get the track as `track`, newer ones as `item`. */
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

/** Leaves out items that are null or cannot be read, so that they do not cost the others. */
function listOf<T>(item: z.ZodType<T>) {
  return z.object({ items: z.array(z.unknown()) }).transform(({ items }) =>
    items.flatMap((each) => {
      const parsed = item.safeParse(each);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}

const profile = z
  .object({
    id: z.string().min(1),
    account_id: z.string().min(1).nullish(),
    display_name: z.string().nullish(),
    email: z.string().nullish(),
    images: z.array(image).nullish(),
    /** "premium", "free", or "open", which is the same as "free". */
    product: z.string().nullish(),
  })
  .transform(
    (read): SpotifyProfile => ({
      id: read.account_id ?? read.id,
      displayName: read.display_name || read.id,
      imageUrl: read.images?.[0]?.url ?? null,
      email: read.email ?? null,
      hasPremium: read.product ? read.product === "premium" : null,
    }),
  );

const playback = z.object({
  is_playing: z.boolean(),
  progress_ms: z.number().nullish(),
  item: z
    .looseObject({
      id: z.string().nullish(),
      linked_from: z.object({ id: z.string() }).partial().nullish(),
      external_ids: z.object({ isrc: z.string().optional() }).nullish(),
    })
    .nullish(),
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

const foundTrack = track.transform(
  (read): FoundTrack => ({
    ...toTrack(read),
    playable: isPlayable(read),
    relinked: idOf(read) !== read.id,
    artistIds: read.artists.map(({ id }) => id ?? null),
  }),
);

/** One schema for each kind of answer; parsing anything else throws a ZodError. */
export const answers = {
  track: foundTrack,
  search: z.object({ tracks: listOf(playableTrack) }).transform(({ tracks }) => tracks),
  playlistSearch: z.object({ playlists: listOf(entry) }).transform(({ playlists }) => playlists),
  profile,
  /** The `id` itself, even where there is an `account_id`: the legacy routes need it. */
  userId: z.object({ id: z.string().min(1) }).transform(({ id }) => id),
  playlists: listOf(entry),
  playlistTracks: listOf(playlistTrack),
  albumTracks: listOf(albumTrack),
  entry,
  created: z.object({ id: z.string().min(1) }).transform(({ id }) => id),
  playback: playback.transform(toPlayback),
  devicePlayback: playback.extend({ device }).transform(
    (read): DevicePlayback => ({
      ...toPlayback(read),
      device: read.device,
      track: foundTrack.safeParse(read.item).data ?? null,
    }),
  ),
};

function toTrack(read: z.output<typeof track>): Track {
  return {
    ...toTrackInfo(read),
    smallerArt: toSmallerArt(read.album.images),
    trackId: idOf(read),
    album: read.album.name,
    durationMs: read.duration_ms,
    isrc: read.external_ids?.isrc ?? null,
    spotifyUrl: read.external_urls.spotify,
  };
}

/** Spotify lists the largest picture first, and need not say how wide one is: then it cannot be chosen. */
function toSmallerArt([, ...smaller]: z.output<typeof image>[]): Track["smallerArt"] {
  return Object.fromEntries(smaller.flatMap(({ url, width }) => (width ? [[width, url]] : [])));
}

/** Restrictions of a user's account: its subscription, and its filter of explicit songs. */
const accountRestrictions = ["product", "explicit"];

function isPlayable({ is_playable, restrictions }: z.output<typeof track>): boolean {
  return is_playable !== false || accountRestrictions.includes(restrictions?.reason ?? "");
}

/** The id that was asked for, also where Spotify relinked the track: songs are known by that id. */
function idOf(read: Pick<z.output<typeof track>, "id" | "linked_from">): string {
  return read.linked_from?.id ?? read.id;
}
