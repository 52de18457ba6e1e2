// The layers of the README's map. An arrow points the way that imports may go:
//   routes → components, player, domain → adapters' interfaces, db → platform
// `http` stands beside the routes. Run by `npm run lint`.

/** A folder or file of app/ that may import only what `allowed` matches, besides itself. */
function layer(name, allowed, comment) {
  return {
    name: `${name}-imports`,
    comment,
    severity: "error",
    from: { path: `^app/${name}/` },
    to: { path: "^app/", pathNot: [`^app/${name}/`, ...allowed.map((path) => `^app/${path}`)] },
  };
}

const interfaces = "adapters/(mail/mailer|billing/billing|spotify/(spotify|track|login))\\.ts$";

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
    layer("platform", [], "The platform knows nothing of ours."),
    layer("db", ["platform/"], "The schema knows nothing of the rules."),
    layer("adapters", ["platform/"], "An adapter knows its vendor, not the product."),
    layer("domain", ["db/", "platform/", interfaces], "The rules know no vendor and no screen."),
    layer(
      "player",
      [
        "adapters/spotify/(json|requests|spotify|track)\\.ts$",
        "components/",
        "domain/",
        "platform/",
      ],
      "The player is an island; it shares the request discipline with the Worker.",
    ),
    layer(
      "components",
      ["domain/", "player/", "platform/", "styles/", "adapters/spotify/track\\.ts$"],
      "Components get their data as props.",
    ),
    layer("http", ["(?!routes/|entry|root)"], "What every request passes through knows no route."),
    layer(
      "routes",
      ["(components|player|domain|http|platform|styles)/"],
      "Queries live in the domain; the request's context picks the adapters.",
    ),
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
