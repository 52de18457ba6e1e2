/** The codes by which people log in with an address alone (rule 41). */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { gated, hasRow, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { maxCodeTries } from "~/db/rules";
import { loginCodes, loginGrants } from "~/db/schema";
import { mailboxOf } from "~/members/mail-address";
import { members } from "~/members/member-count";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { fromBase64Url } from "~/platform/base64";
import { isSigned, randomToken, sha256, sign } from "~/platform/crypto.server";
import { dayMs, hourMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import { type CodeState, codeDigits, codeMs, waitText } from "./login-code";

const linkPurpose = "login link";
const markPurpose = "browser that knows a mailbox";

/**
 * Wrong codes that may be typed within a day: for a mailbox, by a browser that it knows, and by all others for all
 * mailboxes together, of which those for codes that one place has asked for are a part, so that no place uses up all.
 */
const maxWrong = {
  mailbox: 30,
  place: 25,
  placesAround: 40,
  knownBrowser: 15,
  all: sql`(100 + ${members} / 50)`,
};

/** Thirty; of seven thousand members many may share a network, and it is a hundred. */
const ofPlace = sql`min(100, 30 + ${members} / 100)`;

interface Limit {
  of: ("address" | "asker" | "asker56" | "asker48" | "browser")[];
  most: number | SQL;
  withinMs: number;
}

/**
 * How many codes are mailed to whoever asks in a browser that the mailbox does not know. A place is a network address
 * with those around it. One place alone can keep nobody from getting a code elsewhere, because it uses up a third of
 * what a mailbox gets.
 */
const strangersLimits: Limit[] = [
  { of: ["address", "asker"], most: 4, withinMs: hourMs },
  { of: ["address", "asker"], most: 12, withinMs: dayMs },
  { of: ["address", "asker48"], most: 6, withinMs: hourMs },
  { of: ["address", "asker48"], most: 18, withinMs: dayMs },
  { of: ["address"], most: 12, withinMs: hourMs },
  { of: ["address"], most: 40, withinMs: dayMs },
  { of: ["asker"], most: ofPlace, withinMs: dayMs },
  { of: ["asker56"], most: sql`${ofPlace} * 6 / 5`, withinMs: dayMs },
  { of: ["asker48"], most: sql`${ofPlace} * 7 / 5`, withinMs: dayMs },
  { of: ["browser"], most: 6, withinMs: hourMs },
];

/** In a browser that has logged in by the mailbox before. Strangers can use up none of it. */
const knownLimits: Limit[] = [
  { of: ["browser"], most: 4, withinMs: hourMs },
  { of: ["browser"], most: 10, withinMs: dayMs },
  { of: ["address"], most: 20, withinMs: dayMs },
];

/**
 * Until when all codes together are as many as are mailed, in milliseconds; 0 if they are not. Grows with the members,
 * from `perDay` on; browsers that are known have half as many again. Rows are numbered as they come and go, so
 * that two of them are read.
 */
function allFullUntil({ perDay, isKnown, now }: { perDay: number; isKnown: boolean; now: number }) {
  const most = sql`(${isKnown ? 3 : 2} * (${perDay} + ${members} / 4) / 2)`;
  const fullUntil = (most: SQL, withinMs: number) => sql`coalesce((SELECT created_at + ${withinMs}
    FROM login_codes WHERE rowid = (SELECT max(rowid) FROM login_codes) - ${most} + 1
      AND created_at > ${now - withinMs}), 0)`;
  return sql<number>`max(${fullUntil(sql`${most} * 2 / 3`, hourMs)}, ${fullUntil(most, dayMs)})`;
}

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
  return sign(secret, "login code by address", mailboxOf(address));
}

/**
 * What a browser keeps that has logged in by a mailbox: a random mark, and that it goes with this mailbox. It names
 * nobody and logs nobody in. A mark that goes with it already stays the same, and with it what it has used up.
 */
export async function markBrowser(
  secret: string,
  address: string,
  kept: string | null,
): Promise<string> {
  const mark = (await markOf(secret, address, kept)) ?? crypto.randomUUID();
  return `${mark}.${await sign(secret, markPurpose, `${mark} ${mailboxOf(address)}`)}`;
}

async function markOf(
  secret: string,
  address: string,
  kept: string | null,
): Promise<string | null> {
  const [mark, signature, ...more] = kept?.split(".") ?? [];
  if (!mark || !signature || more.length > 0) return null;
  const text = `${mark} ${mailboxOf(address)}`;
  return (await isSigned(signature, { secret, purpose: markPurpose, text })) ? mark : null;
}

interface AskedCode {
  address: string;
  /** The network that asks: its narrowest place, and those around it (`placesOf`). */
  places: string[];
  /** The id of the code that this browser was given last. */
  lastCode: string | null;
  /** What the browser keeps (`markBrowser`). */
  kept: string | null;
  /** Lets in nobody but this user. */
  again: string | null;
  next: string;
}

export interface CodeServices extends OwedMailServices {
  secret: string;
  now: number;
  /** Codes that are mailed a day before there are members. */
  perDay: number;
}

/**
 * Mails a code and a link to an address, whether it has an account or not, and ends the earlier ones of this browser.
 * Returns the code's id. Refuses beyond a limit, and says when to ask again; `everybody` if all together are beyond.
 */
export async function requestCode(
  { db, mailQueue, secret, now, perDay }: CodeServices,
  { address, places, lastCode, kept, again, next }: AskedCode,
): Promise<{ id: string } | (Rejection & { everybody: boolean })> {
  const id = crypto.randomUUID();
  const mark = await markOf(secret, address, kept);
  const isKnown = mark !== null;
  const [byAddress, ownBrowser, asker = "", asker56 = null, asker48 = null] = await Promise.all([
    codeFingerprint(secret, address),
    sign(secret, "login code by browser", mark ?? id),
    ...places.map((place) => sign(secret, "login code by asker", place)),
  ]);
  const browser = isKnown
    ? sql<string>`${ownBrowser}`
    : sql<string>`coalesce(
        (SELECT last.browser FROM login_codes AS last WHERE last.id = ${lastCode ?? ""}), ${ownBrowser})`;
  const is = {
    address: sql`fingerprint = ${byAddress}`,
    asker: sql`asker = ${asker}`,
    asker56: sql`asker_56 = ${asker56}`,
    asker48: sql`asker_48 = ${asker48}`,
    browser: sql`browser = ${browser}`,
  };
  const waits = (isKnown ? knownLimits : strangersLimits).map(({ of, most, withinMs }) => {
    const counts = sql.join(
      of.map((one) => is[one]),
      sql` AND `,
    );
    return sql`coalesce((SELECT created_at + ${withinMs} FROM login_codes
      WHERE ${counts} AND known = ${Number(isKnown)} AND created_at > ${now - withinMs}
      ORDER BY created_at DESC LIMIT 1 OFFSET ${most} - 1), 0)`;
  });
  const ownUntil = sql<number>`max(${sql.join(waits, sql`, `)})`;
  const allUntil = allFullUntil({ perDay, isKnown, now });
  const gate = insertSelect(db, loginCodes, {
    row: {
      ...{ id, address, again, next, browser, known: isKnown },
      ...{ fingerprint: byAddress, asker, asker56, asker48 },
      ...{ createdAt: now, expiresAt: now + codeMs },
    },
    from: sql`WHERE ${ownUntil} = 0 AND ${allUntil} = 0`,
  }).returning({ id: loginCodes.id });
  const { full, request } = await runBatch(db, {
    full: db
      .select({ own: ownUntil.as("own_until"), all: allUntil.as("all_until") })
      .from(sql`(SELECT 1)`),
    request: gated(gate, hasRow(loginCodes, id), (isAsked) => ({
      mail: oweMail(
        { db, mailQueue },
        { id: crypto.randomUUID(), userId: null, kind: "login_code", subjectId: id, now },
        sql`WHERE ${isAsked}`,
      ),
    })),
  });
  if (request.gate.length > 0) return { id };
  const { own = 0, all = 0 } = full[0] ?? {};
  const everybody = all > own;
  if (everybody) logEvent("login_codes_full");
  const waitMs = Math.max(own, all) - now;
  const text = everybody
    ? "More codes were asked for here than we can send for now, which is not your fault."
    : "That is as many codes as we can send for now.";
  const details = { secondsLeft: Math.ceil(waitMs / 1000) };
  return {
    ...reject(429, `${text} Please ask again in ${waitText(waitMs)}.`, details),
    everybody,
  };
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
 * Verifies a code: once typed, and once by its link, which is over once the code was typed. One statement counts a
 * wrong try and refuses one beyond five, or beyond those of a day, so that whoever tries in many places at once has no
 * more. A link has no tries. Null if refused.
 */
export async function verifyCode(
  db: Database,
  attempt: CodeTry,
  { secret, now }: { secret: string; now: number },
): Promise<EmailGrant | null> {
  const by = "token" in attempt ? "link" : "code";
  const id = "token" in attempt ? await idOfLink(secret, attempt.token) : attempt.id;
  if (id === null) return null;
  const isOfCode = eq(loginCodes.id, id);
  const mayBe =
    by === "link"
      ? isOpen(now, "link")
      : sql`${isOpen(now, "code")} AND wrong_tries < ${maxCodeTries} AND ${mayBeTyped(now)}`;
  if (!("token" in attempt) && (await codeOf(secret, id)) !== attempt.typed) {
    await db
      .update(loginCodes)
      .set({ wrongTries: sql`wrong_tries + 1` })
      .where(and(isOfCode, mayBe));
    return null;
  }
  const ticket = randomToken();
  const { granted, code } = await runBatch(db, {
    granted: insertSelect(db, loginGrants, {
      row: { codeId: id, by, verifiedAt: now, ticket: await sha256(ticket) },
      from: sql`FROM login_codes WHERE ${isOfCode} AND ${mayBe}`,
    }).returning({ id: loginGrants.codeId }),
    code: db
      .select({ address: loginCodes.address, again: loginCodes.again, next: loginCodes.next })
      .from(loginCodes)
      .where(isOfCode),
  });
  return granted[0] && code[0] ? { ticket, ...code[0] } : null;
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
      typed: asBoolean(isUsed("code"), "typed"),
      opened: asBoolean(isUsed("link"), "opened"),
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
    .where(and(eq(loginCodes.id, id), isOpen(now, "link")));
  return code ?? null;
}

function stateOf(
  code: {
    expiresAt: number;
    wrongTries: number;
    typed: boolean;
    opened: boolean;
    newest: boolean;
    typable: boolean;
  },
  now: number,
): CodeState {
  if (code.typed) return "done";
  if (!code.newest) return "replaced";
  if (code.expiresAt <= now) return "expired";
  const isUsedUp = code.wrongTries >= maxCodeTries;
  if (!isUsedUp && code.typable) return "open";
  if (code.opened) return "over";
  return isUsedUp ? "used up" : "link only";
}

/** Of the codes that its browser has asked for with its mailbox. */
const isNewest = sql<boolean>`NOT EXISTS (SELECT 1 FROM login_codes AS later
  WHERE later.browser = login_codes.browser AND later.fingerprint = login_codes.fingerprint
    AND (later.created_at, later.id) > (login_codes.created_at, login_codes.id))`;

function isUsed(by: "code" | "link"): SQL {
  return sql`EXISTS (SELECT 1 FROM login_grants WHERE code_id = login_codes.id AND "by" = ${by})`;
}

/** Not used in this way, not typed, not expired, and the newest of its browser. */
export function isOpen(now: number, by: "code" | "link"): SQL<boolean> {
  const isOver = by === "code" ? isUsed("code") : sql`(${isUsed("code")} OR ${isUsed("link")})`;
  return sql<boolean>`(NOT ${isOver} AND login_codes.expires_at > ${now} AND ${isNewest})`;
}

/** What strangers type wrongly ends nothing in a browser that the mailbox knows. */
function mayBeTyped(now: number): SQL<boolean> {
  const wrongOf = (codes: SQL) => sql`(SELECT sum(others.wrong_tries) FROM login_codes AS others
    WHERE ${codes} AND others.known = login_codes.known AND others.created_at > ${now - dayMs})`;
  // Counted by a trigger.
  const ofAll = sql`coalesce((SELECT count FROM daily_counts WHERE name = 'login_code_wrong'
    AND day = strftime('%Y-%m-%d', login_codes.created_at / 1000, 'unixepoch')), 0)`;
  return sql<boolean>`iif(login_codes.known,
    ${wrongOf(sql`others.browser = login_codes.browser`)} < ${maxWrong.knownBrowser},
    ${wrongOf(sql`others.fingerprint = login_codes.fingerprint`)} < ${maxWrong.mailbox}
      AND ${wrongOf(sql`others.asker = login_codes.asker`)} < ${maxWrong.place}
      AND ifnull(${wrongOf(sql`others.asker_48 = login_codes.asker_48`)}, 0) < ${maxWrong.placesAround}
      AND ${ofAll} < ${maxWrong.all})`;
}
