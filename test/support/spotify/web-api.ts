/**
 * The part of Spotify's Web API that the product uses, by the OpenAPI description of 31 May 2026
 * (github.com/sonallux/spotify-web-api). Fields that are optional here are deprecated there or belong only to
 * some answers.
 */
import * as z from "zod";

export interface WebApiCall {
  method: string;
  /** Begins with /v1. */
  path: string;
  query: Record<string, string>;
  body: unknown;
}

interface Route {
  query?: z.ZodType;
  body?: z.ZodType;
  status: number;
  answer?: z.ZodType;
}

const int = z.int();
const text = z.string();
const count = int.nonnegative();

const image = z.strictObject({ url: z.url(), height: int.nullable(), width: int.nullable() });
const images = z.array(image);
const followers = z.strictObject({ href: text.nullable(), total: count });
const markets = z.array(text.length(2)).optional();
const popularity = int.min(0).max(100).optional();
const restrictions = z.strictObject({ reason: text }).optional();
const date = z.enum(["year", "month", "day"]);

/** What every object has that can be linked to. */
function linked<const Type extends string>(type: Type) {
  return z.strictObject({
    external_urls: z.strictObject({ spotify: z.url() }),
    href: z.url(),
    id: text,
    type: z.literal(type),
    uri: text.startsWith(`spotify:${type}:`),
  });
}

function pageOf(item: z.ZodType) {
  const url = z.url().nullable();
  return z.strictObject({
    href: z.url(),
    items: z.array(item),
    limit: count,
    next: url,
    offset: count,
    previous: url,
    total: count,
  });
}

const simpleArtist = linked("artist").extend({ name: text });
const artist = simpleArtist.extend({
  images,
  followers: followers.optional(),
  genres: z.array(text).optional(),
  popularity,
});

const simpleAlbum = linked("album").extend({
  album_type: z.enum(["album", "single", "compilation"]),
  total_tracks: count,
  available_markets: markets,
  images,
  name: text,
  release_date: text,
  release_date_precision: date,
  restrictions,
  artists: z.array(simpleArtist),
});

const simpleTrack = linked("track").extend({
  artists: z.array(simpleArtist),
  available_markets: markets,
  disc_number: int,
  duration_ms: int,
  explicit: z.boolean(),
  is_playable: z.boolean().optional(),
  linked_from: linked("track").optional(),
  restrictions,
  name: text,
  preview_url: text.nullish(),
  track_number: int,
  is_local: z.boolean(),
});
const track = simpleTrack.extend({
  album: simpleAlbum,
  external_ids: z.strictObject({ isrc: text }).partial(),
  popularity,
});

const album = simpleAlbum.extend({
  tracks: pageOf(simpleTrack),
  copyrights: z.array(z.strictObject({ text, type: text })),
  external_ids: z.strictObject({ ean: text, upc: text }).partial(),
  genres: z.array(text).optional(),
  label: text.optional(),
  popularity,
});

const profile = linked("user").extend({
  account_id: text,
  display_name: text,
  images,
  country: text.optional(),
  email: text.optional(),
  explicit_content: z
    .strictObject({ filter_enabled: z.boolean(), filter_locked: z.boolean() })
    .optional(),
  followers: followers.optional(),
  product: text.optional(),
});

const playlistItems = pageOf(
  z.strictObject({
    added_at: z.iso.datetime(),
    added_by: linked("user"),
    is_local: z.boolean(),
    item: track.optional(),
    track: track.optional(),
  }),
);
const simplePlaylist = linked("playlist").extend({
  collaborative: z.boolean(),
  description: text.nullable(),
  images,
  name: text,
  owner: linked("user").extend({ display_name: text.nullable() }),
  public: z.boolean(),
  snapshot_id: text,
  items: z.strictObject({ href: z.url(), total: count }),
  tracks: z.strictObject({ href: z.url(), total: count }).optional(),
});
const playlist = simplePlaylist.extend({
  followers,
  items: playlistItems.optional(),
  tracks: playlistItems.optional(),
});

const device = z.strictObject({
  id: text.nullable(),
  is_active: z.boolean(),
  is_private_session: z.boolean(),
  is_restricted: z.boolean(),
  name: text,
  type: text,
  volume_percent: int.min(0).max(100).nullable(),
  supports_volume: z.boolean(),
});
const disallows = z.strictObject({ pausing: z.boolean(), resuming: z.boolean() }).partial();
/** Of an episode, the product reads no more than what it goes by. */
const episode = linked("episode").loose();
const playing = z.strictObject({
  context: z.null(),
  timestamp: int,
  progress_ms: int.nullable(),
  is_playing: z.boolean(),
  item: track.or(episode).nullable(),
  currently_playing_type: z.enum(["track", "episode", "ad", "unknown"]),
  // The description has the actions themselves here; the service puts them into `disallows`.
  actions: z.strictObject({ disallows }),
});
const playback = playing.extend({ device, repeat_state: text, shuffle_state: z.boolean() });

const error = z.strictObject({
  error: z.strictObject({
    status: int.min(400).max(599),
    message: text,
    // Not in the description; errors of the player have it.
    reason: text.optional(),
  }),
});

/** A part of a long list. */
function slice(longest: number) {
  return z
    .strictObject({
      limit: z.coerce.number().int().min(1).max(longest),
      offset: z.coerce.number().int().min(0),
    })
    .partial();
}
const uris = z.strictObject({ uris: text.regex(/^spotify:track:\w+(,spotify:track:\w+){0,39}$/) });
const ids = z.strictObject({ ids: text.regex(/^\w+(,\w+){0,49}$/) });
const playbackQuery = z.strictObject({ additional_types: z.literal("track,episode") }).partial();
const optionalDevice = z.strictObject({ device_id: text }).partial();
const trackUris = z.array(text.startsWith("spotify:track:"));
const newPlaylist = z.strictObject({
  name: text,
  public: z.boolean().optional(),
  collaborative: z.boolean().optional(),
  description: text.optional(),
});
const createPlaylist = { body: newPlaylist, status: 201, answer: playlist };
const addItems = {
  body: z.strictObject({ uris: trackUris, position: int.optional() }),
  status: 201,
  answer: z.strictObject({ snapshot_id: text }),
};
const areSaved = z.array(z.boolean());
const listedPlaylists = { query: slice(50), status: 200, answer: pageOf(simplePlaylist) };

const routes: Record<string, Route> = {
  "GET /me": { status: 200, answer: profile },
  "GET /search": {
    query: slice(10).extend({
      q: text.min(1),
      type: z.literal("track"),
    }),
    status: 200,
    answer: z.strictObject({ tracks: pageOf(track) }),
  },
  "GET /tracks/:id": { status: 200, answer: track },
  "GET /albums/:id": { status: 200, answer: album },
  "GET /albums/:id/tracks": { query: slice(50), status: 200, answer: pageOf(simpleTrack) },
  "GET /artists/:id": { status: 200, answer: artist },

  "GET /me/player": { query: playbackQuery, status: 200, answer: playback },
  "GET /me/player/currently-playing": { query: playbackQuery, status: 200, answer: playing },
  "PUT /me/player/play": {
    query: optionalDevice,
    body: z.strictObject({ uris: trackUris, position_ms: count }).partial(),
    status: 204,
  },
  "PUT /me/player/pause": { query: optionalDevice, status: 204 },

  "GET /me/library/contains": { query: uris, status: 200, answer: areSaved },
  "PUT /me/library": { query: uris, status: 200 },
  "DELETE /me/library": { query: uris, status: 200 },
  "GET /me/playlists": listedPlaylists,
  "POST /me/playlists": createPlaylist,
  "GET /playlists/:id": {
    query: z.strictObject({ fields: text }).partial(),
    status: 200,
    answer: playlist,
  },
  "GET /playlists/:id/items": {
    query: slice(50).extend({ fields: text.optional() }),
    status: 200,
    answer: playlistItems,
  },
  "POST /playlists/:id/items": addItems,

  // From here on deprecated: apps that are older than 2026 have these.
  "GET /me/tracks/contains": { query: ids, status: 200, answer: areSaved },
  "PUT /me/tracks": { body: z.strictObject({ ids: z.array(text) }), status: 200 },
  "DELETE /me/tracks": { query: ids, status: 200 },
  "GET /users/:id/playlists": listedPlaylists,
  "POST /users/:id/playlists": createPlaylist,
  "GET /playlists/:id/tracks": {
    query: slice(100).extend({ fields: text.optional() }),
    status: 200,
    answer: playlistItems,
  },
  "POST /playlists/:id/tracks": addItems,
};

/** What Spotify would not know, or would miss, in a request. */
export function requestProblems(call: WebApiCall): string[] {
  const route = routeOf(call);
  if (!route) return [`no route ${call.method} ${call.path}`];
  return [
    ...problems("query", route.query ?? z.strictObject({}), call.query),
    ...problems("body", route.body ?? z.null(), call.body ?? null),
  ];
}

/** What Spotify would not have sent, or would have sent as well, in an answer to a call. */
export function answerProblems(call: WebApiCall, status: number, answer: unknown): string[] {
  const route = routeOf(call);
  if (!route) return [`no route ${call.method} ${call.path}`];
  if (status >= 400) return problems("error", error, answer);
  // Nothing plays.
  if (status === 204) return answer === null ? [] : ["body: not expected"];
  if (status !== route.status) return [`status ${status}: not expected`];
  const found = problems("answer", route.answer ?? z.null(), answer);
  // An answer cut down to some fields lacks the others.
  return call.query.fields === undefined ? found : found.filter((one) => !one.endsWith("missing"));
}

function routeOf({ method, path }: WebApiCall): Route | undefined {
  const called = `${method} ${path.replace(/^\/v1(?=\/)/, "")}`;
  const known = Object.keys(routes).find((route) =>
    new RegExp(`^${route.replaceAll(":id", "[^/]+")}$`).test(called),
  );
  return known === undefined ? undefined : routes[known];
}

function problems(where: string, schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value, { reportInput: true });
  return (error?.issues ?? []).map((issue) => {
    const message = issue.input === undefined ? "missing" : issue.message;
    return `${[where, ...issue.path].join(".")}: ${message}`;
  });
}
