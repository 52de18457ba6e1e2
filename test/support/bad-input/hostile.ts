/**
 * Requests that no browser would send: malformed, oversized, of the wrong type or encoding, hostile.
 * Pure: the same arguments give the same requests. Each has one fault and is valid otherwise, so
 * that no refusal hides another.
 */

import {
  elsewhere,
  jsonValues,
  markup,
  pick,
  take,
  texts,
  wellFormed,
  worst,
} from "./hostile-texts";

/** A request to the app, and its fault. */
export interface HostileRequest {
  fault: string;
  method: string;
  /** The path and query exactly as they are sent. */
  path: string;
  headers: Record<string, string>;
  body: BodyInit | null;
}

/** The values from which requests are made. */
export interface Ingredients {
  /** Values in [0, 1). */
  random(): number;
  /** For the dynamic segments of paths: ids of the user's own songs and of others'. */
  ids: string[];
  /** The names of fields and query parameters that any route reads. */
  names: string[];
  /** Valid fields, for requests that must be refused although these are valid. */
  valid: Record<string, string>;
  /** The login, unless the fault is a cookie; "" for none. */
  cookie: string;
}

/** All methods that are tried; the app knows nothing of the last one. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

const formType = "application/x-www-form-urlencoded";
const jsonType = "application/json";

/** The hostile requests for one route, whose path is as Remix writes it: `songs/:songId/play`. */
export function hostileRequests(route: string, from: Ingredients): HostileRequest[] {
  const { random } = from;
  const fill = (value: () => string) => `/${route.replaceAll(/:\w+|\*/g, value)}`;
  const sound = () => fill(() => pick(from.ids, random));
  const mostly = () => pick(["GET", "POST"], random);
  const plain = (path: string, method: string) => request(`plain ${method}`, method, path, from);

  const requests = [
    ...methods.map((method) => plain(sound(), method)),
    ...addresses(route, fill, from).map(({ fault, path }) => request(fault, mostly(), path, from)),
    ...headers().map(({ fault, ...one }) => request(fault, mostly(), sound(), from, one)),
    ...origins().map(({ fault, ...one }) =>
      request(fault, "POST", sound(), from, one, new URLSearchParams(from.valid).toString()),
    ),
    ...bodies(from).map(({ fault, type, body }) =>
      request(fault, "POST", sound(), from, { "Content-Type": type }, body),
    ),
    ...fields(from).map(({ fault, type, body }) =>
      request(fault, "POST", sound(), from, { "Content-Type": type }, body),
    ),
  ];
  // Some requests again with methods for which no route has an action.
  const others = methods.filter((method) => method !== "GET" && method !== "POST");
  const again = others.flatMap((method) =>
    [1, 2].map(() => {
      const one = pick(requests, random);
      return { ...one, method, body: method === "HEAD" ? null : one.body };
    }),
  );
  return [...requests, ...again];
}

/**
 * Requests in which one value after the other is replaced by the worst texts and some others, in the
 * query and in a form or as JSON, while the other values are valid.
 */
export function oneByOne(route: string, names: string[], from: Ingredients): HostileRequest[] {
  const { random, ids, valid } = from;
  const path = () => `/${route.replaceAll(/:\w+|\*/g, () => pick(ids, random))}`;
  return names.flatMap((name) =>
    [...worst, ...take(texts, 6, random)].flatMap((text) => {
      const fault = `${name} is ${JSON.stringify(text.slice(0, 30))}`;
      const fields = { ...valid, [name]: wellFormed(text) };
      const query = `${path()}?${new URLSearchParams(fields)}`;
      const json = random() < 0.5;
      const type = { "Content-Type": json ? jsonType : formType };
      const body = json
        ? JSON.stringify({ ...fields, [name]: text })
        : new URLSearchParams(fields).toString();
      return [request(fault, "GET", query, from), request(fault, "POST", path(), from, type, body)];
    }),
  );
}

/** One request. By default it posts a form that no route accepts. */
function request(
  fault: string,
  method: string,
  path: string,
  { cookie, valid, random }: Ingredients,
  headers: Record<string, string> = {},
  body: BodyInit | null = new URLSearchParams(useless(valid)).toString(),
): HostileRequest {
  const sent: Record<string, string> = {
    Accept: pick(["text/html", jsonType], random),
    ...(cookie && { Cookie: cookie }),
    ...(method === "GET" || method === "HEAD" ? {} : { "Content-Type": formType }),
    ...headers,
  };
  // The runtime does not allow a GET to have a body.
  return {
    ...{ fault, method, path, headers: sent },
    body: method === "GET" || method === "HEAD" ? null : body,
  };
}

/** The same names, with values that no route accepts. */
function useless(valid: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.keys(valid).map((name) => [name, "of no use"]));
}

function addresses(route: string, fill: (value: () => string) => string, from: Ingredients) {
  const { random, ids, names } = from;
  const sound = fill(() => pick(ids, random));
  const text = () => encodeURIComponent(wellFormed(pick(texts, random)));
  const query = () => names.map((name) => `${name}=${text()}`).join("&");
  const paths = {
    "a query of nonsense": `${sound}?${query()}`,
    "another query of nonsense": `${sound}?${query()}`,
    "a query that does not decode": `${sound}?%=%&%ff=%ff&=&&&a=%00&+`,
    "a query of doubles and brackets": `${sound}?${names.map((name) => `${name}[]=1&${name}=2`).join("&")}`,
    "a long query": `${sound}?${names.map((name) => `${name}=${"x".repeat(2000)}`).join("&")}`,
    "an index": `${sound}?index`,
    "a data request": `${sound}?_data=routes/${encodeURIComponent(route)}&${query()}`,
    "a data request for no route": `${sound}?_data=&_data`,
    "a data request for a strange route": `${sound}?_data=__proto__,root,,${text()}`,
    "a data request for another route": `${sound}?_data=routes%2F${text()}`,
    slashes: `/${sound.replaceAll("/", "//")}//`,
    "an encoded slash": `${sound}%2f..%2f`,
    "a parameter in the path": `${sound};jsessionid=1`,
    capitals: sound.toUpperCase(),
    "more path": `${sound}/${text()}`,
    "a NUL": `${sound}%00`,
    "what does not decode": `${sound}%E0%A4%A`,
  };
  const named = Object.entries(paths).map(([fault, path]) => ({ fault, path }));
  if (!route.includes(":")) return named;
  const strange = take(texts, 8, random).map((value) => ({
    fault: `the segment ${JSON.stringify(value.slice(0, 30))}`,
    path: fill(() => encodeURIComponent(wellFormed(value))),
  }));
  return [...named, ...strange];
}

/** Posts from other sites, which are refused even though everything else is valid. */
function origins(): { fault: string; Origin: string }[] {
  return [
    { fault: "another origin", Origin: `https://${elsewhere}` },
    { fault: "an origin that is no URL", Origin: "https://[" },
    { fault: "an opaque origin", Origin: "null" },
  ];
}

/** Faulty headers; a Cookie replaces the login. */
function headers(): { fault: string; [name: string]: string }[] {
  const huge = "x".repeat(65_536);
  return [
    { fault: "an Accept of nothing", Accept: "" },
    { fault: "an Accept of nonsense", Accept: "text/html;q=,;;,*/*;q=9,application/json;q=-1" },
    { fault: "a huge Accept", Accept: `text/html,${huge}` },
    { fault: "a length that is a lie", "Content-Length": "999999999999" },
    { fault: "a length that is no number", "Content-Length": "-1e9x" },
    { fault: "a huge cookie", Cookie: `__Host-session=${huge}` },
    { fault: "ten thousand cookies", Cookie: "a=b; ".repeat(10_000) },
    { fault: "a cookie that does not decode", Cookie: "__Host-session=%E0%A4%A.%; =;;=" },
    { fault: "an unsigned cookie", Cookie: "__Host-session=ImFueWJvZHki" },
    {
      fault: "a made-up signature",
      Cookie: "__Host-session=ImFueWJvZHki.AAAA; __Host-login=e30.AA",
    },
    { fault: "a forwarded host", "X-Forwarded-Host": elsewhere, "X-Forwarded-Proto": "gopher" },
    { fault: "another method by header", "X-HTTP-Method-Override": "DELETE" },
    { fault: "a strange range", Range: "bytes=-1,5-2,999999-", "If-None-Match": '"' },
    { fault: "markup in headers", "User-Agent": markup[0] ?? "", Referer: markup[1] ?? "" },
    { fault: "a crawler", "User-Agent": `Googlebot ${huge}`, "Accept-Language": "*;q=x" },
    { fault: "a made-up event", "Stripe-Signature": "t=1,v1=00,v1=,v0=;t=NaN" },
  ];
}

interface Body {
  fault: string;
  type: string;
  body: BodyInit;
}

/** Bodies that cannot be read as their type, although their values are valid. */
function bodies({ valid }: Ingredients): Body[] {
  const form = new URLSearchParams(valid).toString();
  const json = JSON.stringify(valid);
  const parts = Object.entries(valid)
    .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`)
    .join("\r\n");
  const bytes = (text: string, change: (code: number) => number) =>
    Uint8Array.from(text, (character) => change(character.charCodeAt(0)));
  return [
    { fault: "a form as text", type: "text/plain", body: form },
    { fault: "a form as XML", type: "application/xml", body: form },
    { fault: "a type that is none", type: "x", body: form },
    { fault: "no type", type: "", body: form },
    { fault: "a form as JSON", type: jsonType, body: form },
    { fault: "JSON as a form", type: formType, body: json },
    { fault: "JSON cut short", type: jsonType, body: json.slice(0, -2) },
    { fault: "JSON twice", type: jsonType, body: `${json}${json}` },
    { fault: "JSON in an array", type: jsonType, body: `[${json}]` },
    { fault: "JSON one level too deep", type: jsonType, body: `{"__proto__":${json},"a":${json}}` },
    { fault: "JSON in UTF-16", type: jsonType, body: new Uint16Array(bytes(json, (c) => c)) },
    { fault: "JSON of arrays", type: jsonType, body: JSON.stringify(mapValues(valid, (v) => [v])) },
    { fault: "deep JSON", type: jsonType, body: `${"[".repeat(8000)}${"]".repeat(8000)}` },
    { fault: "parts without a boundary", type: "multipart/form-data", body: `${parts}\r\n--b--` },
    {
      fault: "parts with another boundary",
      type: "multipart/form-data; boundary=c",
      body: `${parts}\r\n--b--`,
    },
    { fault: "parts cut short", type: "multipart/form-data; boundary=b", body: parts },
    { fault: "a form too large", type: formType, body: `${form}&x=${"x".repeat(17_000)}` },
    { fault: "a form of 1 MB", type: formType, body: `${form}&x=${"x".repeat(1_000_000)}` },
    {
      fault: "JSON of 1 MB",
      type: jsonType,
      body: `${json.slice(0, -1)},"x":"${"x".repeat(1_000_000)}"}`,
    },
    { fault: "no text at all", type: formType, body: bytes(form, (code) => code | 0x80) },
    {
      fault: "a gzipped form",
      type: `${formType}; charset=gzip`,
      body: bytes(form, (c) => c ^ 31),
    },
  ];
}

/** Readable bodies with values that make no sense. */
function fields({ random, valid, names }: Ingredients): Body[] {
  const all = [...new Set([...names, ...Object.keys(valid)])];
  const made: Body[] = [];
  for (let n = 1; n <= 2; n += 1) {
    const values = all.map((name): [string, string] => [name, wellFormed(pick(texts, random))]);
    const many = values.flatMap(([name, value]) => [
      `${name}=5`,
      `${name}=${encodeURIComponent(value)}`,
    ]);
    made.push(
      { fault: `fields (${n})`, type: formType, body: new URLSearchParams(values).toString() },
      { fault: `each field twice (${n})`, type: formType, body: many.join("&") },
      {
        fault: `JSON of anything (${n})`,
        type: `${jsonType}; charset=utf-16`,
        body: JSON.stringify(
          Object.fromEntries(all.map((name) => [name, pick([...jsonValues, ...texts], random)])),
        ),
      },
    );
  }
  return [
    ...made,
    { fault: "an empty form", type: formType, body: "" },
    { fault: "separators alone", type: formType, body: "&&=&=%&%zz=%zz" },
    { fault: "brackets", type: formType, body: all.map((name) => `${name}[0][a]=3`).join("&") },
    { fault: "JSON null", type: jsonType, body: "null" },
    { fault: "a JSON text", type: jsonType, body: '"score=3"' },
    { fault: "bytes that are no UTF-8", type: formType, body: Uint8Array.of(115, 61, 255, 192, 0) },
    {
      fault: "a file for every field",
      type: "multipart/form-data; boundary=b",
      body: files(valid),
    },
  ];
}

function files(valid: Record<string, string>): string {
  const parts = Object.entries(valid).map(
    ([name, value]) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--b--`;
}

function mapValues(record: Record<string, string>, change: (value: string) => unknown) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
