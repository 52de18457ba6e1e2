import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useFreshData } from "~/components/form/use-fresh-data";
import { privateHead, sharedHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { dealText, roundPath } from "~/exchange/round/round";
import { loadRound } from "~/exchange/rounds/view.server";
import type { RouteHandle } from "~/http/route-handle";
import { spotifyGap } from "~/members/spotify-gap";
import { viewerView } from "~/members/viewer.server";
import roundsCss from "~/routes/rounds/rounds.css";
import resultCss from "~/styles/result.css";
import { Gathering, Listening, Over } from "./going-on";
import { HandIn, Invitation } from "./joining";
import type { Loaded } from "./loaded";
import { Opened } from "./opened";

export const handle: RouteHandle<Awaited<ReturnType<typeof loader>>> = {
  returnTarget: true,
  rateLimits: { GET: [{ limiter: "LIMIT_WIDE", per: "session" }] },
  scripts: ({ viewer }) => viewer !== null,
  playsSongs: ({ viewer }) => viewer !== null,
};

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: resultCss },
  { rel: "stylesheet", href: roundsCss },
];

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

/** A round's page: what it shows follows from its state, and from who looks. Whoever has the address may. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const token = params.token ?? "";
  const viewer = await context.viewer();
  const query = new URL(request.url).searchParams;
  const takesSeat = query.has("seat");
  const round = await loadRound(context, viewer, token, { asksForSong: takesSeat });
  const view = viewer && viewerView(viewer);
  if (!round) throw Response.json({ viewer: view, ...nothingHere }, { status: 404 });
  const { config } = context;
  const page = {
    path: roundPath(token) as `/${string}`,
    title: round.name,
    description: dealText(round.seats),
  };
  return {
    viewer: view,
    round,
    takesSeat,
    // Set by the press that opens one's own.
    drawn: query.has("drawn"),
    gap: viewer && spotifyGap(viewer, "add", config.spotifyClients.length > 0),
    offers: config.offers,
    now: context.now(),
    address: config.appOrigin + roundPath(token),
    head: viewer
      ? privateHead(`${round.name} - Fivefold`)
      : sharedHead({ ...page, picture: null }, config.appOrigin),
  };
}

const nothingHere = {
  title: "There is no round here",
  text: "The address is incomplete, or the round ended some time ago. Ask for the link again, or open a round of your own.",
  action: { label: "Open a round", href: "/rounds" },
};

export default function RoundRoute() {
  const loaded = useLoaderData<typeof loader>();
  const { viewer, round } = loaded;
  useFreshData(viewer !== null);
  const amber = isAmber(loaded);
  return (
    <Page
      viewer={viewer}
      current="rounds"
      song={amber ? undefined : round.mine?.song}
      amber={amber}
    >
      <RoundScreen {...loaded} />
    </Page>
  );
}

export { PageError as ErrorBoundary };

/** Before one has a song in it, and once it is over. */
function isAmber({ round: { state, mine, isHost }, takesSeat }: Loaded): boolean {
  if (state === "gathering") return !mine || takesSeat;
  return state === "ended" || (!mine && !isHost);
}

function RoundScreen(loaded: Loaded) {
  const { round, takesSeat } = loaded;
  if (round.state === "ended") return <Over {...loaded} />;
  if (round.state === "gathering") {
    const isFull = round.taken >= round.seats && !round.mine;
    if (takesSeat && !isFull) return <HandIn {...loaded} />;
    return round.mine || round.isHost ? <Gathering {...loaded} /> : <Invitation {...loaded} />;
  }
  if (!round.mine && !round.isHost) return <Over {...loaded} />;
  return round.state === "open" && round.mine?.hasListened ? (
    <Opened {...loaded} />
  ) : (
    <Listening {...loaded} />
  );
}
