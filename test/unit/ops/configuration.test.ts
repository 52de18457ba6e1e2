import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  configurationFaults,
  openings,
  type ProductionConfig,
  queueNames,
  readProduction,
  secretFaults,
} from "../../../.ops/configuration";
import { complete, required } from "./production";

function withVars(vars: Record<string, string>): ProductionConfig {
  return { ...complete, vars: { ...complete.vars, ...vars } };
}

/** A list of secrets as printed by wrangler. */
function listed(...names: string[]): string {
  return JSON.stringify(names.map((name) => ({ name, type: "secret_text" })));
}

const first = ["SPOTIFY_CLIENT_ID", "SPOTIFY_CLIENT_SECRET"];
const second = { SPOTIFY_CLIENT_ID_2: "the second" };

test("wrangler.toml is complete, apart from placeholders that have not been replaced", () => {
  const faults = configurationFaults(readProduction(readFileSync("wrangler.toml", "utf8")));
  const others = faults.filter((fault) => !/^database_id|is still the placeholder\.$/.test(fault));
  expect(others).toEqual([]);
});

test("each placeholder is named", () => {
  const vars = { OPERATOR_NAME: "set me", CONTACT_EMAIL: "set@me.example" };
  const database_id = "00000000-0000-0000-0000-000000000000";
  const config = { ...withVars(vars), d1_databases: [{ binding: "DB", database_id }] };
  expect(configurationFaults(config)).toEqual([
    expect.stringContaining("database_id"),
    "CONTACT_EMAIL is still the placeholder.",
    "OPERATOR_NAME is still the placeholder.",
  ]);
  expect(configurationFaults(complete)).toEqual([]);
});

test.each([
  ["no production", readProduction('name = "fivefold"')],
  ["development", withVars({ ENVIRONMENT: "development" })],
  ["no database", { ...complete, d1_databases: [] }],
  ["an address without TLS", withVars({ APP_ORIGIN: "http://fivefold.test" })],
  ["a route to another host", { ...complete, routes: ["other.test/*"] }],
  ["a stand-in for Spotify", withVars({ SPOTIFY_API_URL: "https://api.test" })],
  ["an empty operator name", withVars({ OPERATOR_NAME: "" })],
])("a configuration is refused for %s", (_what, config) => {
  expect(configurationFaults(config)).toHaveLength(1);
});

test.each([
  ...required,
  "SPOTIFY_CLIENT_SECRET",
  "SPOTIFY_CLIENT_SECRET_2",
  "RESEND_WEBHOOK_SECRET",
])(
  "a configuration is refused with the secret %s as a variable, without repeating its value",
  (name) => {
    const faults = configurationFaults(
      withVars({ ...second, SPOTIFY_CLIENT_SECRET_2: "s", [name]: "kept to oneself" }),
    );
    expect(faults.join()).toContain(`${name} is a secret`);
    expect(faults.join()).not.toContain("kept to oneself");
  },
);

test("a second Spotify app is accepted", () => {
  expect(configurationFaults(withVars(second))).toEqual([]);
});

test("each missing secret is named, with the command to set it", () => {
  const [missing = "", ...others] = required;
  expect(secretFaults(complete, listed(...required))).toEqual([]);
  expect(secretFaults(complete, listed(...others))).toEqual([
    `${missing} is not set: \`npx wrangler secret put ${missing} --env production\`.`,
  ]);
});

test.each([
  ["SPOTIFY_CLIENT_SECRET_2", complete, ["SPOTIFY_CLIENT_ID_2"]],
  ["SPOTIFY_CLIENT_ID_2", complete, ["SPOTIFY_CLIENT_SECRET_2"]],
  ["SPOTIFY_CLIENT_SECRET_2", withVars(second), []],
])("a second Spotify app without %s is incomplete", (missing, config, set) => {
  const known = [...required, ...first, ...set];
  expect(secretFaults(config, listed(...known)).join()).toContain(`${missing} is not set`);
  expect(secretFaults(config, listed(...known, missing))).toEqual([]);
});

test.each([
  [["SPOTIFY_CLIENT_ID"], ["SPOTIFY_CLIENT_SECRET"]],
  [["SPOTIFY_CLIENT_SECRET"], ["SPOTIFY_CLIENT_ID"]],
  [["SPOTIFY_CLIENT_ID_2", "SPOTIFY_CLIENT_SECRET_2"], first],
])("of Spotify's keys, %j alone are half", (set, missing) => {
  const faults = secretFaults(complete, listed(...required, ...set));
  expect(faults.map((fault) => fault.split(" ")[0])).toEqual(missing);
});

test("no key of Spotify's is needed, and what each opens is told", () => {
  expect(required.join()).not.toContain("SPOTIFY");
  expect(openings(complete, listed(...required))).toEqual([
    "Spotify: off, without SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET",
    "news of mails that come back: off, without RESEND_WEBHOOK_SECRET",
  ]);
  const more = listed(...required, ...first, "RESEND_WEBHOOK_SECRET");
  expect(openings(complete, more)).toEqual(["Spotify: on", "news of mails that come back: on"]);
});

test.each(["", "no JSON", '{"error":"denied"}'])("%j is no list of secrets", (answer) => {
  expect(secretFaults(complete, answer)).toHaveLength(1);
});

test("the queues are those of producers, consumers and dead letters, each once", () => {
  expect(queueNames(complete)).toEqual(["mails", "checks", "dead"]);
  expect(queueNames({})).toEqual([]);
});
