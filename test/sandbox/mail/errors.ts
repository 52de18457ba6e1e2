/** The errors of Resend's reference: name, status and message. */
import { controlError } from "../control-action.ts";

const ERRORS = {
  invalid_idempotency_key: [400, "The key must be between 1-256 chars."],
  validation_error: [400, "We found an error with one or more fields in the request."],
  missing_api_key: [401, "Missing API key in the authorization header."],
  restricted_api_key: [401, "This API key is restricted to only send emails"],
  invalid_api_key: [403, "API key is invalid."],
  not_found: [404, "The requested endpoint does not exist."],
  method_not_allowed: [405, "Method is not allowed for the requested path."],
  invalid_idempotent_request: [409, "Same idempotency key used with a different request payload."],
  concurrent_idempotent_requests: [
    409,
    "Same idempotency key used while original request is still in progress.",
  ],
  invalid_from_address: [422, "Invalid `from` field."],
  missing_required_field: [422, "The request body is missing one or more required fields."],
  monthly_quota_exceeded: [429, "You have reached your monthly email sending quota."],
  daily_quota_exceeded: [429, "You have reached your daily email sending quota."],
  rate_limit_exceeded: [
    429,
    "Too many requests. Please limit the number of requests per second. Or contact support to increase rate limit.",
  ],
  application_error: [500, "An unexpected error occurred."],
  internal_server_error: [500, "An unexpected error occurred."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

type ErrorName = keyof typeof ERRORS;

export interface ErrorBody {
  statusCode: number;
  message: string;
  name: ErrorName;
}

/** Thrown while a call is served; api.ts responds with its body. */
export class MailFailure extends Error {
  readonly body: ErrorBody;

  /** `message` and `status` default to those of the reference. */
  constructor(name: ErrorName, message?: string, status?: number) {
    const body = errorBody(name, message, status);
    super(body.message);
    this.body = body;
  }
}

/** 422: the value of a field is invalid. */
export function invalid(message: string): MailFailure {
  return new MailFailure("validation_error", message, 422);
}

/** 403: the sender's domain may not send this. */
export function senderRefused(message: string): MailFailure {
  return new MailFailure("validation_error", message, 403);
}

function errorBody(
  name: ErrorName,
  message: string = ERRORS[name][1],
  status: number = ERRORS[name][0],
): ErrorBody {
  return { statusCode: status, message, name };
}

const BY_STATUS: Record<number, ErrorName> = {
  401: "missing_api_key",
  403: "invalid_api_key",
  404: "not_found",
  405: "method_not_allowed",
  409: "concurrent_idempotent_requests",
  429: "rate_limit_exceeded",
};

/** The error that Resend returns with a status, for failures that a test has requested. */
export function mailErrorFor(status: number): ErrorBody {
  const name = BY_STATUS[status] ?? (status < 500 ? "validation_error" : "internal_server_error");
  return errorBody(name, undefined, status);
}

/** The error with this name, for failures that a test has requested. */
export function namedMailError(name: string): ErrorBody {
  if (!Object.hasOwn(ERRORS, name)) throw controlError(`no error ${name}`);
  return errorBody(name as ErrorName);
}

/** Whether a route such as "POST /emails" is one of Resend's. */
export function isMailRoute(route: string): boolean {
  return /^[A-Z]+ \/emails(\/|$)/.test(route);
}
