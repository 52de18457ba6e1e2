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

/** Each piece, as often as it fits into each of the lengths, by name. */
function repeated<Shape>(
  pieces: string[],
  lengths: number[],
  shapeOf: (text: string) => Shape,
): Record<string, Shape> {
  return Object.fromEntries(
    pieces.flatMap((piece) =>
      lengths.map((length) => [`${piece} to ${length}`, shapeOf(filled(piece, length))]),
    ),
  );
}

const pathPieces = [
  ...["/", "\\", "%2F", "%5c", "/a", "/songs", "/%61", ".", "../", "%2e%2e/", "a", "A", "%C3%A4"],
  ...["%25", "%FF", ":", "/*", "%3F", "%20", "%0A", "%00", ";", "-"],
];

/** Paths without a query, by name, like everything here. */
export const paths: Record<string, string> = {
  ...repeated(pathPieces, [1_000, longestAddress], (text) => `/${text}x`),
  "slashes after a route": `/songs/x/rating${filled("/", 15_000)}`,
  "slashes within a route": `/songs${filled("/", 15_000)}x`,
  "half an escape at the end": `/${filled("a", 1_000)}%`,
  "a song's id, 1 KB": `/songs/${filled("x", 990)}/rating`,
  "a song's id, escaped": `/songs/${filled("%2f", 990)}/rating`,
  "the manifest below a path": `/${filled("a/", 900)}__manifest?p=/a`,
  "a file of the build": `/build/${filled("a", 990)}`,
};

const queryPieces = [
  ...[
    "a&",
    "q=1&",
    "&",
    "=",
    "?",
    "/",
    "index&",
    "p=/&",
    "p=/a/b&",
    "token=a.b&",
    "%C3%A4",
    "%",
    "+",
  ],
];
const parameters = ["a", "token", "session_id", "state=x&code", "_data", "p", "menu", "song"];

/** Queries for any page. */
export const queries: Record<string, string> = {
  ...repeated(queryPieces, [3_900, longestAddress], (text) => text),
  ...Object.fromEntries(
    parameters.flatMap((name) => [
      [`${name} of 4 KB`, `${name}=${filled("a.", 3_900)}`],
      [`${name} of 16 KB`, `${name}=${filled("a", longestAddress)}`],
    ]),
  ),
  "a search of 4 KB": `menu=addownsong&q=${filled("a", 3_900)}`,
};

/** Headers for any request. @param cookie a login. */
export function hostileHeaders(cookie: string): Record<string, HeaderList> {
  const agents = [
    ...["Version/", "Version/1 ", "Version/1 Mobile/", "Macintosh ", "Safari/", "bot ", "cubot"],
    ...["http://", "(", "x", " x", "Mozilla/5.0 (", "(compatible; ", "X11; ", "CFNetwork", "1."],
  ];
  // Not Accept-Encoding: Cloudflare sets its own before a Worker sees it, and Miniflare does likewise.
  const names = [
    ...["Accept", "Accept-Language", "Referer", "Origin", "If-None-Match", "If-Modified-Since"],
    ...["Range", "Content-Type", "Authorization", "CF-Connecting-IP", "X-Forwarded-For", "Purpose"],
    ...["Sec-Purpose", "DNT", "Stripe-Signature"],
  ];
  const one =
    (name: string) =>
    (text: string): HeaderList => [[name, text]];
  const several = names.map((name) =>
    Object.entries(repeated(["a,", '"a",', "t=1,v1=0,"], [15_000, large], one(name))).map(
      ([text, list]) => [`${name} of ${text}`, list] as const,
    ),
  );
  return {
    ...repeated(agents, [600, 15_000, 120_000], one("User-Agent")),
    ...Object.fromEntries(several.flat()),
    ...repeated(["a=1; ", ";", "a= x; ", "a=%C3%A4", "a=%"], [8_000, large], one("Cookie")),
    "many cookies of many names": [
      ["Cookie", Array.from({ length: 6_000 }, (_, n) => `a${n}=1`).join("; ")],
    ],
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
      ["Cookie", `${filled("a=1; ", 14_000)}; ${cookie}`],
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

const jsonType = "application/json";
const form = (text: string) => ({ type: formType, body: text });
const json = (text: string) => ({ type: jsonType, body: text });

/** Bodies, whole or in pieces, with their Content-Type. */
export const bodies: Record<string, { type: string; body: string | string[] }> = {
  ...repeated(
    [
      "a=1&",
      "&",
      "score=%C3%A4",
      "score=%",
      "address=a@a.",
      "next=/",
      "trackId=a",
      "sessionId=cs_a",
    ],
    [16_000],
    form,
  ),
  ...repeated(["a=1&"], [large, 2_000_000], form),
  "one field of 16 KB": form(`score=${filled("x", 16_000)}`),
  "an address of dots": form(`address=${filled("a.", 240)}@b.example`),
  "a way back of slashes": form(`next=/${filled("/", 290)}x`),
  nothing: form(""),
  "parts, 16 KB": { type: multipart, body: `${filled(part("a"), 15_900)}\r\n--b--\r\n` },
  "parts of many names": {
    type: multipart,
    body: `${Array.from({ length: 250 }, (_, n) => part(`a${n}`)).join("")}--b--\r\n`,
  },
  "a part of dashes": { type: multipart, body: `${part("a", filled("\r\n--", 15_800))}--b--\r\n` },
  "a part with many headers": {
    type: multipart,
    body: `--b\r\n${filled("X-A: b\r\n", 15_000)}\r\nx\r\n--b--\r\n`,
  },
  "a boundary of 8 KB": {
    type: `multipart/form-data; boundary=${filled("b", 8_000)}`,
    body: filled("--b", 16_000),
  },
  ...repeated(["[", '{"a":', "{"], [16_000, 200_000], json),
  "JSON of many fields": json(`{${Array.from({ length: 1_600 }, (_, n) => `"${n}":1`).join()}}`),
  "JSON of equal fields": json(`{${filled('"a":1,', 15_996)}"a":1}`),
  "JSON, one long text": json(`{"score":"${filled("x", 16_000)}"}`),
  "JSON, a long number": json(`{"score":${filled("9", 16_000)}}`),
  "16 KB in pieces of one byte": { type: formType, body: [...filled("a", 16_000)] },
  "200 KB in pieces of 100 bytes": {
    type: formType,
    body: Array.from({ length: 2_000 }, () => filled("a", 100)),
  },
};
