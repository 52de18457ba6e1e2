// The floors of the house (README.md, "The code"). Imports point down. Run by `npm run lint`.

/** The rooms of the product, from the highest to the lowest: each may import those below it. */
const rooms = [
  "operator",
  "letters",
  "account",
  "premium",
  "results",
  "exchange",
  "covers",
  "sources",
  "login",
  "mailing",
  "members",
];
const ground = ["outbox", "db", "platform"];

/** A folder of app/ that may import only these others, besides itself and what stands in for a package. */
function floor(name, allowed) {
  const paths = [name, "http/bundle", ...allowed].map((folder) => `^app/${folder}/`);
  return {
    name: `${name}-imports`,
    severity: "error",
    from: { path: `^app/${name}/` },
    to: { path: "^app/", pathNot: paths },
  };
}

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-circular-files",
      severity: "error",
      from: { path: "^(app|test|\\.ops)/" },
      to: { circular: true },
    },
    {
      name: "no-circular-folders",
      severity: "error",
      scope: "folder",
      from: { path: "^app/" },
      to: { circular: true },
    },
    floor("platform", []),
    floor("db", ["platform"]),
    floor("outbox", ["db", "platform"]),
    ...rooms.map((room, place) => floor(room, [...rooms.slice(place + 1), ...ground])),
    floor("components", ["player", "styles", ...rooms, ...ground]),
    floor("player", ["components", ...rooms, ...ground]),
    // The entry hands in what the operator counts.
    floor("http", ["components", "styles", ...rooms.slice(1), ...ground]),
    floor("routes", ["components", "player", "http", "styles", ...rooms, ...ground]),
    {
      name: "no-server-code-in-browsers",
      comment: "A component or the player imports nothing that touches D1, secrets or the network.",
      severity: "error",
      from: {
        path: "^app/(components|player)/|^app/routes/[^/]+/.*\\.tsx?$",
        pathNot: "/route\\.tsx$|\\.server\\.tsx?$",
      },
      to: { path: "\\.server\\.tsx?$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-queries-in-routes",
      severity: "error",
      from: { path: "^app/(routes|components|player)/" },
      to: { path: "node_modules/drizzle-orm" },
    },
    {
      name: "no-vendor-in-routes",
      comment: "The request's context picks the vendors.",
      severity: "error",
      from: { path: "^app/(routes|components)/" },
      to: {
        path: "^app/(sources/spotify/client/(web-api|consent|link-reader)|premium/stripe|outbox/resend)\\.server\\.ts$",
      },
    },
    {
      name: "no-spotify-in-rooms",
      comment:
        "What is Spotify's is known to the entries, http, routes and the player, not to other rooms.",
      severity: "error",
      from: { path: `^app/(${rooms.join("|")})/`, pathNot: "^app/sources/spotify/" },
      to: { path: "^app/sources/spotify/" },
    },
    {
      name: "no-source-in-exchange",
      comment:
        "The exchange knows a song's source by app/sources/source.ts alone, but for the form of a file.",
      severity: "error",
      from: { path: "^app/exchange/", pathNot: "^app/exchange/submission/(add-song|draft)" },
      to: { path: "^app/sources/[^/]+/" },
    },
    {
      name: "no-stand-ins-in-production",
      comment: "Stand-ins are for development and tests.",
      severity: "error",
      from: { path: "^app/" },
      to: { path: "^test/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(build|public)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js", ".css", ".json"] },
  },
};
