import fc from "fast-check";
import { expect, test } from "vitest";
import { readReleaseLink } from "~/exchange/release/release-link";

test.each([
  ["Spotify", "https://open.spotify.com/intl-de/track/4uLU6hMCjMI75M1A2tKUQC?si=x"],
  ["Apple Music", "https://music.apple.com/us/album/night-bus/1?i=2"],
  ["Bandcamp", "https://ada-quist.bandcamp.com/track/night-bus"],
  ["Bandcamp", "https://ada.bandcamp.com/"],
  ["SoundCloud", "https://soundcloud.com/ada/night-bus"],
  ["SoundCloud", "https://on.soundcloud.com/x"],
  ["YouTube", "https://www.youtube.com/watch?v=x"],
  ["YouTube", "https://music.youtube.com/playlist?list=x"],
  ["YouTube", "https://youtu.be/x"],
  ["YouTube", "https://youtube.com/@ada"],
  ["Tidal", "https://tidal.com/browse/track/1"],
  ["Deezer", "https://www.deezer.com/track/1"],
])("a link to %s is taken: %s", (service, url) => {
  expect(readReleaseLink(url)).toEqual({ service, url });
});

test("a link is taken in its normal form", () => {
  expect(readReleaseLink("  HTTPS://Ada.Bandcamp.COM/track/a b\n")?.url).toBe(
    "https://ada.bandcamp.com/track/a%20b",
  );
});

test.each([
  ...[
    "",
    "Night Bus",
    "open.spotify.com/track/x",
    "http://soundcloud.com/ada",
    "javascript:alert(1)",
  ],
  ...[
    "data:text/html,soundcloud.com/x",
    "https://evil.example/",
    "https://evil.example/soundcloud.com/x",
  ],
  ...[
    "https://soundcloud.com.evil.example/x",
    "https://evilsoundcloud.com/x",
    "https://soundcloud.com./x",
  ],
  ...[
    "https://soundcloud.com@evil.example/x",
    "https://ada@soundcloud.com/x",
    "https://a:b@soundcloud.com/x",
  ],
  ...["https://soundcloud.com:8443/x", "https://soundcloud.com/", "https://bandcamp.com/tag/x"],
  ...[
    "https://a.b.bandcamp.com/x",
    "https://bandcamp.com.evil.example/x",
    "https://evil.youtu.be/x",
  ],
  // These lead to any other place.
  ...[
    "https://www.youtube.com/redirect?q=https://evil.example",
    "https://www.youtube.com/watch/../redirect?q=x",
  ],
  ...[
    "https://www.youtube.com/signin?next=x",
    "https://ｅvil.example/",
    "https://sоundcloud.com/x",
  ],
  `https://soundcloud.com/${"x".repeat(300)}`,
])("no link anywhere else is taken: %s", (text) => {
  expect(readReleaseLink(text)).toBeNull();
});

const hosts =
  /^https:\/\/([a-z0-9-]+\.)?(open\.spotify|music\.apple|[a-z0-9-]+\.bandcamp|soundcloud|youtube|tidal|deezer)\.com\/|^https:\/\/youtu\.be\//;

test("whatever is taken is short, at a listed host, and is read as the same again", () => {
  const piece = fc.constantFrom(
    ...["https:", "http:", "//", "/", "\\", "@", ":", ".", "#", "?", "..", "%2e", "%2f", "\t", " "],
    ...[
      "soundcloud.com",
      "youtu.be",
      "bandcamp",
      "ada",
      "evil.example",
      "www",
      "x",
      "ｘ",
      "é",
      "443",
    ],
  );
  const text = fc.array(piece, { maxLength: 9 }).map((parts) => parts.join(""));
  const begun = text.map((rest) => `https://soundcloud.com${rest}`);
  fc.assert(
    fc.property(fc.oneof(text, begun, fc.webUrl()), (written) => {
      const read = readReleaseLink(written);
      if (!read) return;
      expect(read.url).toMatch(hosts);
      expect(read.url.length).toBeLessThanOrEqual(300);
      expect(readReleaseLink(read.url)).toEqual(read);
    }),
    { numRuns: 2_000 },
  );
});
