/** The errors of Resend's reference: their statuses by their names. */
import { controlError } from "../control-action.ts";

const STATUSES = new Map([
  ["validation_error", 422],
  ["missing_api_key", 401],
  ["restricted_api_key", 401],
  ["invalid_api_key", 403],
  ["method_not_allowed", 405],
  ["invalid_idempotent_request", 409],
  ["concurrent_idempotent_requests", 409],
  ["invalid_from_address", 422],
  ["monthly_quota_exceeded", 429],
  ["daily_quota_exceeded", 429],
  ["rate_limit_exceeded", 429],
  ["internal_server_error", 500],
]);

interface ErrorBody {
  statusCode: number;
  name: string;
  message: string;
}

export class MailFailure extends Error {
  readonly body: ErrorBody;

  constructor(name: string, message = name, statusCode = STATUSES.get(name) ?? 500) {
    super(message);
    this.body = { statusCode, name, message };
  }
}

/** For failures that a test has requested. */
export function mailErrorFor(statusCode: number): ErrorBody {
  const name =
    statusCode === 429
      ? "rate_limit_exceeded"
      : statusCode < 500
        ? "validation_error"
        : "internal_server_error";
  return { statusCode, name, message: "Ordered failure" };
}

export function namedMailError(name: string): ErrorBody {
  if (!STATUSES.has(name)) throw controlError(`no error ${name}`);
  return new MailFailure(name).body;
}
