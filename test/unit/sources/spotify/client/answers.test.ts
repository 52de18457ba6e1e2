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

describe("a track", () => {
  test("is read with its largest cover, which Spotify lists first, and the smaller ones of known width", () => {
    expect(answers.track.parse({ ...item, popularity: 7, is_local: false })).toEqual({
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

  test("is explicit if Spotify says so, and hidden if it does not play for that", () => {
    const explicit = { ...item, explicit: true };
    const restricted = { is_playable: false, restrictions: { reason: "explicit" } };
    expect(answers.track.parse(explicit)).toMatchObject({ explicit: true, hidden: false });
    expect(answers.track.parse({ ...explicit, ...restricted })).toMatchObject({
      ...{ explicit: true, hidden: true, playable: true },
    });
    const abroad = { is_playable: false, restrictions: { reason: "market" } };
    expect(answers.track.parse({ ...explicit, ...abroad })).toMatchObject({ hidden: false });
    const without = { ...item, explicit: null };
    expect(answers.track.parse(without)).toMatchObject({ explicit: false, hidden: false });
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
  ])("that says %j cannot be played, whatever else is missing", (said) => {
    expect(answers.track.parse({ ...item, ...said }).playable).toBe(false);
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
  ])("of which only %j is told is not refused", (said) =>
    expect(answers.refusal.safeParse(said).success).toBe(false),
  );

  test.each([
    {},
    { is_playable: true },
    { is_playable: null },
    { is_playable: true, restrictions: { reason: "market" } },
    { is_playable: false, restrictions: { reason: "explicit" } },
    { is_playable: false, restrictions: { reason: "product" } },
  ])("that says %j can be played, if perhaps not by this account", (said) => {
    expect(answers.track.parse({ ...item, ...said }).playable).toBe(true);
  });

  test("without a cover or an ISRC has null instead", () => {
    const bare = { ...item, album: { name: "Album", images: [] }, external_ids: {} };
    expect(answers.track.parse(bare)).toMatchObject({ artUrl: null, isrc: null });
    const { external_ids: _none, ...without } = item;
    expect(answers.track.parse(without)).toMatchObject({ isrc: null });
  });

  test.each([
    ["zz-fvf-16-00001", "ZZFVF1600001"],
    ["", null],
  ])("with the ISRC %j has %j", (isrc, code) => {
    const coded = { ...item, external_ids: { isrc } };
    expect(answers.track.parse(coded).isrc).toBe(code);
    const held = { items: [{ item: coded }] };
    expect(answers.playlistItems.parse(held)).toMatchObject([{ isrc: code }]);
  });

  test("that was relinked keeps the id that was asked for", () => {
    const relinked = { ...item, linked_from: { id: "0asked", type: "track" } };
    expect(answers.track.parse(relinked).trackId).toBe("0asked");
    expect(answers.track.parse({ ...item, linked_from: {} }).trackId).toBe("0playing");
    expect(answers.track.parse({ ...item, linked_from: null }).trackId).toBe("0playing");
  });

  test.each([
    { name: "no id", changes: { id: undefined } },
    { name: "no name", changes: { name: undefined } },
    { name: "no length", changes: { duration_ms: 0 } },
    { name: "no link to Spotify", changes: { external_urls: {} } },
  ])("with $name is rejected", ({ changes }) => {
    expect(answers.track.safeParse({ ...item, ...changes }).success).toBe(false);
  });
});

describe("a search", () => {
  test("leaves out items that are null", () => {
    const found = answers.search.parse({ tracks: { items: [null, item, null] } });
    expect(found.items.map((track) => track.trackId)).toEqual(["0playing"]);
  });

  test("leaves out items that cannot be read or played, and keeps the rest", () => {
    const items = [{ ...item, id: 7 }, { ...item, is_playable: false }, "no item", item];
    const found = answers.search.parse({ tracks: { items } });
    expect(found.items.map((track) => track.trackId)).toEqual(["0playing"]);
    expect(answers.search.parse({ tracks: { items: [{ ...item, is_playable: true }] } })).toEqual(
      found,
    );
  });

  test("keeps what the account of the asker hides, which may be their own", () => {
    const own = {
      ...item,
      explicit: true,
      is_playable: false,
      restrictions: { reason: "explicit" },
    };
    const found = answers.search.parse({ tracks: { items: [own] } });
    expect(found.items).toMatchObject([{ trackId: "0playing", explicit: true }]);
  });

  test("tells whether another page follows", () => {
    const more = (next?: string | null) =>
      answers.search.parse({ tracks: { items: [], next } }).more;
    expect([more("https://api.example/next"), more(null), more()]).toEqual([true, false, false]);
  });

  test("without a list of tracks is rejected", () => {
    expect(answers.search.safeParse({ tracks: {} }).success).toBe(false);
    expect(answers.search.safeParse({ error: { status: 500 } }).success).toBe(false);
  });

  test("without results is an empty list", () => {
    expect(answers.search.parse({ tracks: { items: [], total: 0 } }).items).toEqual([]);
  });
});

describe("a profile", () => {
  const profile = {
    id: "musician",
    account_id: "0account",
    display_name: "Musician",
    email: "musician@musicians.example",
    images: [{ url: "https://i.scdn.co/300" }, { url: "https://i.scdn.co/64" }],
  };

  test("has the account id if there is one, otherwise the id", () => {
    expect(answers.profile.parse(profile).id).toBe("0account");
    expect(answers.profile.parse({ ...profile, account_id: undefined }).id).toBe("musician");
    expect(answers.profile.parse({ ...profile, account_id: null }).id).toBe("musician");
  });

  test.each([
    ["premium", true],
    ["free", false],
    ["open", false],
    [undefined, null],
    [null, null],
  ])("whose product is %s has Premium: %s", (product, hasPremium) => {
    expect(answers.profile.parse({ ...profile, product }).hasPremium).toBe(hasPremium);
  });

  test("for new apps has no e-mail address", () => {
    const { email: _none, ...reduced } = profile;
    expect(answers.profile.parse(reduced)).toEqual({
      id: "0account",
      displayName: "Musician",
      imageUrl: "https://i.scdn.co/300",
      email: null,
      hasPremium: null,
    });
  });

  test("without a display name shows the id, which people know, not the account id", () => {
    for (const display_name of [null, "", undefined]) {
      expect(answers.profile.parse({ ...profile, display_name }).displayName).toBe("musician");
    }
  });

  test("without pictures has a null image", () => {
    for (const images of [[], null, undefined]) {
      expect(answers.profile.parse({ ...profile, images }).imageUrl).toBeNull();
    }
  });

  test("without an id is rejected", () => {
    expect(answers.profile.safeParse({ ...profile, id: "" }).success).toBe(false);
    expect(answers.profile.safeParse({ error: { status: 401 } }).success).toBe(false);
  });
});

describe("a playback", () => {
  const read = (what: object) =>
    answers.devicePlayback.parse({ is_playing: true, device: null, ...what });

  test("has the id that plays and the id that was asked for", () => {
    const relinked = { ...item, linked_from: { id: "0asked" } };
    expect(read({ progress_ms: 1234, item: relinked })).toMatchObject({
      playing: true,
      progressMs: 1234,
      trackIds: ["0playing", "0asked"],
      isrc: "ZZFVF1600001",
    });
  });

  test("at an unknown position says so", () => {
    for (const progress_ms of [null, undefined, "12"]) {
      expect(read({ progress_ms, item })).toMatchObject({ playing: true, progressMs: null });
    }
  });

  test("of an episode or a local file has its own id or address, and no track", () => {
    const episode = { id: "0episode", type: "episode", uri: "spotify:episode:0episode" };
    expect(read({ item: episode })).toMatchObject({ trackIds: ["0episode"], track: null });
    const local = { id: null, uri: "spotify:local:a:b:c:1", is_local: true };
    expect(read({ item: local })).toMatchObject({ trackIds: [local.uri], track: null });
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
  ])("that %s is unknown", (_, answer) => {
    expect(answers.devicePlayback.parse(answer)).toBeNull();
  });

  test("that names nothing, but a private session, is private", () => {
    const device = { id: "0device", is_private_session: true };
    for (const answer of [{ device }, { device, is_playing: true, item: null }]) {
      expect(answers.devicePlayback.parse(answer)).toBe("private");
    }
    expect(answers.devicePlayback.parse({ device, is_playing: true, item })).toMatchObject({
      playing: true,
    });
  });
});

describe("a playback's device", () => {
  const device = {
    id: "0device",
    is_active: true,
    name: "Kitchen",
    type: "Speaker",
    volume_percent: 7,
  };
  const read = (what: unknown) => {
    const playback = answers.devicePlayback.parse({ is_playing: true, item, device: what });
    return playback === "private" ? playback : playback?.device;
  };

  test("is the active one, even without an id", () => {
    expect(read(device)).toEqual({ id: "0device", name: "Kitchen", type: "Speaker" });
    expect(read({ ...device, id: null })).toEqual({ id: null, name: "Kitchen", type: "Speaker" });
  });

  test("is null when it is no longer active", () => {
    for (const what of [{ ...device, is_active: false }, null, undefined, "?"]) {
      expect(read(what)).toBeNull();
    }
  });
});

describe("the entries of a playlist", () => {
  const read = (...items: unknown[]) => answers.playlistItems.parse({ items });
  const held = { trackIds: ["0playing"], isrc: "ZZFVF1600001" };
  const track = { id: "0playing", external_ids: { isrc: "ZZFVF1600001" } };

  test("are read in the current form, the legacy form, and where both are given", () => {
    const old = { id: "0old" };
    for (const one of [
      { item: track },
      { track },
      { item: track, track: old },
      { item: null, track },
    ])
      expect(read(one)).toEqual([held]);
  });

  test("are known by the id that was asked for as well", () => {
    expect(read({ item: { ...track, linked_from: { id: "0asked" } } })).toEqual([
      { ...held, trackIds: ["0playing", "0asked"] },
    ]);
  });

  test("are known by nothing where they are gone or somebody's own files", () => {
    const nothing = { trackIds: [], isrc: null };
    const local = { id: null, external_ids: {} };
    expect(read({}, { item: null }, { track: null }, { track: local })).toEqual(
      Array.from({ length: 4 }, () => nothing),
    );
  });

  test("without a list are rejected", () => {
    expect(answers.playlistItems.safeParse({}).success).toBe(false);
  });
});

describe("the user's own playlists", () => {
  const playlist = {
    id: "0list",
    name: "Songs",
    images: null,
    external_urls: { spotify: "https://open.spotify.com/playlist/0list" },
    owner: { id: "me" },
    collaborative: false,
  };
  const read = (...items: unknown[]) => answers.ownPlaylists("me").parse({ items });

  test("are counted in the current and the legacy form, if at all", () => {
    const counts = read(
      { ...playlist, items: { total: 3 } },
      { ...playlist, tracks: { total: 4 } },
      { ...playlist, items: { total: 5 }, tracks: { total: 6 } },
      playlist,
    ).map(({ trackCount }) => trackCount);
    expect(counts).toEqual([3, 4, 5, null]);
  });

  test("are those that the user may add to", () => {
    const owner = { id: "somebody" };
    expect(
      read(
        null,
        { ...playlist, id: "0theirs", owner },
        { ...playlist, id: "0shared", owner, collaborative: true },
        { ...playlist, id: "0mine" },
        { ...playlist, owner: undefined },
      ).map(({ id }) => id),
    ).toEqual(["0shared", "0mine"]);
  });
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

describe("an entry of the catalogue", () => {
  const playlist = {
    id: "0list",
    name: "Songs",
    images: [
      { url: "https://mosaic.scdn.co/640" },
      { url: "https://mosaic.scdn.co/60", width: 60 },
    ],
    external_urls: { spotify: "https://open.spotify.com/playlist/0list" },
  };
  const entry = {
    id: "0list",
    name: "Songs",
    imageUrl: "https://mosaic.scdn.co/640",
    smallerArt: { 60: "https://mosaic.scdn.co/60" },
    spotifyUrl: "https://open.spotify.com/playlist/0list",
  };

  test("has its largest picture, if any", () => {
    expect(answers.entry.parse(playlist)).toEqual(entry);
    for (const images of [[], null, undefined]) {
      expect(answers.entry.parse({ ...playlist, images }).imageUrl).toBeNull();
    }
  });
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
  expect(answers.track.parse({ ...item, name }).title).toBe("می\u200cخواهم 👩\u200d🎤");
  expect(answers.profile.parse({ id: "ada", display_name: "Ada\u202e" }).displayName).toBe("Ada");
});
