/** The Web API's JSON objects, built from the catalogue; apps in development mode get fewer fields. */
import {
  accountIdOf,
  albumById,
  artistById,
  type CatalogueAlbum,
  type CatalogueArtist,
  type CatalogueTrack,
  type Musician,
  musicianById,
  musicians,
  trackById,
  tracks,
} from "../../catalogue.ts";
import type { Mode } from "../accounts/credentials.ts";
import type { Person, Playlist } from "../people.ts";
import type { TrackChange } from "../service.ts";

/** The origin of all links, and the mode, which decides on the fields. */
export interface Shape {
  origin: string;
  mode: Mode;
  changes?: ReadonlyMap<string, TrackChange>;
  /** The caller is an app and no user, and so is in no country. */
  nowhere?: boolean;
  hidesExplicit?: boolean;
}

type Json = Record<string, unknown>;

const MARKETS = [...new Set(musicians.map((musician) => musician.country))].sort();

/** Fields that apps in development mode do not get; the contract marks them as deprecated. */
function unlessReduced(shape: Shape, fields: Json): Json {
  return shape.mode === "development" ? {} : fields;
}

function links(shape: Shape, type: string, id: string): Json {
  return {
    external_urls: { spotify: `${shape.origin}/spotify/open/${type}/${id}` },
    href: apiUrl(shape, type === "user" ? `users/${id}` : `${type}s/${id}`),
    id,
    type,
    uri: `spotify:${type}:${id}`,
  };
}

export function apiUrl(shape: Shape, path: string): string {
  return `${shape.origin}/spotify/api/v1/${path}`;
}

export function images(shape: Shape, kind: string, id: string, sizes = [640, 300, 64]): Json[] {
  return sizes.map((size) => ({
    url: `${shape.origin}/spotify/images/${kind}-${id}-${size}`,
    height: size,
    width: size,
  }));
}

function simplifiedArtist(shape: Shape, artist: CatalogueArtist): Json {
  return { ...links(shape, "artist", artist.id), name: artist.name };
}

export function fullArtist(shape: Shape, artist: CatalogueArtist): Json {
  return {
    ...simplifiedArtist(shape, artist),
    images: images(shape, "artist", artist.id, [640, 320, 160]),
    ...unlessReduced(shape, {
      followers: { href: null, total: 0 },
      genres: [],
      popularity: 0,
    }),
  };
}

function artistsOf(shape: Shape, ids: string[]): Json[] {
  return ids.flatMap((id) => {
    const artist = artistById.get(id);
    return artist ? [simplifiedArtist(shape, artist)] : [];
  });
}

export function tracksOf(album: CatalogueAlbum): CatalogueTrack[] {
  return tracks
    .filter((track) => track.albumId === album.id)
    .sort((a, b) => a.trackNumber - b.trackNumber);
}

function simplifiedAlbum(shape: Shape, album: CatalogueAlbum): Json {
  const total = tracksOf(album).length;
  return {
    ...links(shape, "album", album.id),
    album_type: total === 1 ? "single" : "album",
    total_tracks: total,
    ...unlessReduced(shape, { available_markets: MARKETS }),
    images: album.cover ? images(shape, "album", album.id) : [],
    name: album.name,
    release_date: album.releaseDate,
    release_date_precision: "day",
    artists: artistsOf(shape, album.artistIds),
  };
}

export function fullAlbum(shape: Shape, album: CatalogueAlbum): Json {
  const own = tracksOf(album);
  return {
    ...simplifiedAlbum(shape, album),
    tracks: paging(
      apiUrl(shape, `albums/${album.id}/tracks`),
      own.map((track) => simplifiedTrack(shape, track)),
      { limit: 50, offset: 0 },
    ),
    copyrights: [],
    external_ids: {},
    genres: [],
    ...unlessReduced(shape, { label: "", popularity: 0 }),
  };
}

export function simplifiedTrack(shape: Shape, track: CatalogueTrack): Json {
  const changed = shape.changes?.get(track.id);
  return {
    ...links(shape, "track", track.id),
    artists: artistsOf(shape, track.artistIds),
    ...unlessReduced(shape, { available_markets: MARKETS, preview_url: null }),
    disc_number: 1,
    duration_ms: track.durationMs,
    explicit: isExplicit(shape, track),
    is_local: false,
    ...(shape.nowhere ? {} : { is_playable: true }),
    ...(hides(shape, track.id) ? { is_playable: false, restrictions: { reason: "explicit" } } : {}),
    name: changed?.name ?? track.name,
    track_number: track.trackNumber,
  };
}

function isExplicit({ changes }: Shape, track: CatalogueTrack): boolean {
  return changes?.get(track.id)?.explicit ?? track.explicit;
}

export function hides(shape: Shape, trackId: string | undefined): boolean {
  const track = trackById.get(trackId ?? "");
  return shape.hidesExplicit === true && track !== undefined && isExplicit(shape, track);
}

/** An episode of a podcast, as far as anybody reads it. */
export function podcastEpisode(shape: Shape): Json {
  return {
    ...links(shape, "episode", "512ojhOuo1ktJprKbVcKyQ"),
    name: "On songwriting",
    duration_ms: 1_800_000,
    explicit: false,
    is_playable: true,
  };
}

/** `requested`: the track that was asked for, if it is relinked to this one. */
export function fullTrack(shape: Shape, track: CatalogueTrack, requested = track): Json {
  const album = albumById.get(track.albumId);
  return {
    ...simplifiedTrack(shape, track),
    ...(album ? { album: simplifiedAlbum(shape, album) } : {}),
    external_ids: { isrc: track.isrc },
    ...unlessReduced(shape, {
      popularity: track.popularity,
      ...(requested.id === track.id ? {} : { linked_from: links(shape, "track", requested.id) }),
    }),
  };
}

export function privateUser(
  shape: Shape,
  { musician }: Pick<Person, "musician">,
  scopes: string[],
): Json {
  const mayReadPrivate = scopes.includes("user-read-private");
  return {
    ...publicUser(shape, musician),
    account_id: accountIdOf(musician.id),
    ...unlessReduced(shape, {
      followers: { href: null, total: 0 },
      ...(mayReadPrivate
        ? {
            country: musician.country,
            product: musician.product,
            explicit_content: {
              filter_enabled: shape.hidesExplicit === true,
              filter_locked: false,
            },
          }
        : {}),
      ...(scopes.includes("user-read-email") && musician.email !== null
        ? { email: musician.email }
        : {}),
    }),
  };
}

function publicUser(shape: Shape, musician: Musician): Json {
  return {
    ...links(shape, "user", musician.id),
    display_name: musician.displayName,
    images: musician.avatar ? images(shape, "user", musician.id, [300, 64]) : [],
  };
}

export function simplifiedPlaylist(shape: Shape, playlist: Playlist): Json {
  const reference = { href: playlistUrl(shape, playlist), total: playlist.items.length };
  return {
    ...playlistHead(shape, playlist),
    items: reference,
    ...unlessReduced(shape, { tracks: reference }),
  };
}

/** `mine`: whether the caller owns it. In development mode, only the owner gets the items. */
export function fullPlaylist(shape: Shape, playlist: Playlist, mine: boolean): Json {
  const url = playlistUrl(shape, playlist);
  const content = playlistItems(shape, playlist, { form: "both", url, limit: 100, offset: 0 });
  return {
    ...playlistHead(shape, playlist),
    followers: { href: null, total: 0 },
    ...(mine || shape.mode !== "development" ? { items: content } : {}),
    ...unlessReduced(shape, { tracks: content }),
  };
}

function playlistHead(shape: Shape, playlist: Playlist): Json {
  return {
    ...links(shape, "playlist", playlist.id),
    name: playlist.name,
    description: playlist.description,
    public: playlist.public,
    collaborative: playlist.collaborative,
    images: playlist.items.length > 0 ? images(shape, "playlist", playlist.id, [640]) : [],
    owner: {
      ...links(shape, "user", playlist.owner),
      display_name: musicianById.get(playlist.owner)?.displayName ?? null,
    },
    snapshot_id: snapshotId(playlist),
  };
}

function playlistUrl(shape: Shape, playlist: Playlist): string {
  const part = shape.mode === "legacy" ? "tracks" : "items";
  return apiUrl(shape, `playlists/${playlist.id}/${part}`);
}

export function snapshotId(playlist: Playlist): string {
  return Buffer.from(`${playlist.revision},${playlist.id}`).toString("base64");
}

/** One page of a playlist's items, which may be ten thousand. */
export function playlistItems(
  shape: Shape,
  playlist: Playlist,
  { form, url, ...slice }: { form: "old" | "both"; url: string; limit: number; offset: number },
): Json {
  const { items } = playlist;
  const shown = items.slice(slice.offset, slice.offset + slice.limit);
  const content = shown.map((item) => playlistItem(shape, playlist, item, form));
  return { ...paging(url, items, slice), items: content };
}

/** The old route calls the song `track`, the new one `item`; older apps get both from the new one. */
function playlistItem(
  shape: Shape,
  playlist: Playlist,
  { trackId, addedAt }: Playlist["items"][number],
  form: "old" | "both",
): Json {
  const track = trackById.get(trackId);
  const json = track ? fullTrack(shape, track) : null;
  return {
    added_at: new Date(addedAt).toISOString(),
    added_by: links(shape, "user", playlist.owner),
    is_local: false,
    ...(form === "old" ? {} : { item: json }),
    ...unlessReduced(shape, { track: json }),
  };
}

/** One page of the list `all`. `url` may have a query already. */
export function paging(
  url: string,
  all: readonly unknown[],
  { limit, offset }: { limit: number; offset: number },
): Json {
  const urlAt = (from: number) => {
    const target = new URL(url);
    target.searchParams.set("offset", String(from));
    target.searchParams.set("limit", String(limit));
    return target.href;
  };
  return {
    href: urlAt(offset),
    items: all.slice(offset, offset + limit),
    limit,
    next: offset + limit < all.length ? urlAt(offset + limit) : null,
    offset,
    previous: offset > 0 ? urlAt(Math.max(0, offset - limit)) : null,
    total: all.length,
  };
}
