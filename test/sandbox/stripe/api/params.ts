/** Checks parameters and describes what is wrong with them in Stripe's words. */
import { z } from "zod";
import { isEmail } from "../objects/customer.ts";
import { StripeFailure } from "./errors.ts";
import type { Fields, Form } from "./form.ts";

/** A text; an empty one unsets the field. */
export const text = z.string();
export const filled = checked((value) =>
  value === ""
    ? {
        code: "parameter_invalid_empty",
        message:
          "You passed an empty string. We assume empty values are an attempt to unset a " +
          "parameter; however this parameter cannot be unset.",
      }
    : value,
);
export const flag = z.enum(["true", "false"]).transform((value) => value === "true");
export const integer = checked((value) =>
  /^-?\d+$/.test(value)
    ? Number(value)
    : { code: "parameter_invalid_integer", message: `Invalid integer: ${value}` },
);
export const email = checked((value) =>
  value === "" || isEmail(value)
    ? value
    : { code: "email_invalid", message: `Invalid email address: ${value}` },
);
export const url = checked((value) =>
  /^https?:\/\//.test(value) && URL.canParse(value)
    ? value
    : { code: "url_invalid", message: "Not a valid URL" },
);
/** An empty text (null) unsets all metadata; a key with an empty value is unset. */
export const metadata = z
  .literal("")
  .transform(() => null)
  .or(z.record(z.string(), z.string()));
/** A parameter that the stand-in accepts and ignores. */
export const ignored = z.unknown().optional();

export const noParameters = z.strictObject({});

const limit = checked((value) => {
  const number = Number(value);
  const code = "parameter_invalid_integer";
  if (!/^-?\d+$/.test(value)) return { code, message: `Invalid integer: ${value}` };
  if (number < 1) return { code, message: "This value must be greater than or equal to 1." };
  if (number > 100) {
    const message = `This value must be less than or equal to 100 (it currently is '${value}').`;
    return { code, message };
  }
  return number;
});

/** The parameters of every list. */
export const listing = {
  limit: limit.optional(),
  starting_after: filled.optional(),
  ending_before: filled.optional(),
  created: integer
    .or(
      z.strictObject({
        gt: integer.optional(),
        gte: integer.optional(),
        lt: integer.optional(),
        lte: integer.optional(),
      }),
    )
    .optional(),
};

interface Problem {
  code: string;
  message: string;
}

/** A text that `check` converts into a value, or finds a problem with. */
function checked<T extends string | number>(check: (value: string) => T | Problem) {
  return z.string().transform((value, context): T => {
    const result = check(value);
    if (typeof result !== "object") return result;
    const { code, message } = result;
    context.issues.push({ code: "custom", input: value, message, params: { code } });
    return z.NEVER;
  });
}

/** The parameters, parsed. Throws StripeFailure 400. */
export function read<S extends z.ZodType>(shape: S, fields: Fields): z.output<S> {
  const result = shape.safeParse(fields);
  if (result.success) return result.data;
  const { issues } = result.error;
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  throw issue ? failureOf(issue, fields) : result.error;
}

function failureOf(issue: z.core.$ZodIssue, fields: Fields): StripeFailure {
  const param = bracketed(issue.path);
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => bracketed([...issue.path, key]));
    const message = `Received unknown parameter${names.length > 1 ? "s" : ""}: ${names.join(", ")}`;
    return new StripeFailure(400, message, { code: "parameter_unknown", param: names[0] ?? param });
  }
  if (valueAt(issue.path, fields) === undefined) {
    const code = "parameter_missing";
    return new StripeFailure(400, `Missing required param: ${param}.`, { code, param });
  }
  if (issue.code === "invalid_value") {
    const message = `Invalid ${param}: must be one of ${issue.values.join(", ")}`;
    return new StripeFailure(400, message, { param });
  }
  if (issue.code === "custom") {
    const code = String(issue.params?.code);
    return new StripeFailure(400, issue.message, { code, param });
  }
  return new StripeFailure(400, `Invalid ${param}`, { param });
}

/** ["line_items", 0, "price"] becomes "line_items[0][price]". */
function bracketed(path: PropertyKey[]): string {
  const [first, ...rest] = path.map(String);
  return (first ?? "") + rest.map((part) => `[${part}]`).join("");
}

function valueAt(path: PropertyKey[], fields: Fields): unknown {
  let value: Form | undefined = fields;
  for (const part of path) {
    if (typeof value !== "object") return undefined;
    value = (value as Fields)[String(part)];
  }
  return value;
}

/** The metadata after a change. */
export function mergedMetadata(
  current: Record<string, string>,
  change: Record<string, string> | null | undefined,
): Record<string, string> {
  if (change === null) return {};
  const merged = { ...current, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ""));
}
