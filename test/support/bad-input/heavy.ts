/** Requests that are designed to be expensive: everything in them that can be long, numerous, nested or odd. */
import fc, { type Arbitrary, type MaybeWeightedArbitrary } from "fast-check";
import { markup } from "./hostile-texts.ts";

/** A request as it is sent. */
export interface HeavyRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string | string[]>;
  body: string;
  /** The bytes that are sent at once; the length is declared only of a body that is sent whole. */
  piece?: number;
}

function words(text: string): string[] {
  return text.split(" ");
}

/** What is repeated until it is long. */
const pieces = [
  ...words(
    String.raw`a / \ & = % + ? . ; : * - A ( [ { 9 %2F %5c %C3%A4 %25 %FF %00 %0A ../ %2e%2e/ /a /songs /%61 a/ a& q=1&`,
  ),
  ...words(
    String.raw`token=a.b& index& p=/a/b& a. a.b "a", t=1,v1=0, a@b. cubot http:// 1. {"a": "a":1, \ud800 --b`,
  ),
  ...[
    " ",
    " x",
    "a=1; ",
    "Version/1 Mobile/",
    "Macintosh ",
    "bot ",
    "Mozilla/5.0 (",
    "(compatible; ",
    "X11; ",
  ],
  ...["\r\n--", "X-A: b\r\n", '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'],
  ...markup,
];
/** Cloudflare's limit for URLs is 16 KB, and for all headers 128 KB. */
const sizes = {
  address: [1000, 15_900],
  header: [8000, 60_000],
  body: [16_000, 200_000],
};

function long(sizesOfPlace: number[]): Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...pieces), fc.constantFrom(...sizesOfPlace))
    .map(([piece, size]) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size));
}

/** What can stand in an address or a header, as a browser would send it. */
function sendable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (char) => encodeURIComponent(char.toWellFormed()));
}

const address = long(sizes.address).map((text) =>
  sendable(text).replaceAll(" ", "%20").slice(0, 15_900),
);
const targets = words(
  "no-such-page faq account ratings-of-my-songs player/token health auth/spotify/callback login webhooks/stripe " +
    "webhooks/resend checkout-session/lookup songs/x/rating submissions unsubscribe?token=x confirm-email?token=x " +
    "try?visit=x&score=4 try.wav?visit=x",
);
const queries = words(" a= token= session_id=cs_ state=x&code= _data= menu=addownsong&q= song= p=");
const headerNames = words(
  "User-Agent Accept Accept-Language Referer Origin If-None-Match If-Modified-Since Range Content-Type " +
    "Authorization CF-Connecting-IP X-Forwarded-For Purpose Stripe-Signature",
);
const cookies = words(" a= __Host-session= __Host-login= __Host-bookmark= __Host-session=QUFB.");
const types = [
  "multipart/form-data; boundary=b",
  "application/json",
  "application/x-www-form-urlencoded",
];
const fields = words(` score= address= next=/ trackId= sessionId=cs_ {"score":" --b\r\n`);
const methods = words("PUT DELETE OPTIONS PATCH TRACE PROPFIND HEAD");
const place = fc.constantFrom("", ...targets);

/** @param cookie a login, of which some requests make use. */
export function heavyRequest(cookie: string): Arbitrary<HeavyRequest> {
  const usual = fc.record({
    method: fc.constantFrom("GET", "POST"),
    path: place.map((path) => `/${path}`),
    headers: fc.constantFrom({}, { Cookie: cookie }, { Accept: "application/json" }),
  });
  const start = fc.constantFrom("/", "/songs", "/songs/x/rating/", "/build/", "/songs/");
  const header = long(sizes.header).map(sendable);
  const heavy = fc.oneof<MaybeWeightedArbitrary<Partial<HeavyRequest>>[]>(
    fc.tuple(start, address).map(([path, text]) => ({ path: path + text.replaceAll("?", "%3F") })),
    {
      weight: 3,
      arbitrary: fc
        .tuple(place, fc.constantFrom("", ...queries), address)
        .map(([path, name, text]) => ({
          path: `/${path}${path.includes("?") ? "&" : "?"}${name}${text}`,
        })),
    },
    fc
      .tuple(fc.constantFrom(...headerNames), header)
      .map(([name, value]) => ({ headers: { [name]: value } })),
    fc.tuple(fc.constantFrom(...cookies), header).map(([name, value]) => ({
      headers: { Cookie: `${name}${value}; ${cookie}` },
    })),
    fc
      .tuple(fc.constantFrom("Accept", "Cookie", "X-Header-"), fc.constantFrom(50, 500, 1500))
      .map(([name, count]) => {
        const many = Array.from({ length: count }, (_, n) => `a${n}=1`);
        const each = Object.fromEntries(
          many.map((value) => [name + value.replace("=", ""), value]),
        );
        return { headers: name.endsWith("-") ? each : { [name]: many } };
      }),
    fc.constantFrom(...methods).map((method) => ({ method })),
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...types),
          fc.constantFrom(...fields),
          long(sizes.body),
          fc.constantFrom(0, 1, 100),
        )
        .map(([type, field, text, piece]) => ({
          ...{ method: "POST", headers: { Cookie: cookie, "Content-Type": type }, piece },
          body: field + (piece ? text.slice(0, piece * 2000) : text),
        })),
    },
  );
  return fc.tuple(usual, heavy).map(([base, given]) => ({
    ...{ ...base, body: "", ...given },
    headers: { ...base.headers, ...given.headers },
  }));
}
