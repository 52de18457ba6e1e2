/** The codes by which people log in with an address alone (rule 41, codes). */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { maxCodeTries } from "~/db/rules";
import { loginGrants, mailedProofs } from "~/db/schema";
import {
  isNewest,
  isOpen,
  isUsed,
  type Limit,
  mailProof,
  type ProofServices,
} from "~/mailing/mailed-proof.server";
import { mailboxOf } from "~/members/mail-address";
import { members } from "~/members/member-count";
import { fromBase64Url } from "~/platform/base64";
import { randomToken, readToken, sha256, sign, signToken } from "~/platform/crypto.server";
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
const mostWrong = { fingerprint: 30, asker: 25, asker_48: 40 };
const mostWrongOfKnown = { asked_by: 15 };
const mostWrongOfAll = sql`100 + ${members} / 50`;

/** Thirty; of seven thousand members many may share a network, and it is a hundred. */
const ofPlace = sql`min(100, 30 + ${members} / 100)`;

/**
 * How many codes are mailed to whoever asks in a browser that the mailbox does not know. A place is a network address
 * with those around it. One place alone can keep nobody from getting a code elsewhere, because it uses up a third of
 * what a mailbox gets.
 */
const strangersLimits: Limit[] = [
  [4, hourMs, "fingerprint", "asker"],
  [12, dayMs, "fingerprint", "asker"],
  [6, hourMs, "fingerprint", "asker48"],
  [18, dayMs, "fingerprint", "asker48"],
  [12, hourMs, "fingerprint"],
  [40, dayMs, "fingerprint"],
  [ofPlace, dayMs, "asker"],
  [sql`${ofPlace} * 6 / 5`, dayMs, "asker56"],
  [sql`${ofPlace} * 7 / 5`, dayMs, "asker48"],
  [6, hourMs, "askedBy"],
];

/** In a browser that has logged in by the mailbox before. Strangers can use up none of it. */
const knownLimits: Limit[] = [
  [4, hourMs, "askedBy"],
  [10, dayMs, "askedBy"],
  [20, dayMs, "fingerprint"],
];

/**
 * Until when all codes together are as many as are mailed, in milliseconds; 0 if they are not. Grows with the members,
 * from `perDay` on; browsers that are known have half as many again. Codes are numbered as they come, so that two rows
 * are read.
 */
function allFullUntil({ perDay, isKnown, now }: { perDay: number; isKnown: boolean; now: number }) {
  const most = sql`(${isKnown ? 3 : 2} * (${perDay} + ${members} / 4) / 2)`;
  const fullUntil = (most: SQL, withinMs: number) => sql`coalesce((SELECT created_at + ${withinMs}
    FROM mailed_proofs WHERE number = (SELECT max(number) FROM mailed_proofs) - ${most} + 1
      AND created_at > ${now - withinMs}), 0)`;
  return sql<number>`max(${fullUntil(sql`${most} * 2 / 3`, hourMs)}, ${fullUntil(most, dayMs)})`;
}

/** The six digits, which are stored nowhere: they follow from the code's id and the secret. */
export async function codeOf(secret: string, id: string): Promise<string> {
  const bytes = fromBase64Url(await sign(secret, "login code", id)) ?? new Uint8Array();
  const number = bytes.reduce((rest, byte) => (rest * 256 + byte) % 10 ** codeDigits, 0);
  return String(number).padStart(codeDigits, "0");
}

export function linkToken(secret: string, id: string): Promise<string> {
  return signToken(secret, linkPurpose, id);
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
  return signToken(secret, markPurpose, mark, ` ${mailboxOf(address)}`);
}

function markOf(secret: string, address: string, kept: string | null): Promise<string | null> {
  return readToken(secret, markPurpose, kept ?? "", ` ${mailboxOf(address)}`);
}

interface AskedCode extends Omit<EmailGrant, "ticket"> {
  /** The id of the code that this browser was given last. */
  lastCode: string | null;
  /** What the browser keeps (`markBrowser`). */
  kept: string | null;
}

/**
 * Mails a code and a link to an address, whether it has an account or not, and ends the earlier ones of this browser.
 * Returns the code's id. Refuses beyond a limit, and says when to ask again; `everybody` if all together are beyond.
 */
export async function requestCode(
  services: ProofServices,
  { address, lastCode, kept, again, next }: AskedCode,
): Promise<{ id: string } | (Rejection & { everybody: boolean })> {
  const { secret, now, perDay } = services;
  const id = crypto.randomUUID();
  const mark = await markOf(secret, address, kept);
  const isKnown = mark !== null;
  const kind = isKnown ? "known login" : "login";
  const ownBrowser = await sign(secret, "login code by browser", mark ?? id);
  const askedBy = isKnown
    ? ownBrowser
    : sql<string>`coalesce(
        (SELECT last.asked_by FROM mailed_proofs AS last WHERE last.id = ${lastCode ?? ""}), ${ownBrowser})`;
  const number = sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM mailed_proofs)`;
  const full = await mailProof(
    services,
    { id, kind, address, askedBy, number, again, next, expiresAt: now + codeMs },
    {
      mail: { kind: "login_code", userId: null },
      limits: isKnown ? knownLimits : strangersLimits,
      allUntil: allFullUntil({ perDay, isKnown, now }),
    },
  );
  if (!full) return { id };
  const { own, all } = full;
  const everybody = all > own;
  if (everybody) logEvent("login_codes_full");
  const waitMs = Math.max(own, all) - now;
  const text = everybody
    ? "More codes were asked for here than we can send for now, which is not your fault."
    : "That is as many codes as we can send for now.";
  const details = { secondsLeft: Math.ceil(waitMs / 1000) };
  return {
    ...reject(429, `${text} Ask again in ${waitText(waitMs)}.`, details),
    everybody,
  };
}

/** What a browser has shown by a code or a link: that its user reads the mails to an address. */
export interface EmailGrant {
  /** This browser alone has it. The database has its hash. */
  ticket: string;
  address: string;
  /** Lets in nobody but this user. */
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
  const id = "token" in attempt ? await readToken(secret, linkPurpose, attempt.token) : attempt.id;
  if (id === null) return null;
  const isOfCode = eq(mailedProofs.id, id);
  const mayBe =
    by === "link"
      ? isOpen(now, "link")
      : sql`${isOpen(now, "code")} AND wrong_tries < ${maxCodeTries} AND ${mayBeTyped(now)}`;
  if (!("token" in attempt) && (await codeOf(secret, id)) !== attempt.typed) {
    await db
      .update(mailedProofs)
      .set({ wrongTries: sql`wrong_tries + 1` })
      .where(and(isOfCode, mayBe));
    return null;
  }
  const ticket = randomToken();
  const { granted, code } = await runBatch(db, {
    granted: insertSelect(db, loginGrants, {
      row: { codeId: id, by, verifiedAt: now, ticket: await sha256(ticket) },
      from: sql`FROM mailed_proofs WHERE ${isOfCode} AND ${mayBe}`,
    }).returning({ id: loginGrants.codeId }),
    code: db
      .select({ address: mailedProofs.address, again: mailedProofs.again, next: mailedProofs.next })
      .from(mailedProofs)
      .where(isOfCode),
  });
  return granted[0] && code[0] ? { ticket, ...code[0] } : null;
}

/** What the page that asks for a code tells. Null if there is no such code any more. */
export async function readCodeState(db: Database, id: string | null, now: number) {
  if (id === null) return null;
  const [code] = await db
    .select({
      address: mailedProofs.address,
      again: mailedProofs.again,
      next: mailedProofs.next,
      expiresAt: mailedProofs.expiresAt,
      wrongTries: mailedProofs.wrongTries,
      typed: asBoolean(isUsed("code"), "typed"),
      opened: asBoolean(isUsed("link"), "opened"),
      newest: asBoolean(isNewest, "newest"),
      typable: asBoolean(mayBeTyped(now), "typable"),
    })
    .from(mailedProofs)
    .where(eq(mailedProofs.id, id));
  return code ? { ...code, state: stateOf(code) } : null;

  function stateOf(its: NonNullable<typeof code>): CodeState {
    if (its.typed) return "done";
    if (!its.newest) return "replaced";
    if (its.expiresAt <= now) return "expired";
    const isUsedUp = its.wrongTries >= maxCodeTries;
    if (!isUsedUp && its.typable) return "open";
    if (its.opened) return "over";
    return isUsedUp ? "used up" : "link only";
  }
}

/** The address of a link that still works. */
export async function readLink(
  db: Database,
  token: string,
  { secret, now }: { secret: string; now: number },
): Promise<{ address: string } | null> {
  const id = await readToken(secret, linkPurpose, token);
  if (id === null) return null;
  const [code] = await db
    .select({ address: mailedProofs.address })
    .from(mailedProofs)
    .where(and(eq(mailedProofs.id, id), isOpen(now, "link")));
  return code ?? null;
}

/** What strangers type wrongly ends nothing in a browser that the mailbox knows. */
function mayBeTyped(now: number): SQL<boolean> {
  const isBelow = (limits: Record<string, number>) =>
    and(
      ...Object.entries(limits).map(([name, most]) => {
        const column = sql.identifier(name);
        return sql`ifnull((SELECT sum(others.wrong_tries) FROM mailed_proofs AS others
          WHERE others.${column} = mailed_proofs.${column} AND others.kind = mailed_proofs.kind
            AND others.created_at > ${now - dayMs}), 0) < ${most}`;
      }),
    );
  // Counted by a trigger.
  const ofAll = sql`coalesce((SELECT count FROM daily_counts WHERE name = 'login_code_wrong'
    AND day = strftime('%Y-%m-%d', mailed_proofs.created_at / 1000, 'unixepoch')), 0)`;
  return sql<boolean>`iif(mailed_proofs.kind = 'known login', ${isBelow(mostWrongOfKnown)},
    ${isBelow(mostWrong)} AND ${ofAll} < ${mostWrongOfAll})`;
}
