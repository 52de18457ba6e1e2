import type { SessionStorage } from "@remix-run/cloudflare";
import { type AuthenticateOptions, Authenticator, AuthorizationError, Strategy } from "remix-auth";
import { readCode } from "./login-code";
import type { CodeTry, EmailGrant } from "./login-code.server";

export interface EmailLoginConfig {
  /** Keeps the id of the code that was mailed last. */
  storage: SessionStorage<{ code: string }>;
  readTyped(request: Request): Promise<string | null>;
  verify(attempt: CodeTry): Promise<EmailGrant | null>;
}

/** "unreadable" is no code at all, and counts as no try. */
export type EmailLoginFault = "unreadable" | "refused";

export function createEmailLogin(config: EmailLoginConfig) {
  const authenticator = new Authenticator<EmailGrant>(config.storage, { throwOnError: true });
  authenticator.use(new EmailStrategy(config));
  return {
    /** Completes the login by the code that the request posts, or by the link's token in its address. */
    async complete(request: Request): Promise<EmailGrant | EmailLoginFault> {
      try {
        return await authenticator.authenticate("email", request);
      } catch (thrown) {
        if (!(thrown instanceof AuthorizationError)) throw thrown;
        return thrown.message === "unreadable" ? "unreadable" : "refused";
      }
    },
  };
}

class EmailStrategy extends Strategy<EmailGrant, CodeTry> {
  override name = "email";
  readonly #readTyped: EmailLoginConfig["readTyped"];

  constructor({ readTyped, verify }: EmailLoginConfig) {
    super(async (attempt) => {
      const grant = await verify(attempt);
      if (!grant) throw new AuthorizationError("refused");
      return grant;
    });
    this.#readTyped = readTyped;
  }

  override async authenticate(
    request: Request,
    storage: SessionStorage,
    options: AuthenticateOptions,
  ): Promise<EmailGrant> {
    const token = new URL(request.url).searchParams.get("token");
    const attempt = token === null ? await this.#typed(request, storage) : { token };
    if (attempt === null) return this.failure("unreadable", request, storage, options);
    return this.success(await this.verify(attempt), request, storage, options);
  }

  async #typed(request: Request, storage: SessionStorage): Promise<CodeTry | null> {
    const pending = await storage.getSession(request.headers.get("Cookie"));
    const typed = readCode((await this.#readTyped(request)) ?? "");
    return typed === null ? null : { id: pending.get("code") ?? "", typed };
  }
}
