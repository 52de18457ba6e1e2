/** Sends hostile requests, and reports faults in the responses and unwanted changes of the database. */
import { env, exports } from "cloudflare:workers";
import type { HostileRequest } from "../../support/bad-input/hostile";
import { elsewhere, runs } from "../../support/bad-input/hostile-texts";
import { contents, textReader } from "../../support/database/contents";

/** Whose rows a request may change, and in which tables. */
export interface MayChange {
  userId: string;
  tables: string[];
}

/**
 * Watches the database, which is in the same state at each request.
 * @param secrets texts that no response may contain.
 * @returns sends a request, and describes its faults; empty if all is well.
 */
export async function watched(
  secrets: string[],
): Promise<(sent: HostileRequest, mayChange?: MayChange) => Promise<string[]>> {
  const before = await contents();
  const readText = await textReader();
  let text = await readText();
  return async (sent, mayChange) => {
    const faults = await answerFaults(sent, secrets);
    if ((await readText()) !== text) {
      // Another site has no right to anything, but that somebody follows its link to a page.
      const looks = ["GET", "HEAD"].includes(sent.method);
      const allowed = sent.headers.Origin && !looks ? undefined : mayChange;
      faults.push(...changesBeyond(before, await contents(), allowed));
      await restore(before);
      text = await readText();
    }
    return faults;
  };
}

/** Sends a request, with its path exactly as written. */
function send({ method, path, headers, body }: HostileRequest): Promise<Response> {
  const init: RequestInit = { method, headers, body, redirect: "manual" };
  return exports.default.fetch(new Request(`${env.APP_ORIGIN}${path}`, init));
}

async function answerFaults(sent: HostileRequest, secrets: string[]): Promise<string[]> {
  const response = await send(sent);
  const { status, headers } = response;
  const text = await response.text();
  const location = headers.get("Location") ?? "/";
  const leads = new URL(location, env.APP_ORIGIN);
  const faults = {
    [`is a ${status}: ${text.slice(0, 300)}`]: status >= 500,
    "reveals internals, such as a stack trace": revealsInternals(text),
    "repeats the markup unescaped": isPage(headers) && runs(text),
    "reveals a secret": secrets.some(
      (secret) => text.includes(secret) || location.includes(secret),
    ),
    [`leads to ${location}`]: leads.hostname === elsewhere || !/^https?:$/.test(leads.protocol),
    "has no policy": !headers.get("Content-Security-Policy")?.includes("default-src 'none'"),
    "lets its type be guessed": headers.get("X-Content-Type-Options") !== "nosniff",
    "has a header that the request injected":
      headers.has("X-Hostile") || cookies(headers).includes("host"),
    [`is not readable: ${status} ${headers.get("Content-Type")} ${text.slice(0, 300)}`]:
      status >= 400 && sent.method !== "HEAD" && !isReadable(sent, headers, text),
  };
  return Object.keys(faults).filter((fault) => faults[fault]);
}

function cookies(headers: Headers): string {
  return headers
    .getSetCookie()
    .filter((cookie) => !cookie.startsWith("__Host-"))
    .join();
}

function isPage(headers: Headers): boolean {
  return /html|xml/.test(headers.get("Content-Type") ?? "");
}

function revealsInternals(text: string): boolean {
  return /\n\s+at |\\n\s+at |node_modules|build\/index\.js|D1_ERROR|SQLITE|sqlite/.test(text);
}

/** Whether an error has an acceptable form: JSON with an `error`, a page, or a sentence. */
function isReadable({ path }: HostileRequest, headers: Headers, text: string): boolean {
  const type = headers.get("Content-Type") ?? "";
  // Data for the app's own scripts, which make a page of it.
  const isData = headers.has("X-Remix-Catch") || headers.has("X-Remix-Response");
  if (path.includes("_data") && isData) return true;
  if (type.startsWith("application/json")) {
    const error = (JSON.parse(text) as { error?: unknown }).error;
    return typeof error === "string" && error.length > 5;
  }
  if (type.startsWith("text/html")) return /<h1[\s>]/.test(text);
  return type.startsWith("text/plain") && /^[A-Z].*\.$/s.test(text);
}

type Contents = Awaited<ReturnType<typeof contents>>;
type Row = Record<string, unknown>;

/** Tables whose rows do not name their user. */
const unnamed = new Set(["package_songs", "departures", "rating_marks", "declarations"]);

/** The changes beyond what is allowed: of other users' rows, or in other tables. */
function changesBeyond(before: Contents, after: Contents, may?: MayChange): string[] {
  return Object.keys(before).flatMap((table) => {
    const [old, now] = [rowsById(before[table]), rowsById(after[table])];
    const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
      (id) => JSON.stringify(old.get(id)) !== JSON.stringify(now.get(id)),
    );
    return changed.flatMap((id) => {
      const rows = [old.get(id), now.get(id)];
      const allowed =
        may?.tables.includes(table) && (unnamed.has(table) || rows.some(mentions(may.userId)));
      return allowed ? [] : [`changes ${table}: ${JSON.stringify(rows)}`];
    });
  });
}

function mentions(userId: string) {
  // A mail of a declaration is nobody's.
  return (row: Row | undefined) =>
    Object.values(row ?? {}).includes(userId) || String(row?.kind).startsWith("declaration");
}

function rowsById(rows: unknown[] = []): Map<string, Row> {
  return new Map(
    rows.map((row) => {
      const { id, package_id, song_id, user_id } = row as Row;
      return [JSON.stringify([id ?? [package_id ?? user_id, song_id]]), row as Row];
    }),
  );
}

/** Restores the database to these contents. */
async function restore(rows: Contents): Promise<void> {
  const tables = Object.keys(rows);
  await env.DB.batch([
    env.DB.prepare("PRAGMA defer_foreign_keys = ON"),
    ...tables.toReversed().map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
    ...tables.flatMap((table) => (rows[table] ?? []).map((row) => put(table, row as Row))),
  ]);
}

function put(table: string, row: Row): D1PreparedStatement {
  const columns = Object.keys(row).map((name) => `"${name}"`);
  const values = Object.values(row);
  return env.DB.prepare(`INSERT INTO ${table} (${columns}) VALUES (${values.map(() => "?")})`).bind(
    ...values,
  );
}
