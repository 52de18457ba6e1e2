/** Requests that no browser would send. Each has one fault, so that no refusal hides another. */
import fc, { type Arbitrary } from "fast-check";
import { elsewhere, jsonValues, markup, texts, wellFormed, worst } from "./hostile-texts.ts";

export interface HostileRequest {
  method: string;
  /** The path and query exactly as they are sent. */
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | null;
}

interface Ingredients {
  /** For the dynamic segments of paths: ids of the user's own songs and of others'. */
  ids: string[];
  names: string[];
  /** Valid fields, for requests that must be refused although these are valid. */
  valid: Record<string, string>;
  /** The login, unless the fault is a cookie; "" for none. */
  cookie: string;
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];
const formType = "application/x-www-form-urlencoded";
const jsonType = "application/json";
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
);
const encoded = text.map((value) => encodeURIComponent(wellFormed(value)));

type Fault = Partial<HostileRequest> & { type?: string };

/** A hostile request for a route, whose path is as Remix writes it: `songs/:songId/play`. */
export function hostileRequest(route: string, from: Ingredients): Arbitrary<HostileRequest> {
  const fault = fc.oneof(
    fc.constantFrom(...methods).map((method): Fault => ({ method })),
    { weight: 3, arbitrary: addresses(route, from).map((path): Fault => ({ path })) },
    { weight: 2, arbitrary: strangeHeaders.map((headers): Fault => ({ headers })) },
    fc.constantFrom(`https://${elsewhere}`, "https://[", "null").map(
      (Origin): Fault => ({
        method: "POST",
        headers: { Origin },
        body: new URLSearchParams(from.valid).toString(),
      }),
    ),
    { weight: 3, arbitrary: unreadable(from.valid) },
    { weight: 2, arbitrary: senseless(from) },
  );
  return request(route, from, fault);
}

/** One value is hostile, in the query, a form or JSON, and all others are valid. */
export function oneHostileValue(
  route: string,
  names: string[],
  from: Ingredients,
): Arbitrary<HostileRequest> {
  const value = fc.oneof(fc.constantFrom(...worst), text);
  const place = fc.constantFrom("query", "form", "json");
  const fault = fc.tuple(fc.constantFrom(...names), value, place).map(([name, hostile, where]) => {
    const fields = { ...from.valid, [name]: wellFormed(hostile) };
    const form = new URLSearchParams(fields).toString();
    const method = "POST";
    if (where === "query") return { method: "GET", path: `?${form}` };
    if (where === "form") return { method, body: form };
    return { method, type: jsonType, body: JSON.stringify({ ...fields, [name]: hostile }) };
  });
  return request(route, from, fault);
}

/** A request with this fault. Otherwise it is a GET, or posts a form that no route accepts. */
function request(
  route: string,
  { ids, valid, cookie }: Ingredients,
  fault: Arbitrary<Fault>,
): Arbitrary<HostileRequest> {
  const useless = Object.fromEntries(Object.keys(valid).map((name) => [name, "of no use"]));
  const usual = {
    method: fc.constantFrom("GET", "POST"),
    path: fc.constantFrom(...ids).map((id) => filled(route, id)),
    Accept: fc.constantFrom("text/html", jsonType),
  };
  return fc.tuple(fault, fc.record(usual)).map(([{ type = formType, ...given }, made]) => {
    const method = given.method ?? made.method;
    const path = given.path?.startsWith("?") ? made.path + given.path : (given.path ?? made.path);
    // The runtime does not allow a GET to have a body.
    const isRead = method === "GET" || method === "HEAD";
    return {
      method,
      path,
      headers: {
        Accept: made.Accept,
        ...(cookie && { Cookie: cookie }),
        ...(isRead ? {} : { "Content-Type": type }),
        ...given.headers,
      },
      body: isRead ? null : (given.body ?? new URLSearchParams(useless).toString()),
    };
  });
}

function filled(route: string, value: string): string {
  return `/${route.replaceAll(/:\w+|\*/g, value)}`;
}

function addresses(route: string, { ids, names }: Ingredients): Arbitrary<string> {
  const query = fc.record(Object.fromEntries(names.map((name) => [name, encoded]))).map((values) =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}`)
      .join("&"),
  );
  const made = fc.tuple(fc.constantFrom(...ids), query, encoded).chain(([id, values, one]) => {
    const sound = filled(route, id);
    return fc.constantFrom(
      `${sound}?${values}`,
      `${sound}?%=%&%ff=%ff&=&&&a=%00&+`,
      `${sound}?${names.map((name) => `${name}[]=1&${name}=2`).join("&")}`,
      `${sound}?${names.map((name) => `${name}=${"x".repeat(2000)}`).join("&")}`,
      `${sound}?index`,
      // Data requests: for this route, for none, for a strange one, for another.
      `${sound}?_data=routes/${encodeURIComponent(route)}&${values}`,
      `${sound}?_data=&_data`,
      `${sound}?_data=__proto__,root,,${one}`,
      `${sound}?_data=routes%2F${one}`,
      `/${sound.replaceAll("/", "//")}//`,
      `${sound}%2f..%2f`,
      `${sound};jsessionid=1`,
      sound.toUpperCase(),
      `${sound}/${one}`,
      `${sound}%00`,
      `${sound}%E0%A4%A`,
    );
  });
  const segment = encoded.map((value) => filled(route, value));
  return route.includes(":") ? fc.oneof({ weight: 2, arbitrary: made }, segment) : made;
}

const huge = "x".repeat(65_536);

const strangeHeaders = fc.constantFrom<Record<string, string>>(
  { Accept: "" },
  { Accept: "text/html;q=,;;,*/*;q=9,application/json;q=-1" },
  { Accept: `text/html,${huge}` },
  { "Content-Length": "999999999999" },
  { "Content-Length": "-1e9x" },
  { Cookie: `__Host-session=${huge}` },
  { Cookie: "a=b; ".repeat(10_000) },
  { Cookie: "__Host-session=%E0%A4%A.%; =;;=" },
  { Cookie: "__Host-session=ImFueWJvZHki" },
  { Cookie: "__Host-session=ImFueWJvZHki.AAAA; __Host-login=e30.AA" },
  { "X-Forwarded-Host": elsewhere, "X-Forwarded-Proto": "gopher" },
  { "X-HTTP-Method-Override": "DELETE" },
  { Range: "bytes=-1,5-2,999999-", "If-None-Match": '"' },
  { "User-Agent": markup[0] ?? "", Referer: markup[1] ?? "" },
  { "User-Agent": `Googlebot ${huge}`, "Accept-Language": "*;q=x" },
  { "Stripe-Signature": "t=1,v1=00,v1=,v0=;t=NaN" },
);

/** Posts that cannot be read as their type, although their values are valid. */
function unreadable(valid: Record<string, string>): Arbitrary<Fault> {
  const form = new URLSearchParams(valid).toString();
  const json = JSON.stringify(valid);
  const part = ([name, value]: string[]) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const parts = Object.entries(valid).map(part).join("");
  const multipart = ["", "; boundary=b", "; boundary=c"].map((it) => `multipart/form-data${it}`);
  const types = [formType, jsonType, ...multipart, `${formType}; charset=gzip`, "text/plain", "x"];
  const bodies = fc.oneof(
    fc.constantFrom(
      ...[form, json, parts, parts.replaceAll('"\r', '"; filename="a"\r')],
      ...[`${json}${json}`, `[${json}]`, `{"__proto__":${json},"a":${json}}`, json.slice(0, -2)],
      ...[`${"[".repeat(8000)}${"]".repeat(8000)}`, `${json}${" ".repeat(1_000_000)}`],
      ...[17_000, 1_000_000].map((size) => `${form}&x=${"x".repeat(size)}`),
    ),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Uint8Array.from(bytes)),
  );
  const isValid = (type: string, body: unknown) =>
    (type.startsWith(formType) && body === form) || (type === jsonType && body === json);
  return fc
    .tuple(fc.constantFrom(...types, ""), bodies)
    .filter(([type, body]) => !isValid(type, body))
    .map(([type, body]) => ({ method: "POST", type, body }));
}

function senseless({ valid, names }: Ingredients): Arbitrary<Fault> {
  const all = [...new Set([...names, ...Object.keys(valid)])];
  const fields = <T>(value: Arbitrary<T>) =>
    fc.record(Object.fromEntries(all.map((name) => [name, value])));
  const form = (body: string): Fault => ({ method: "POST", body });
  const json = (body: string, type = jsonType): Fault => ({ method: "POST", type, body });
  return fc.oneof(
    fields(text.map(wellFormed)).map((values) => form(new URLSearchParams(values).toString())),
    fields(encoded).map((values) =>
      form(
        Object.entries(values)
          .map(([name, value]) => `${name}=5&${name}=${value}`)
          .join("&"),
      ),
    ),
    fields(fc.oneof(fc.constantFrom(...jsonValues), text, fc.jsonValue())).map((values) =>
      json(JSON.stringify(values), `${jsonType}; charset=utf-16`),
    ),
    fc.constantFrom<Fault>(
      form(""),
      form("&&=&=%&%zz=%zz"),
      form(all.map((name) => `${name}[0][a]=3`).join("&")),
      json("null"),
      json('"score=3"'),
      { method: "POST", body: Uint8Array.of(115, 61, 255, 192, 0) },
    ),
  );
}
