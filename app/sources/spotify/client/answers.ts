import * as z from "zod";
import { plainName } from "~/platform/plain-text";
import type { Album, CatalogueEntry, FoundTrack, ListedTrack } from "~/sources/catalogue";
import type { Playback } from "~/sources/listen";
import type { Track, TrackInfo } from "~/sources/song";
import { type TrackInfoJson, toPlayback, toTrackInfo } from "./json";
import type {
  AlbumTrack,
  Device,
  DevicePlayback,
  ListPage,
  OwnPlaylist,
  SpotifyProfile,
} from "./spotify";
import { recordingCode, unknownArtist } from "./track";

/** Stands in for names that nobody can see. */
const untitled = { song: "Untitled", album: "Untitled album", playlist: "Untitled playlist" };

const image = z.object({ url: z.string(), width: z.int().positive().nullish().catch(null) });

const linkedFrom = z.object({ id: z.string() }).partial().nullish();
const externalIds = z.object({ isrc: z.string().optional() });
const artists = z.array(z.object({ id: z.string().nullish(), name: z.string() }));

/** Whether Spotify plays a track. The first two are only given where it knows the user's market. */
const availability = z.object({
  is_playable: z.boolean().nullish(),
  restrictions: z.object({ reason: z.string() }).partial().nullish(),
  is_local: z.boolean().nullish(),
});

const track = z.object({
  id: z.string(),
  name: z.string(),
  artists,
  album: z.object({ id: z.string().nullish(), name: z.string(), images: z.array(image) }),
  duration_ms: z.int().positive(),
  explicit: z.boolean().nullish(),
  ...availability.shape,
  external_ids: externalIds.optional(),
  external_urls: z.object({ spotify: z.url() }),
  linked_from: linkedFrom,
});

/** Fails for a track that cannot be played in the user's market, so that lists leave it out. */
const listedTrack = track.refine(isPlayable).transform(
  (read): ListedTrack => ({
    ...toTrack(read),
    albumId: read.album.id ?? null,
    artistIds: idsOf(read),
  }),
);

const albumTrack = track.omit({ album: true }).transform((read): AlbumTrack => {
  const { title, artists } = toShownInfo(read);
  return {
    trackId: idOf(read),
    title,
    artists,
    artistIds: idsOf(read),
    durationMs: read.duration_ms,
    spotifyUrl: read.external_urls.spotify,
    playable: isPlayable(read),
    explicit: read.explicit === true,
  };
});

const entryFields = z.object({
  id: z.string().min(1),
  name: z.string(),
  images: z.array(image).nullish(),
  external_urls: z.object({ spotify: z.url() }),
});
const artist = entryFields.transform((read) => toEntry(read, unknownArtist));
const album = entryFields.extend({ artists }).transform(
  (read): Album => ({
    ...toEntry(read, untitled.album),
    artists: read.artists.map(({ name }) => shownArtist(name)),
    artistIds: idsOf(read),
  }),
);

/** A local file has neither id nor code. */
const heldTrack = z.object({
  id: z.string().nullish(),
  linked_from: linkedFrom,
  external_ids: externalIds.nullish(),
});
const playlistItem = z
  .object({ item: heldTrack.nullish(), track: heldTrack.nullish() })
  // Older apps get the track as `track`, newer ones as `item`.
  .transform(({ item, track }) => item ?? track)
  .transform(
    (read): Pick<Playback, "trackIds" | "isrc"> => ({
      trackIds: [read?.id, read?.linked_from?.id].filter((id) => typeof id === "string"),
      isrc: recordingCode(read?.external_ids?.isrc),
    }),
  );

/** Older apps get the number of entries as `tracks.total`, newer ones as `items.total`. */
const counted = z.object({ total: z.int().nonnegative() }).partial().nullish();
const playlistFields = z.object({
  collaborative: z.boolean().nullish(),
  owner: z.object({ id: z.string() }),
  tracks: counted,
  items: counted,
});

function listOf<T>(item: z.ZodType<T>) {
  return pageOf(item).transform(({ items }) => items);
}

/** Leaves out items that are null or cannot be read. */
function pageOf<T>(item: z.ZodType<T>) {
  return z.object({ items: z.array(z.unknown()), next: z.string().nullish() }).transform(
    ({ items, next }): ListPage<T> => ({
      items: items.flatMap((each) => {
        const parsed = item.safeParse(each);
        return parsed.success ? [parsed.data] : [];
      }),
      more: typeof next === "string",
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
      displayName: plainName(read.display_name ?? "") || read.id,
      imageUrl: (read.images?.find(({ width }) => width === 64) ?? read.images?.[0])?.url ?? null,
      email: read.email ?? null,
      hasPremium: read.product ? read.product === "premium" : null,
    }),
  );

const playback = z.looseObject({
  item: z
    .looseObject({
      ...heldTrack.shape,
      uri: z.string().nullish(),
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
  )
  .catch(null);

const hidden = z.object({ is_private_session: z.literal(true) });

const foundTrack = track.transform(
  (read): FoundTrack => ({
    ...toTrack(read),
    playable: isPlayable(read),
    hidden: read.is_playable !== true && read.restrictions?.reason === "explicit",
    relinked: idOf(read) !== read.id,
    artistIds: idsOf(read),
  }),
);

/** What stands for a track that Spotify refuses without describing it. Without artists, it changes nothing that is known. */
export function refusedTrack(trackId: string, spotifyUrl: string): FoundTrack {
  return {
    ...{ trackId, spotifyUrl, title: untitled.song, artists: [], artistIds: [] },
    ...{ album: untitled.album, artUrl: null, smallerArt: {}, durationMs: 0, isrc: null },
    ...{ explicit: false, playable: false, hidden: false, relinked: false },
  };
}

export const answers = {
  track: foundTrack,
  /** Spotify does not play the track, whatever else the answer says or leaves out. */
  refusal: availability.refine((read) => !isPlayable(read)),
  search: z.object({ tracks: pageOf(listedTrack) }).transform(({ tracks }) => tracks),
  profile,
  /** Playlists and legacy routes go by the `id`, even where there is an `account_id`. */
  userId: z.object({ id: z.string().min(1) }).transform(({ id }) => id),
  ownPlaylists: (userId: string) =>
    listOf(
      entryFields
        .extend(playlistFields.shape)
        .refine(({ owner, collaborative }) => owner.id === userId || collaborative === true)
        .transform(
          (read): OwnPlaylist => ({
            ...toEntry(read, untitled.playlist),
            trackCount: countOf(read),
          }),
        ),
    ),
  hasNext: z.object({ next: z.string().nullish() }).transform(({ next }) => Boolean(next)),
  playlistItems: listOf(playlistItem),
  total: z.object({ total: z.int().nonnegative() }).transform(({ total }) => total),
  playlistFacts: playlistFields.transform((read) => ({
    ownerId: read.owner.id,
    collaborative: read.collaborative === true,
    trackCount: countOf(read),
  })),
  album,
  albumTracks: pageOf(albumTrack),
  entry: artist,
  areSaved: z.array(z.boolean()),
  created: z.object({ id: z.string().min(1) }).transform(({ id }) => id),
  /** An answer that does not tell what plays is no fault of Spotify's. */
  devicePlayback: playback
    .extend({ device: z.unknown() })
    .transform((read): DevicePlayback | "private" | null => {
      const played = toPlayback(read);
      if (!played) return hidden.safeParse(read.device).success ? "private" : null;
      const track = foundTrack.safeParse(read.item).data ?? null;
      return { ...played, device: device.parse(read.device), track };
    })
    .catch(null),
};

/** Reads an answer, without pictures that the pages could not load. Throws SpotifyError 502 if it cannot. */
export type Read = <T>(schema: z.ZodType<T>, answer: unknown) => T;

function toEntry(read: z.output<typeof entryFields>, nameIfUnseen: string): CatalogueEntry {
  return {
    id: read.id,
    name: plainName(read.name) || nameIfUnseen,
    imageUrl: read.images?.[0]?.url ?? null,
    smallerArt: toSmallerArt(read.images ?? []),
    spotifyUrl: read.external_urls.spotify,
  };
}

function countOf({ tracks, items }: z.output<typeof playlistFields>): number | null {
  return items?.total ?? tracks?.total ?? null;
}

function idsOf({ artists: named }: { artists: z.output<typeof artists> }): (string | null)[] {
  return named.map(({ id }) => id ?? null);
}

function shownArtist(name: string): string {
  return plainName(name) || unknownArtist;
}

function toShownInfo(read: TrackInfoJson): TrackInfo {
  const info = toTrackInfo(read);
  return {
    ...info,
    title: plainName(info.title) || untitled.song,
    artists: info.artists.map(shownArtist),
  };
}

function toTrack(read: z.output<typeof track>): Track {
  return {
    ...toShownInfo(read),
    smallerArt: toSmallerArt(read.album.images),
    trackId: idOf(read),
    album: plainName(read.album.name) || untitled.album,
    durationMs: read.duration_ms,
    isrc: recordingCode(read.external_ids?.isrc),
    spotifyUrl: read.external_urls.spotify,
    explicit: read.explicit === true,
  };
}

/** Spotify lists the largest picture first. One of unknown width cannot be chosen. */
function toSmallerArt([, ...smaller]: z.output<typeof image>[]): Track["smallerArt"] {
  return Object.fromEntries(smaller.flatMap(({ url, width }) => (width ? [[width, url]] : [])));
}

const accountRestrictions = ["product", "explicit"];

function isPlayable({
  is_playable,
  restrictions,
  is_local,
}: z.output<typeof availability>): boolean {
  if (is_local === true) return false;
  if (accountRestrictions.includes(restrictions?.reason ?? "")) return true;
  return is_playable ?? restrictions?.reason === undefined;
}

/** Songs are known by the id that was asked for, also where Spotify relinked the track. */
function idOf(read: Pick<z.output<typeof track>, "id" | "linked_from">): string {
  return read.linked_from?.id ?? read.id;
}

const pictureFields = ["artUrl", "imageUrl"];

/** Removes pictures whose origin the Content-Security-Policy (`origins`) does not allow. */
export function withShownPictures<T>(item: T, origins: string): T {
  if (typeof item !== "object" || item === null) return item;
  const shown = Object.entries(item).map(([field, value]) => {
    if (field === "smallerArt") return [field, shownPictures(value, origins)];
    return [field, pictureFields.includes(field) && !isShown(value, origins) ? null : value];
  });
  return Object.fromEntries(shown);
}

/** A `srcset` separates its addresses by blanks and commas. */
function shownPictures(byWidth: Record<number, string>, origins: string): Record<number, string> {
  const shown = Object.entries(byWidth).filter(
    ([, address]) => isShown(address, origins) && !/[\s,]/.test(address),
  );
  return Object.fromEntries(shown);
}

function isShown(address: unknown, origins: string): boolean {
  return origins
    .split(" ")
    .some((origin) =>
      String(address).startsWith(origin.endsWith(":") ? `${origin}//` : `${origin}/`),
    );
}
