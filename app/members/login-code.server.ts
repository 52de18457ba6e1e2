/** The codes by which people log in with an address alone (rule 41). */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { gated, hasRow, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { maxCodeTries } from "~/db/rules";
import { loginCodes } from "~/db/schema";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { fromBase64Url } from "~/platform/base64";
import { isSigned, randomToken, sha256, sign } from "~/platform/crypto.server";
import { dayMs, hourMs } from "~/platform/dates";
import { type Rejection, reject } from "~/platform/rejection";
import { type CodeState, codeDigits, codeMs, waitText } from "./login-code";
import { comparableAddress } from "./mail-address";

const linkPurpose = "login link";

/** Wrong codes that may be typed for an address within a day, over all that were mailed to it. */
const maxWrongPerDay = 30;

/**
 * How many codes are mailed. A place is a network address. One place alone can keep nobody from getting a code
 * elsewhere, because it uses up a third of what an address gets.
 */
const limits: { of: ("address" | "asker" | "browser")[]; most: number; withinMs: number }[] = [
  { of: ["address", "asker"], most: 4, withinMs: hourMs },
  { of: ["address", "asker"], most: 12, withinMs: dayMs },
  { of: ["address"], most: 12, withinMs: hourMs },
  { of: ["address"], most: 40, withinMs: dayMs },
  { of: ["asker"], most: 30, withinMs: hourMs },
  { of: ["asker"], most: 100, withinMs: dayMs },
  { of: ["browser"], most: 6, withinMs: hourMs },
];

/** The six digits, which are stored nowhere: they follow from the code's id and the secret. */
export async function codeOf(secret: string, id: string): Promise<string> {
  const bytes = fromBase64Url(await sign(secret, "login code", id)) ?? new Uint8Array();
  const number = bytes.reduce((rest, byte) => (rest * 256 + byte) % 10 ** codeDigits, 0);
  return String(number).padStart(codeDigits, "0");
}

export async function linkToken(secret: string, id: string): Promise<string> {
  return `${id}.${await sign(secret, linkPurpose, id)}`;
}

async function idOfLink(secret: string, token: string): Promise<string | null> {
  const [id, signature, ...more] = token.split(".");
  if (!id || !signature || more.length > 0) return null;
  return (await isSigned(signature, { secret, purpose: linkPurpose, text: id })) ? id : null;
}

export function codeFingerprint(secret: string, address: string): Promise<string> {
  return sign(secret, "login code by address", comparableAddress(address));
}

interface AskedCode {
  address: string;
  /** The network address that asks. */
  asker: string;
  /** The id of the code that this browser was given last. */
  lastCode: string | null;
  /** Lets in nobody but this user. */
  again: string | null;
  next: string;
}

/**
 * Mails a code and a link to an address, whether it has an account or not, and ends the earlier ones. Returns the
 * code's id. Refuses beyond a limit, and says when to ask again.
 */
export async function requestCode(
  { db, mailQueue, secret, now }: OwedMailServices & { secret: string; now: number },
  { address, asker, lastCode, again, next }: AskedCode,
): Promise<{ id: string } | Rejection> {
  const id = crypto.randomUUID();
  const [byAddress, byAsker, ownBrowser] = await Promise.all([
    codeFingerprint(secret, address),
    sign(secret, "login code by asker", asker),
    sign(secret, "login code by browser", id),
  ]);
  const browser = sql<string>`coalesce(
    (SELECT last.browser FROM login_codes AS last WHERE last.id = ${lastCode ?? ""}), ${ownBrowser})`;
  const is = {
    address: sql`fingerprint = ${byAddress}`,
    asker: sql`asker = ${byAsker}`,
    browser: sql`browser = ${browser}`,
  };
  const waits = limits.map(({ of, most, withinMs }) => {
    const counts = sql.join(
      of.map((one) => is[one]),
      sql` AND `,
    );
    return sql`coalesce((SELECT created_at + ${withinMs} FROM login_codes
      WHERE ${counts} AND created_at > ${now - withinMs}
      ORDER BY created_at DESC LIMIT 1 OFFSET ${most - 1}), 0)`;
  });
  const fullUntil = sql<number>`max(${sql.join(waits, sql`, `)})`;
  const gate = insertSelect(db, loginCodes, {
    row: {
      ...{ id, address, again, next, browser },
      ...{ fingerprint: byAddress, asker: byAsker },
      ...{ createdAt: now, expiresAt: now + codeMs },
    },
    from: sql`WHERE ${fullUntil} = 0`,
  }).returning({ id: loginCodes.id });
  const { full, request } = await runBatch(db, {
    full: db.select({ until: fullUntil.as("full_until") }).from(sql`(SELECT 1)`),
    request: gated(gate, hasRow(loginCodes, id), (isAsked) => ({
      mail: oweMail(
        { db, mailQueue },
        { id: crypto.randomUUID(), userId: null, kind: "login_code", subjectId: id, now },
        sql`WHERE ${isAsked}`,
      ),
    })),
  });
  if (request.gate.length > 0) return { id };
  const waitMs = (full[0]?.until ?? now) - now;
  return reject(
    429,
    `That is as many codes as we can send for now. Please ask again in ${waitText(waitMs)}.`,
    { secondsLeft: Math.ceil(waitMs / 1000) },
  );
}

/** What a browser has shown by a code or a link: that its user reads the mails to an address. */
export interface EmailGrant {
  /** This browser alone has it. The database has its hash. */
  ticket: string;
  address: string;
  again: string | null;
  next: string;
}

/** By the id of a code that was mailed, with what was typed; or by the token of a link. */
export type CodeTry = { id: string; typed: string } | { token: string };

/**
 * Verifies a code, once. One statement counts a wrong try and refuses one beyond five, or beyond those of the
 * address in a day, so that whoever tries in many places at once has no more. A link has no tries. Null if refused.
 */
export async function verifyCode(
  db: Database,
  attempt: CodeTry,
  { secret, now }: { secret: string; now: number },
): Promise<EmailGrant | null> {
  const id = "token" in attempt ? await idOfLink(secret, attempt.token) : attempt.id;
  if (id === null) return null;
  const isRight = "token" in attempt || (await codeOf(secret, id)) === attempt.typed;
  const ticket = randomToken();
  const change = isRight
    ? { verifiedAt: now, ticket: await sha256(ticket) }
    : { wrongTries: sql`wrong_tries + 1` };
  const [tried] = await db
    .update(loginCodes)
    .set(change)
    .where(
      and(
        eq(loginCodes.id, id),
        isOpen(now),
        "token" in attempt ? undefined : sql`wrong_tries < ${maxCodeTries} AND ${mayBeTyped(now)}`,
      ),
    )
    .returning({
      address: loginCodes.address,
      again: loginCodes.again,
      next: loginCodes.next,
    });
  return tried && isRight ? { ticket, ...tried } : null;
}

/** What the page that asks for a code tells. Null if there is no such code any more. */
export async function readCodeState(db: Database, id: string | null, now: number) {
  if (id === null) return null;
  const [code] = await db
    .select({
      address: loginCodes.address,
      again: loginCodes.again,
      next: loginCodes.next,
      expiresAt: loginCodes.expiresAt,
      wrongTries: loginCodes.wrongTries,
      verifiedAt: loginCodes.verifiedAt,
      newest: asBoolean(isNewest, "newest"),
      typable: asBoolean(mayBeTyped(now), "typable"),
    })
    .from(loginCodes)
    .where(eq(loginCodes.id, id));
  return code ? { ...code, state: stateOf(code, now) } : null;
}

/** The address of a link that still works. */
export async function readLink(
  db: Database,
  token: string,
  { secret, now }: { secret: string; now: number },
): Promise<{ address: string } | null> {
  const id = await idOfLink(secret, token);
  if (id === null) return null;
  const [code] = await db
    .select({ address: loginCodes.address })
    .from(loginCodes)
    .where(and(eq(loginCodes.id, id), isOpen(now)));
  return code ?? null;
}

function stateOf(
  code: {
    expiresAt: number;
    wrongTries: number;
    verifiedAt: number | null;
    newest: boolean;
    typable: boolean;
  },
  now: number,
): CodeState {
  if (code.verifiedAt !== null) return "done";
  if (!code.newest) return "replaced";
  if (code.expiresAt <= now) return "expired";
  if (code.wrongTries >= maxCodeTries) return "used up";
  return code.typable ? "open" : "link only";
}

const isNewest = sql<boolean>`NOT EXISTS (SELECT 1 FROM login_codes AS later
  WHERE later.fingerprint = login_codes.fingerprint
    AND (later.created_at, later.id) > (login_codes.created_at, login_codes.id))`;

/** Not verified, not expired, and the newest of its address. */
export function isOpen(now: number): SQL<boolean> {
  return sql<boolean>`(login_codes.verified_at IS NULL AND login_codes.expires_at > ${now} AND ${isNewest})`;
}

function mayBeTyped(now: number): SQL<boolean> {
  return sql<boolean>`(SELECT sum(others.wrong_tries) FROM login_codes AS others
    WHERE others.fingerprint = login_codes.fingerprint
      AND others.created_at > ${now - dayMs}) < ${maxWrongPerDay}`;
}
