/**
 * Checks requests and responses against the OpenAPI description of the Spotify Web API. It only runs
 * in plain Node: it reads a file, and the validator compiles functions from text, which workerd
 * forbids.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import Ajv, { type ValidateFunction } from "ajv/dist/2019.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Json;
}

interface Operation {
  method: string;
  /** As in the document: /albums/{id}. */
  path: string;
  pattern: RegExp;
  parameters: Parameter[];
  bodySchema: Json | null;
  /** The JSON schema of each status; null if a status has no body. */
  responses: Map<number, Json | null>;
}

export interface Contract {
  operations: Operation[];
  /** Compiles a converted schema once. */
  validator(schema: Json): ValidateFunction;
}

/** A request as the client sends it; `path` may or may not start with /v1. */
export interface ContractRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

export interface ContractResponse {
  method: string;
  path: string;
  status: number;
  body: unknown;
}

/** The path of the contract: SPOTIFY_CONTRACT, or otherwise beside the project. */
function contractPath(): string {
  return (
    process.env.SPOTIFY_CONTRACT ??
    resolve(import.meta.dirname, "../../../../shared/contracts/spotify-web-api.yml")
  );
}

/**
 * Properties that the service sends although its description lacks them: `reason` in player errors,
 * and `disallows`, which holds the actions.
 */
const undocumentedProperties: Record<string, Json> = {
  ErrorObject: { reason: { type: "string" } },
  DisallowsObject: { disallows: { $ref: "#/components/schemas/DisallowsObject" } },
};

/**
 * The title of tests that need the contract, which says so if they are skipped, and why.
 * @param contract what `loadContract` returned.
 */
export function titleWith(contract: Contract | null, title: string): string {
  if (contract) return title;
  return `${title} (skipped: no description of the Web API at ${contractPath()}; set SPOTIFY_CONTRACT)`;
}

/** What the description says of a request: the names in its query and body, "!" behind the required. */
export function describedNames(contract: Contract, route: string) {
  const found = contract.operations.find(({ method, path }) => `${method} ${path}` === route);
  if (!found) return null;
  const mark = (name: string, required = false) => (required ? `${name}!` : name);
  const { properties = {}, required = [] } = (found.bodySchema ?? {}) as {
    properties?: Json;
    required?: string[];
  };
  return {
    query: found.parameters
      .filter((parameter) => parameter.in === "query")
      .map(({ name, required }) => mark(name, required)),
    body: Object.keys(properties).map((name) => mark(name, required.includes(name))),
  };
}

/** The contract, or null if this machine has none. */
export function loadContract(path = contractPath()): Contract | null {
  if (!existsSync(path)) return null;
  const document = parse(readFileSync(path, "utf8")) as {
    paths: Record<string, Record<string, Json>>;
    components: Record<string, Record<string, Json>>;
  };
  for (const [name, properties] of Object.entries(undocumentedProperties)) {
    Object.assign(document.components.schemas?.[name]?.properties as Json, properties);
  }
  const resolved = (node: Json): Json => {
    const ref = node.$ref as string | undefined;
    const [, group, name] = /^#\/components\/(\w+)\/(\w+)$/.exec(ref ?? "") ?? [];
    return group && name ? ((document.components[group]?.[name] as Json) ?? node) : node;
  };
  const deprecated = deprecatedNames(document.components.schemas ?? {});
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas ?? {}).map(([name, schema]) => [
      name,
      convert(schema, deprecated),
    ]),
  );
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "spotify", components: { schemas } });

  const operations: Operation[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const body = operation.requestBody ? resolved(operation.requestBody as Json) : null;
      operations.push({
        method: method.toUpperCase(),
        path,
        pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
        parameters: ((operation.parameters ?? []) as Json[]).map(
          (parameter) => resolved(parameter) as unknown as Parameter,
        ),
        bodySchema: body ? jsonSchema(body) : null,
        responses: new Map(
          Object.entries(operation.responses as Record<string, Json>).map(([status, response]) => [
            Number(status),
            jsonSchema(resolved(response)),
          ]),
        ),
      });
    }
  }
  // Paths with fewer parameters come first, so that no general path matches in place of a specific one.
  operations.sort((a, b) => a.path.split("{").length - b.path.split("{").length);

  const compiled = new Map<Json, ValidateFunction>();
  function validator(schema: Json): ValidateFunction {
    const known = compiled.get(schema);
    if (known) return known;
    const made = ajv.compile(closed(convert(schema, deprecated)));
    compiled.set(schema, made);
    return made;
  }
  return { operations, validator };
}

/** The problems of a request; empty if there are none. */
export function validateRequest(contract: Contract, request: ContractRequest): string[] {
  const operation = find(contract, request.method, request.path);
  if (!operation) return [`no route ${request.method} ${request.path}`];
  const problems: string[] = [];
  const parameters = operation.parameters.filter((parameter) => parameter.in === "query");
  for (const name of Object.keys(request.query)) {
    if (!parameters.some((parameter) => parameter.name === name)) {
      problems.push(`query ${name}: unknown`);
    }
  }
  for (const { name, required, schema } of parameters) {
    const value = request.query[name];
    if (value === undefined) {
      if (required) problems.push(`query ${name}: missing`);
      continue;
    }
    problems.push(...check(contract, schema, convertValue(value, schema), `query ${name}`));
  }
  const hasBody = request.body !== null && request.body !== undefined && request.body !== "";
  if (hasBody && !operation.bodySchema) problems.push("body: none expected");
  if (hasBody && operation.bodySchema) {
    problems.push(...check(contract, operation.bodySchema, request.body, "body"));
  }
  return problems;
}

/**
 * The problems of a response; empty if there are none. A status that the document does not name
 * must be an error in the service's form. A 403 may be plain text (user not on the app's list).
 */
export function validateResponse(contract: Contract, response: ContractResponse): string[] {
  const { method, path, status, body } = response;
  const operation = find(contract, method, path);
  if (!operation) return [`no route ${method} ${path}`];
  if (status === 403 && typeof body === "string") return [];
  if (!operation.responses.has(status) && status < 400) return [`status ${status}: unknown`];
  const schema = operation.responses.has(status)
    ? operation.responses.get(status)
    : (operation.responses.get(403) ?? null);
  if (!schema) return body === null || body === "" ? [] : [`status ${status}: no body expected`];
  // A few 400 responses are described without the `error` wrapper that they have.
  const wrapped = status === 400 ? (operation.responses.get(403) ?? schema) : schema;
  return check(contract, wrapped, body, `status ${status}`);
}

function find(contract: Contract, method: string, path: string): Operation | undefined {
  const bare = path.replace(/^\/v1(?=\/)/, "");
  return contract.operations.find((op) => op.method === method && op.pattern.test(bare));
}

function check(contract: Contract, schema: Json, value: unknown, where: string): string[] {
  const validate = contract.validator(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const extra = (params as { unevaluatedProperty?: string }).unevaluatedProperty;
    return `${where}${instancePath}: ${message}${extra === undefined ? "" : ` (${extra})`}`;
  });
}

/** A query value converted to the type in its schema. */
function convertValue(value: string, schema: Json): unknown {
  if (schema.type === "integer" || schema.type === "number") {
    return /^-?\d+$/.test(value) ? Number(value) : value;
  }
  if (schema.type === "boolean") return value === "true" ? true : value === "false" ? false : value;
  if (schema.type === "array") return value.split(",");
  return value;
}

function jsonSchema(holder: Json): Json | null {
  const content = holder.content as Record<string, { schema: Json }> | undefined;
  return content?.["application/json"]?.schema ?? null;
}

/** Names of deprecated properties. Newer apps do not get these, so they must not be required. */
function deprecatedNames(schemas: Record<string, Json>): Set<string> {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === "object" && value !== null && (value as Json).deprecated === true) {
        names.add(key);
      }
      visit(value);
    }
  };
  visit(schemas);
  names.delete("tracks"); // Deprecated in playlists only; an album must have its tracks.
  return names;
}

/** Converts OpenAPI 3.0 to JSON schema, as far as this document needs it. */
function convert(node: unknown, deprecated: Set<string>): Json {
  const { nullable, discriminator, example, ...schema } = node as Json;
  const out: Json = { ...schema };
  if (typeof out.$ref === "string") out.$ref = out.$ref.replace(/^#/, "spotify#");
  if (Array.isArray(out.required)) {
    out.required = out.required.filter((name) => !deprecated.has(String(name)));
  }
  for (const key of ["allOf", "oneOf", "anyOf"]) {
    if (Array.isArray(out[key])) {
      out[key] = out[key].map((part: unknown) => convert(part, deprecated));
    }
  }
  if (out.items) out.items = closed(convert(out.items, deprecated));
  if (out.properties) {
    out.properties = Object.fromEntries(
      Object.entries(out.properties as Json).map(([name, property]) => [
        name,
        closed(convert(property, deprecated)),
      ]),
    );
  }
  // For some values only the text says that they may be null.
  const mayBeNull = nullable === true || /be `null`/.test(String(out.description ?? ""));
  return mayBeNull ? { anyOf: [{ type: "null" }, closed(out)] } : out;
}

/** Forbids properties that the description does not name. */
function closed(schema: Json): Json {
  const isObject = schema.$ref || schema.allOf || schema.oneOf || schema.properties;
  const open = schema.additionalProperties !== undefined;
  return isObject && !open ? { ...schema, unevaluatedProperties: false } : schema;
}
