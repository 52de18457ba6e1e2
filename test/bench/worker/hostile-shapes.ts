/** Ways to overload a request: everything in it that can be long, numerous, nested or odd. */

/** Headers in the order in which they are sent. */
export type HeaderList = [name: string, value: string][];

/** The longest request line or header that workerd itself accepts. */
const large = 60_000;
/** Cloudflare's limit for URLs is 16 KB, including scheme and host. */
const longestAddress = 15_900;
const formType = "application/x-www-form-urlencoded";

function filled(piece: string, length = large): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/** Paths without a query, by name, like everything here. */
export const paths: Record<string, string> = {
  "slashes and an x": `/${filled("/", 15_000)}x`,
  "slashes before an x, 1,000": `/${filled("/", 1_000)}x`,
  "slashes and an x, 16 KB": `/${filled("/", longestAddress)}x`,
  "a route and slashes": `/songs/x/rating${filled("/", 15_000)}`,
  "slashes within a route": `/songs${filled("/", 15_000)}x`,
  backslashes: `/${filled("\\", 15_000)}x`,
  "encoded slashes": `/${filled("%2F", longestAddress)}x`,
  "encoded slashes, 1 KB": `/${filled("%2F", 999)}x`,
  "encoded backslashes": `/${filled("%5c", 999)}x`,
  "segments, 1 KB": filled("/a", 1_000),
  "segments of songs, 1 KB": filled("/songs", 1_020),
  "segments, 16 KB": filled("/a", longestAddress),
  "encoded segments, 1 KB": filled("/%61", 1_020),
  "dots, 1 KB": `/${filled(".", 1_000)}`,
  "dots and slashes": `/${filled("../", longestAddress)}x`,
  "dots and slashes, encoded": `/${filled("%2e%2e/", 1_001)}x`,
  "one long segment": `/${filled("a", longestAddress)}`,
  "one segment, 1 KB": `/${filled("a", 1_000)}`,
  "escapes, 1 KB": `/${filled("%C3%A4", 1_020)}`,
  "double escapes, 1 KB": `/${filled("%25", 1_020)}`,
  "escapes that cannot be decoded": `/${filled("%FF", 999)}`,
  "half an escape at the end": `/${filled("a", 1_000)}%`,
  "escapes, 16 KB": `/${filled("%C3%A4", longestAddress)}`,
  colons: `/${filled(":", 1_000)}`,
  "stars and slashes": filled("/*", 1_000),
  "question marks, encoded": `/${filled("%3F", 999)}`,
  "spaces, encoded": `/${filled("%20", 999)}`,
  "line feeds, encoded": `/${filled("%0A", 999)}`,
  "zeros, encoded": `/${filled("%00", 999)}`,
  semicolons: `/${filled(";", 1_000)}`,
  "a song's id, 1 KB": `/songs/${filled("x", 990)}/rating`,
  "a song's id, escaped": `/songs/${filled("%2f", 990)}/rating`,
  "the manifest below a path": `/${filled("a/", 900)}__manifest?p=/a`,
  "unmatched, upper case": `/${filled("A", 1_000)}`,
  dashes: `/${filled("-", 1_000)}`,
  "a file of the build": `/build/${filled("a", 990)}`,
};

/** Queries for any page. */
export const queries: Record<string, string> = {
  "one parameter of 16 KB": `a=${filled("a", longestAddress)}`,
  "thousands of parameters": filled("a&", longestAddress),
  "thousands of equal parameters": filled("q=1&", longestAddress),
  ampersands: filled("&", longestAddress),
  "equal signs": filled("=", longestAddress),
  escapes: `a=${filled("%C3%A4", longestAddress)}`,
  "half escapes": `a=${filled("%", longestAddress)}`,
  pluses: `a=${filled("+", longestAddress)}`,
  "question marks": filled("?", longestAddress),
  slashes: filled("/", longestAddress),
  "a token of 16 KB": `token=${filled("a", longestAddress)}`,
  "a token of dots": `token=${filled("a.", longestAddress)}`,
  "a token of 4 KB": `token=${filled("a.b", 4_000)}`,
  tokens: filled("token=a.b&", longestAddress),
  "a checkout of 16 KB": `session_id=cs_${filled("a", longestAddress)}`,
  "a checkout of 4 KB": `session_id=cs-${filled("a", 4_000)}`,
  "a code of 16 KB": `state=x&code=${filled("a", longestAddress)}`,
  "a code of 4 KB": `state=x&code=${filled("a", 3_900)}`,
  "many index parameters": filled("index&", longestAddress),
  "many index parameters, 4 KB": filled("index&", 4_000),
  _data: "_data=root",
  "_data of 4 KB": `_data=${filled("a", 3_900)}`,
  "manifest's paths": `p=${filled("/a", 290)}`,
  "manifest's many paths": filled("p=/&", 299),
  "manifest's paths, 16 KB": filled("p=/a/b&", longestAddress),
  "a menu of 16 KB": `menu=${filled("a", longestAddress)}`,
  "a search of 4 KB": `menu=addownsong&q=${filled("a", 3_900)}`,
  "parameters, 4 KB": filled("a&", 4_000),
  "escapes, 4 KB": `a=${filled("%C3%A4", 3_900)}`,
  "a song of 4 KB": `song=${filled("%22", 3_900)}`,
};

/** Headers for any request. @param cookie a login. */
export function hostileHeaders(cookie: string): Record<string, HeaderList> {
  const [name = "", value = ""] = cookie.split(/=(.*)/);
  const agents: Record<string, string> = {
    "Version/": "Version/",
    "Version/1 ": "Version/1 ",
    "Version/1 Mobile/": "Version/1 Mobile/",
    "Macintosh ": "Macintosh ",
    "Safari/": "Safari/",
    bots: "bot ",
    "bots at an end": "cubot",
    addresses: "http://",
    brackets: "(",
    x: "x",
    spaces: " x",
    "Mozilla/5.0 ": "Mozilla/5.0 (",
    "(compatible; ": "(compatible; ",
    "X11; ": "X11; ",
    CFNetwork: "CFNetwork",
    digits: "1.",
    "at signs": "a@b.",
  };
  const few = [600, 15_000, 120_000];
  return {
    ...Object.fromEntries(
      Object.entries(agents).flatMap(([of, piece]) =>
        few.map((size) => [
          `User-Agent of ${of}, ${size / 1000} KB`,
          [["User-Agent", filled(piece, size)]] as HeaderList,
        ]),
      ),
    ),
    ...Object.fromEntries(
      // Not Accept-Encoding: Cloudflare sets its own before a Worker sees it, and Miniflare does likewise.
      [
        "Accept",
        "Accept-Language",
        "Referer",
        "Origin",
        "If-None-Match",
        "If-Modified-Since",
        "Range",
        "Content-Type",
        "Authorization",
        "CF-Connecting-IP",
        "X-Forwarded-For",
        "Purpose",
        "Sec-Purpose",
        "DNT",
        "Stripe-Signature",
      ].flatMap((header) =>
        ["a,", '"a",', "t=1,v1=0,"].flatMap((piece) =>
          [15_000, large].map((size) => [
            `${header} of ${piece}, ${size / 1000} KB`,
            [[header, filled(piece, size)]] as HeaderList,
          ]),
        ),
      ),
    ),
    "a cookie of 60 KB": [["Cookie", `a=${filled("a")}`]],
    "a cookie of 8 KB": [["Cookie", `a=${filled("a", 8_000)}`]],
    "many cookies, 60 KB": [["Cookie", filled("a=1; ")]],
    "many cookies, 8 KB": [["Cookie", filled("a=1; ", 8_000)]],
    "many cookies of many names": [
      ["Cookie", Array.from({ length: 6_000 }, (_, n) => `a${n}=1`).join("; ")],
    ],
    "many cookies of many names, 8 KB": [
      ["Cookie", Array.from({ length: 900 }, (_, n) => `a${n}=1`).join("; ")],
    ],
    "semicolons as cookies": [["Cookie", filled(";")]],
    "semicolons as cookies, 8 KB": [["Cookie", filled(";", 8_000)]],
    "spaces as cookies, 8 KB": [["Cookie", `a${filled(" ", 8_000)}=1`]],
    "spaces within a cookie, 60 KB": [["Cookie", `a=${filled(" x")}`]],
    "escaped cookies, 8 KB": [["Cookie", `a=${filled("%C3%A4", 8_000)}`]],
    "broken escapes as a cookie, 8 KB": [["Cookie", `a=${filled("%", 8_000)}`]],
    ...Object.fromEntries(
      ["__Host-session", "__Host-bookmark", "__Host-login"].flatMap((own) => [
        ...[8_000, 15_000, large].flatMap((size) => [
          [`${own} of ${size / 1000} KB`, [["Cookie", `${own}=${filled("a", size)}`]]],
          [
            `${own} with a signature, ${size / 1000} KB`,
            [["Cookie", `${own}=${filled("QUFB", size)}.${filled("a", 43)}`]],
          ],
          [`${own} of dots, ${size / 1000} KB`, [["Cookie", `${own}=${filled("a.", size)}`]]],
          [`${own} of escapes, ${size / 1000} KB`, [["Cookie", `${own}=${filled("%2B", size)}`]]],
        ]),
        [`${own} again and again`, [["Cookie", filled(`${own}=a.b; `, 14_000)]]],
      ]),
    ),
    "the login's cookie after 14 KB of others": [
      ["Cookie", `${filled("a=1; ", 14_000)}; ${name}=${value}`],
    ],
    ...Object.fromEntries(
      [50, 100, 500, 1_500].flatMap((count) => [
        [`${count} headers`, Array.from({ length: count }, (_, n) => [`X-Header-${n}`, "x"])],
        [`${count} equal headers`, Array.from({ length: count }, () => ["X-Header", "x"])],
        [`${count} Accept headers`, Array.from({ length: count }, () => ["Accept", "text/html"])],
        [`${count} Cookie headers`, Array.from({ length: count }, () => ["Cookie", "a=1"])],
      ]),
    ),
    "a header's name of 8 KB": [[`X-${filled("a", 8_000)}`, "x"]],
    "a header's name of 60 KB": [[`X-${filled("a")}`, "x"]],
    "another site's Origin": [["Origin", "https://elsewhere.example"]],
    "wants JSON": [["Accept", "application/json"]],
    "no headers at all": [],
  } as Record<string, HeaderList>;
}

const multipart = "multipart/form-data; boundary=b";
const part = (name: string, value = "x") =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** Bodies, whole or in pieces, with their Content-Type. */
export const bodies: Record<string, { type: string; body: string | string[] }> = {
  "fields, 16 KB": { type: formType, body: filled("a=1&", 16_000) },
  "ampersands, 16 KB": { type: formType, body: filled("&", 16_000) },
  "escapes, 16 KB": { type: formType, body: `score=${filled("%C3%A4", 16_000)}` },
  "broken escapes, 16 KB": { type: formType, body: `score=${filled("%", 16_000)}` },
  "one field of 16 KB": { type: formType, body: `score=${filled("x", 16_000)}` },
  "an address of 16 KB": { type: formType, body: `address=${filled("a@a.", 16_000)}` },
  "an address of dots": { type: formType, body: `address=${filled("a.", 240)}@b.example` },
  "a way back of 16 KB": { type: formType, body: `next=${filled("/", 16_000)}` },
  "a way back of slashes": { type: formType, body: `next=/${filled("/", 290)}x` },
  "a track of 16 KB": { type: formType, body: `trackId=${filled("a", 16_000)}` },
  "a checkout of 16 KB": { type: formType, body: `sessionId=cs_${filled("a", 16_000)}` },
  "too much, 60 KB": { type: formType, body: filled("a=1&") },
  "far too much, 2 MB": { type: formType, body: filled("a=1&", 2_000_000) },
  "parts, 16 KB": { type: multipart, body: `${filled(part("a"), 15_900)}\r\n--b--\r\n` },
  "parts of many names": {
    type: multipart,
    body: `${Array.from({ length: 250 }, (_, n) => part(`a${n}`)).join("")}--b--\r\n`,
  },
  "a part of dashes": { type: multipart, body: `${part("a", filled("\r\n--", 15_800))}--b--\r\n` },
  "a part within parts": {
    type: multipart,
    body: filled(`--b\r\nContent-Type: ${multipart}\r\n\r\n`, 16_000),
  },
  "a part with many headers": {
    type: multipart,
    body: `--b\r\n${filled("X-A: b\r\n", 15_000)}\r\nx\r\n--b--\r\n`,
  },
  "a boundary of 8 KB": {
    type: `multipart/form-data; boundary=${filled("b", 8_000)}`,
    body: filled("--b", 16_000),
  },
  "JSON, arrays in arrays": { type: "application/json", body: filled("[", 16_000) },
  "JSON, objects in objects": { type: "application/json", body: filled('{"a":', 16_000) },
  "JSON, closed arrays": {
    type: "application/json",
    body: `{"a":${filled("[", 8_000)}${filled("]", 8_000)}}`,
  },
  "JSON of many fields": {
    type: "application/json",
    body: `{${Array.from({ length: 1_600 }, (_, n) => `"${n}":1`).join()}}`,
  },
  "JSON of equal fields": { type: "application/json", body: `{${filled('"a":1,', 15_996)}"a":1}` },
  "JSON, one long text": { type: "application/json", body: `{"score":"${filled("x", 16_000)}"}` },
  "JSON of escapes": { type: "application/json", body: `{"score":"${filled("\\ud800", 15_996)}"}` },
  "JSON, a long number": { type: "application/json", body: `{"score":${filled("9", 16_000)}}` },
  "text, 16 KB": { type: "text/plain", body: filled("x", 16_000) },
  "an event of 200 KB": { type: "application/json", body: filled("{", 200_000) },
  "16 KB in pieces of one byte": { type: formType, body: [...filled("a", 16_000)] },
  "16 KB in pieces of 100 bytes": {
    type: formType,
    body: Array.from({ length: 160 }, () => filled("a", 100)),
  },
  "200 KB in pieces of 100 bytes": {
    type: formType,
    body: Array.from({ length: 2_000 }, () => filled("a", 100)),
  },
  nothing: { type: formType, body: "" },
};
