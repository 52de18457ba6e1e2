import { redirect, type Session } from "@remix-run/cloudflare";
import { Authenticator, Strategy } from "remix-auth";
import type { Database } from "~/db/client.server";
import { type Viewer, viewerView } from "~/members/viewer.server";
import type { MailQueue } from "~/outbox/mail-queue.server";
import type { Config, Offers } from "~/platform/env";
import { logEvent } from "~/platform/log";
import { placesOfRequest } from "~/platform/network";
import { isRejection, type Rejection, reject } from "~/platform/rejection";
import { emailLoginStorage, knownBrowserCookie, sessionCookie } from "./cookies.server";
import { deviceOf } from "./device";
import { createEmailAccount, createEmailSession } from "./email-session.server";
import {
  type CodeTry,
  type EmailGrant,
  markBrowser,
  requestCode,
  verifyCode,
} from "./login-code.server";

interface LoginContext {
  config: Config;
  db: Database;
  codeQueue: MailQueue;
  secret: string;
  sessionId: string | null;
  now(): number;
  viewer(): Promise<Viewer | null>;
}

/** What the browser of a login under way was given. */
export async function pendingEmailLogin(request: Request, { config }: LoginContext) {
  const storage = emailLoginStorage(config.sessionSecret);
  const pending = await storage.getSession(request.headers.get("Cookie"));
  return { code: pending.get("code") ?? null, ticket: pending.get("ticket") ?? null };
}

/** Mails a code, and leads on to where it is typed. `again` is the only user who may log in by it. */
export async function beginEmailLogin(
  request: Request,
  context: LoginContext,
  asked: Omit<EmailGrant, "ticket">,
) {
  const { config, db, codeQueue: mailQueue, secret, now } = context;
  const { code: lastCode } = await pendingEmailLogin(request, context);
  const kept = await knownBrowserCookie().read(request.headers.get("Cookie"));
  const [places, perDay] = [placesOfRequest(request), config.loginCodesPerDay];
  const services = { db, mailQueue, secret, now: now(), places, perDay };
  const code = await requestCode(services, { ...asked, lastCode, kept });
  if (isRejection(code)) return code;
  const pending = await emailLoginStorage(secret).getSession();
  pending.set("code", code.id);
  return leadOn(context, "/login/code", pending);
}

/**
 * Verifies a code, or the token of its link, and opens the session of the account. Where there is none yet, or
 * several, leads on to where one is made or chosen. Null if refused.
 */
export async function completeEmailLogin(
  request: Request,
  context: LoginContext,
  attempt: CodeTry,
): Promise<Response | null> {
  const { db, secret, now } = context;
  const storage = emailLoginStorage(secret);
  const authenticator = new Authenticator<EmailGrant | null>(storage);
  authenticator.use(new EmailStrategy(() => verifyCode(db, attempt, { secret, now: now() })));
  // The authenticator copies the request, which fails if its body has been read.
  const grant = await authenticator.authenticate("email", new Request(request.url));
  if (!grant) {
    logEvent("login_code_refused");
    return null;
  }
  const opened = await openAccount(request, context, grant, null);
  if (opened) return opened;
  if (grant.again !== null) throw await anotherAccount(context);
  const pending = await storage.getSession();
  pending.set("ticket", grant.ticket);
  return leadOn(context, "/login/name", pending);
}

class EmailStrategy extends Strategy<EmailGrant | null, null> {
  override name = "email";
  override authenticate() {
    return this.verify(null);
  }
}

/** Opens the only account of a grant, or the chosen one. Null if that could not be done. */
export async function openAccount(
  request: Request,
  context: LoginContext,
  grant: EmailGrant,
  account: string | null,
): Promise<Response | null> {
  const session = await newSession(request, context);
  const isOpened = await createEmailSession(context.db, grant, { ...session.row, account });
  return isOpened ? welcome(request, context, session.header, grant) : null;
}

/** Makes the account of a grant, unless too many were made there. Null if there is one by now, or the grant is over. */
export async function makeAccount(
  request: Request,
  context: LoginContext,
  grant: EmailGrant,
  name: string,
): Promise<{ response: Response; matchedCustomers: string[] } | Rejection | null> {
  const session = await newSession(request, context);
  const { accountsFromOnePlace: mostFromPlace, offers } = context.config;
  const made = await createEmailAccount(context.db, grant, { ...session.row, name, mostFromPlace });
  if (made === "place is full") return reject(429, placeFullText(offers));
  if (!made) return null;
  return { ...made, response: await welcome(request, context, session.header, grant) };
}

function placeFullText({ spotify }: Offers): string {
  const instead = spotify ? ", or come in by Spotify" : "";
  return `As many new accounts as a day allows were made where you are. Come back tomorrow${instead}.`;
}

async function newSession(request: Request, { config, secret, sessionId, now }: LoginContext) {
  const { id, header } = await sessionCookie(config.sessionSecret).issue();
  const device = deviceOf(request.headers.get("User-Agent"));
  return { header, row: { id, secret, device, replaces: sessionId, now: now() } };
}

/** Logging out leaves the browser known: whoever is next at it can do nothing with that but ask for codes. */
async function welcome(
  request: Request,
  { secret }: LoginContext,
  sessionHeader: string,
  { address, next }: EmailGrant,
): Promise<Response> {
  logEvent("login");
  const known = knownBrowserCookie();
  const kept = await known.read(request.headers.get("Cookie"));
  const storage = emailLoginStorage(secret);
  const headers = new Headers();
  headers.append("Set-Cookie", await storage.destroySession(await storage.getSession()));
  headers.append("Set-Cookie", await known.issue(await markBrowser(secret, address, kept)));
  headers.append("Set-Cookie", sessionHeader);
  return redirect(next, { status: 303, headers });
}

async function leadOn(
  { secret }: LoginContext,
  path: string,
  pending: Session<{ code: string; ticket: string }>,
): Promise<Response> {
  const cookie = await emailLoginStorage(secret).commitSession(pending);
  return redirect(path, { status: 303, headers: { "Set-Cookie": cookie } });
}

/** The page for who was asked to log in again, and is not (or no longer) who is logged in here. */
async function anotherAccount(context: LoginContext): Promise<Response> {
  const viewer = await context.viewer().catch(() => null);
  const page = {
    viewer: viewer && viewerView(viewer),
    title: "This is another account",
    text: "The code was asked for by somebody else than who is logged in here, or the address is not theirs any more. Nobody was logged in, and nothing was changed.",
    action: { label: "Back to my account", href: "/account" },
  };
  return Response.json(page, { status: 403 });
}
