import { describe, expect, test } from "vitest";
import { answers } from "~/sources/spotify/client/answers";

const item = {
  id: "0playing",
  name: "Song",
  artists: [{ id: "0first", name: "First" }, { name: "Second" }],
  album: {
    name: "Album",
    images: [
      { url: "https://i.scdn.co/640", width: 640 },
      { url: "https://i.scdn.co/300", width: null },
      { url: "https://i.scdn.co/64", width: 64 },
    ],
  },
  duration_ms: 200_000,
  external_ids: { isrc: "ZZFVF1600001" },
  external_urls: { spotify: "https://open.spotify.com/track/0playing" },
};

const trackWith = (change: object = {}) => answers.track.parse({ ...item, ...change });

test("a track is read with its largest cover, which Spotify lists first, and the smaller ones of known width", () => {
  expect(trackWith({ popularity: 7, is_local: false })).toEqual({
    trackId: "0playing",
    title: "Song",
    artists: ["First", "Second"],
    album: "Album",
    artUrl: "https://i.scdn.co/640",
    smallerArt: { 64: "https://i.scdn.co/64" },
    durationMs: 200_000,
    isrc: "ZZFVF1600001",
    spotifyUrl: "https://open.spotify.com/track/0playing",
    explicit: false,
    playable: true,
    hidden: false,
    relinked: false,
    artistIds: ["0first", null],
  });
});

test.each([
  [{ explicit: true }, { explicit: true, hidden: false }],
  [
    { explicit: true, is_playable: false, restrictions: { reason: "explicit" } },
    { explicit: true, hidden: true, playable: true },
  ],
  [
    { explicit: true, is_playable: false, restrictions: { reason: "market" } },
    { explicit: true, hidden: false },
  ],
  [{ explicit: null }, { explicit: false, hidden: false }],
  [{ album: { name: "Album", images: [] } }, { artUrl: null }],
  [{ external_ids: {} }, { isrc: null }],
  [{ external_ids: undefined }, { isrc: null }],
  [{ linked_from: { id: "0asked", type: "track" } }, { trackId: "0asked" }],
  [{ linked_from: {} }, { trackId: "0playing" }],
  [{ linked_from: null }, { trackId: "0playing" }],
])("a track that says %j is read as %j", (said, read) => {
  expect(trackWith(said)).toMatchObject(read);
});

test.each([
  { is_playable: false },
  { is_playable: false, restrictions: { reason: "market" } },
  { is_playable: false, restrictions: { reason: "a new reason" } },
  { is_playable: false, restrictions: {} },
  { restrictions: { reason: "market" } },
  { is_playable: null, restrictions: { reason: "market" } },
  { is_local: true },
  { is_local: true, is_playable: true },
])("a track that says %j cannot be played, whatever else is missing", (said) => {
  expect(trackWith(said).playable).toBe(false);
  for (const answer of [said, { ...said, name: null, album: {}, duration_ms: 0 }]) {
    expect(answers.refusal.safeParse(answer).success).toBe(true);
  }
});

test.each([
  {},
  { name: null },
  { is_playable: true },
  { restrictions: { reason: "product" } },
  null,
  [],
])("a track of which only %j is told is not refused", (said) =>
  expect(answers.refusal.safeParse(said).success).toBe(false),
);

test.each([
  {},
  { is_playable: true },
  { is_playable: null },
  { is_playable: true, restrictions: { reason: "market" } },
  { is_playable: false, restrictions: { reason: "explicit" } },
  { is_playable: false, restrictions: { reason: "product" } },
])("a track that says %j can be played, if perhaps not by this account", (said) => {
  expect(trackWith(said).playable).toBe(true);
});

test.each([
  ["zz-fvf-16-00001", "ZZFVF1600001"],
  ["", null],
])("a track with the ISRC %j has %j", (isrc, code) => {
  const coded = { ...item, external_ids: { isrc } };
  expect(answers.track.parse(coded).isrc).toBe(code);
  const held = { items: [{ item: coded }] };
  expect(answers.playlistItems.parse(held)).toMatchObject([{ isrc: code }]);
});

test.each([
  ["no id", { id: undefined }],
  ["no name", { name: undefined }],
  ["no length", { duration_ms: 0 }],
  ["no link to Spotify", { external_urls: {} }],
])("a track with %s is rejected", (_name, changes) => {
  expect(answers.track.safeParse({ ...item, ...changes }).success).toBe(false);
});

const found = (...items: unknown[]) => answers.search.parse({ tracks: { items } }).items;

test("a search leaves out items that are null, cannot be read or played, and keeps the rest", () => {
  const kept = found(null, { ...item, id: 7 }, { ...item, is_playable: false }, "no item", item);
  expect(kept.map(({ trackId }) => trackId)).toEqual(["0playing"]);
  expect(found({ ...item, is_playable: true })).toEqual(kept);
  expect(found()).toEqual([]);
});

test("a search keeps what the account of the asker hides, which may be their own", () => {
  const hidden = { explicit: true, is_playable: false, restrictions: { reason: "explicit" } };
  expect(found({ ...item, ...hidden })).toMatchObject([{ trackId: "0playing", explicit: true }]);
});

test("a search tells whether another page follows", () => {
  const more = (next?: string | null) => answers.search.parse({ tracks: { items: [], next } }).more;
  expect([more("https://api.example/next"), more(null), more()]).toEqual([true, false, false]);
});

test("a search without a list of tracks is rejected", () => {
  expect(answers.search.safeParse({ tracks: {} }).success).toBe(false);
  expect(answers.search.safeParse({ error: { status: 500 } }).success).toBe(false);
});

const profile = {
  id: "musician",
  account_id: "0account",
  display_name: "Musician",
  email: "musician@musicians.example",
  images: [{ url: "https://i.scdn.co/300" }, { url: "https://i.scdn.co/64" }],
};

test.each([
  [{}, { id: "0account" }],
  [{ account_id: undefined }, { id: "musician" }],
  [{ account_id: null }, { id: "musician" }],
  [{ product: "premium" }, { hasPremium: true }],
  [{ product: "free" }, { hasPremium: false }],
  [{ product: "open" }, { hasPremium: false }],
  [{ product: undefined }, { hasPremium: null }],
  [{ product: null }, { hasPremium: null }],
  // The id is what people know, not the account id.
  [{ display_name: null }, { displayName: "musician" }],
  [{ display_name: "" }, { displayName: "musician" }],
  [{ display_name: undefined }, { displayName: "musician" }],
  [{ images: [] }, { imageUrl: null }],
  [{ images: null }, { imageUrl: null }],
  [{ images: undefined }, { imageUrl: null }],
])("a profile that says %j is read as %j", (said, read) => {
  expect(answers.profile.parse({ ...profile, ...said })).toMatchObject(read);
});

test("a profile for new apps has no e-mail address", () => {
  const { email: _none, ...reduced } = profile;
  expect(answers.profile.parse(reduced)).toEqual({
    id: "0account",
    displayName: "Musician",
    imageUrl: "https://i.scdn.co/300",
    email: null,
    hasPremium: null,
  });
});

test("a profile without an id is rejected", () => {
  expect(answers.profile.safeParse({ ...profile, id: "" }).success).toBe(false);
  expect(answers.profile.safeParse({ error: { status: 401 } }).success).toBe(false);
});

const playback = (what: object) =>
  answers.devicePlayback.parse({ is_playing: true, device: null, ...what });

test("a playback has the id that plays and the id that was asked for", () => {
  const relinked = { ...item, linked_from: { id: "0asked" } };
  expect(playback({ progress_ms: 1234, item: relinked })).toMatchObject({
    playing: true,
    progressMs: 1234,
    trackIds: ["0playing", "0asked"],
    isrc: "ZZFVF1600001",
  });
});

test("a playback at an unknown position says so", () => {
  for (const progress_ms of [null, undefined, "12"]) {
    expect(playback({ progress_ms, item })).toMatchObject({ playing: true, progressMs: null });
  }
});

test("a playback of an episode or a local file has its own id or address, and no track", () => {
  const episode = { id: "0episode", type: "episode", uri: "spotify:episode:0episode" };
  expect(playback({ item: episode })).toMatchObject({ trackIds: ["0episode"], track: null });
  const local = { id: null, uri: "spotify:local:a:b:c:1", is_local: true };
  expect(playback({ item: local })).toMatchObject({ trackIds: [local.uri], track: null });
});

test.each([
  ["is empty", null],
  ["is no JSON", undefined],
  ["is a page", "<html>"],
  ["is a number", 7],
  ["is a list", []],
  ["says nothing", {}],
  ["is an error", { error: { status: 500 } }],
  ["does not say whether it plays", { item }],
  ["says it in another way", { is_playing: "true", item }],
  ["names nothing", { is_playing: true }],
  ["names nothing, for an advertisement", { is_playing: true, item: null }],
  ["names it by nothing", { is_playing: true, item: { id: null, external_ids: {} } }],
  ["names it by a number", { is_playing: true, item: { id: 7 } }],
])("a playback that %s is unknown", (_, answer) => {
  expect(answers.devicePlayback.parse(answer)).toBeNull();
});

test("a playback that names nothing, but a private session, is private", () => {
  const device = { id: "0device", is_private_session: true };
  for (const answer of [{ device }, { device, is_playing: true, item: null }]) {
    expect(answers.devicePlayback.parse(answer)).toBe("private");
  }
  expect(answers.devicePlayback.parse({ device, is_playing: true, item })).toMatchObject({
    playing: true,
  });
});

const device = { id: "0device", is_active: true, name: "Kitchen", type: "Speaker" };

test.each([
  [
    { ...device, volume_percent: 7 },
    { id: "0device", name: "Kitchen", type: "Speaker" },
  ],
  [
    { ...device, id: null },
    { id: null, name: "Kitchen", type: "Speaker" },
  ],
  [{ ...device, is_active: false }, null],
  [null, null],
  [undefined, null],
  ["?", null],
])("a playback's device is the active one, even without an id: %j", (device, active) => {
  expect(playback({ item, device })).toMatchObject({ device: active });
});

const read = (...items: unknown[]) => answers.playlistItems.parse({ items });
const held = { trackIds: ["0playing"], isrc: "ZZFVF1600001" };
const track = { id: "0playing", external_ids: { isrc: "ZZFVF1600001" } };

test("the entries of a playlist are read in the current form, the legacy form, and where both are given", () => {
  const old = { id: "0old" };
  for (const one of [
    { item: track },
    { track },
    { item: track, track: old },
    { item: null, track },
  ])
    expect(read(one)).toEqual([held]);
});

test("the entries of a playlist are known by the id that was asked for as well", () => {
  expect(read({ item: { ...track, linked_from: { id: "0asked" } } })).toEqual([
    { ...held, trackIds: ["0playing", "0asked"] },
  ]);
});

test("the entries of a playlist are known by nothing where they are gone or somebody's own files", () => {
  const nothing = { trackIds: [], isrc: null };
  const local = { id: null, external_ids: {} };
  expect(read({}, { item: null }, { track: null }, { track: local })).toEqual(
    Array.from({ length: 4 }, () => nothing),
  );
});

test("the entries of a playlist without a list are rejected", () => {
  expect(answers.playlistItems.safeParse({}).success).toBe(false);
});

const ownPlaylist = {
  id: "0list",
  name: "Songs",
  images: null,
  external_urls: { spotify: "https://open.spotify.com/playlist/0list" },
  owner: { id: "me" },
  collaborative: false,
};
const own = (...items: unknown[]) => answers.ownPlaylists("me").parse({ items });

test("the user's own playlists are counted in the current and the legacy form, if at all", () => {
  const counts = own(
    { ...ownPlaylist, items: { total: 3 } },
    { ...ownPlaylist, tracks: { total: 4 } },
    { ...ownPlaylist, items: { total: 5 }, tracks: { total: 6 } },
    ownPlaylist,
  ).map(({ trackCount }) => trackCount);
  expect(counts).toEqual([3, 4, 5, null]);
});

test("the user's own playlists are those that the user may add to", () => {
  const owner = { id: "somebody" };
  expect(
    own(
      null,
      { ...ownPlaylist, id: "0theirs", owner },
      { ...ownPlaylist, id: "0shared", owner, collaborative: true },
      { ...ownPlaylist, id: "0mine" },
      { ...ownPlaylist, owner: undefined },
    ).map(({ id }) => id),
  ).toEqual(["0shared", "0mine"]);
});

test("the tracks of an album do not repeat the album", () => {
  const { album: _album, external_ids: _ids, ...simplified } = item;
  const relinked = { ...simplified, linked_from: { id: "0asked" } };
  expect(answers.albumTracks.parse({ items: [simplified, null, relinked] }).items).toEqual([
    {
      trackId: "0playing",
      title: "Song",
      artists: ["First", "Second"],
      artistIds: ["0first", null],
      durationMs: 200_000,
      spotifyUrl: "https://open.spotify.com/track/0playing",
      playable: true,
      explicit: false,
    },
    expect.objectContaining({ trackId: "0asked" }),
  ]);
});

const playlist = {
  id: "0list",
  name: "Songs",
  images: [{ url: "https://mosaic.scdn.co/640" }, { url: "https://mosaic.scdn.co/60", width: 60 }],
  external_urls: { spotify: "https://open.spotify.com/playlist/0list" },
};
const entry = {
  id: "0list",
  name: "Songs",
  imageUrl: "https://mosaic.scdn.co/640",
  smallerArt: { 60: "https://mosaic.scdn.co/60" },
  spotifyUrl: "https://open.spotify.com/playlist/0list",
};

test("an entry of the catalogue has its largest picture, if any", () => {
  expect(answers.entry.parse(playlist)).toEqual(entry);
  for (const images of [[], null, undefined]) {
    expect(answers.entry.parse({ ...playlist, images }).imageUrl).toBeNull();
  }
});

/** Names that nobody can see. */
const unseen = [
  "",
  " ",
  "\u3164",
  "\u200b\u2060",
  "\u2800",
  "\u00a0\t",
  "\u202e",
  "\u0301",
  "\u{e0041}",
];

describe.each(unseen)("a name that nobody can see (%j)", (name) => {
  const titled = { ...item, name, artists: [{ id: "0first", name }, { name: "Second" }] };
  const album = { ...item.album, name };
  const place = { id: "0place", name, external_urls: { spotify: "https://open.spotify.com/x" } };

  test("is replaced in a song, its artists and its album", () => {
    const shown = { title: "Untitled", artists: ["Unknown artist", "Second"] };
    const whole = { ...shown, album: "Untitled album", artistIds: ["0first", null] };
    const page = { items: [{ ...titled, album }] };
    expect(answers.track.parse({ ...titled, album })).toMatchObject(whole);
    expect(answers.search.parse({ tracks: page }).items).toMatchObject([whole]);
    expect(answers.albumTracks.parse({ items: [titled] }).items).toMatchObject([shown]);
  });

  test("is replaced in albums, artists and playlists", () => {
    const artists = [{ id: "0first", name }];
    const owned = { ...place, owner: { id: "ada" } };
    expect(answers.entry.parse(place).name).toBe("Unknown artist");
    expect(answers.album.parse({ ...place, artists })).toMatchObject({
      name: "Untitled album",
      artists: ["Unknown artist"],
    });
    expect(answers.ownPlaylists("ada").parse({ items: [owned] })).toMatchObject([
      { name: "Untitled playlist" },
    ]);
  });

  test("of a member counts as none", () => {
    expect(answers.profile.parse({ id: "ada", display_name: name }).displayName).toBe("ada");
  });
});

test("names keep what belongs to their letters, and lose what turns other text round", () => {
  const name = "\u202eمی\u200cخواهم 👩\u200d🎤 ";
  expect(trackWith({ name }).title).toBe("می\u200cخواهم 👩\u200d🎤");
  expect(answers.profile.parse({ id: "ada", display_name: "Ada\u202e" }).displayName).toBe("Ada");
});
