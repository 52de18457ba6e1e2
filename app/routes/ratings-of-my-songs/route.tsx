import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { EndedMails, MailCheckbox, MailForm } from "~/components/form/mail-preferences";
import { useFreshData } from "~/components/form/use-fresh-data";
import { privateHead, publicHead } from "~/components/head/head";
import { LoginPrompt } from "~/components/layout/login-prompt";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { StarHeading } from "~/components/layout/star-heading";
import { Notice } from "~/components/notice";
import { SubscriptionState } from "~/components/premium/subscription-state";
import { MarkKey } from "~/components/result/mark-key";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { RouteHandle } from "~/http/route-handle";
import type { EmailPreferences } from "~/mailing/email-preferences";
import { viewerView } from "~/members/viewer.server";
import { placeFrom } from "~/results/received";
import { ratingsOfOwnSongs } from "~/results/received.server";
import resultCss from "~/styles/result.css";
import { SongPanel } from "./song-panel";

export const handle: RouteHandle<Awaited<ReturnType<typeof loader>>> = {
  crawlers: "listed",
  returnTarget: true,
  scripts: ({ viewer }) => viewer !== null,
  playsSongs: ({ viewer }) => viewer !== null,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: resultCss }];

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data?.head ?? errorHead(error);

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  // The song to which a mail links.
  const song = query.get("song");
  const now = context.now();
  const after = placeFrom(query.get("after"));
  const { sessionId, secret, sale, isActivity } = context;
  const received = sessionId
    ? await ratingsOfOwnSongs(
        context.db,
        sessionId,
        { after, song },
        { secret, now, sale, isActivity },
      )
    : null;
  if (!received) {
    context.noteEndedLogin();
    const page = {
      path: "/ratings-of-my-songs",
      title: "Ratings of my songs - Fivefold",
      description:
        "Every song added to Fivefold is promised 5 ratings from musicians who listened to it. Log in to read those of your songs; nobody else sees them.",
    } as const;
    const { appOrigin, offers } = context.config;
    const head = publicHead(page, appOrigin);
    return { viewer: null, song, ended: context.hasEndedLogin(), offers, head };
  }
  const { viewer, ...list } = received;
  return {
    // What is new stands here.
    viewer: { ...viewerView(viewer), news: null },
    song,
    ...list,
    isFirst: after === null,
    canSubmit: viewer.credits >= viewer.tierConfig.ratingsToSubmit,
    unlocked: query.has("unlocked"),
    saved: query.has("saved"),
    now,
    head: privateHead("Ratings of my songs - Fivefold"),
  };
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

export default function RatingsOfMySongs() {
  const data = useLoaderData<typeof loader>();
  const loading = useFreshData(data.viewer !== null);
  return (
    <Page viewer={data.viewer} current="ratings">
      {data.viewer ? (
        <RatingsPage {...data} loading={loading} />
      ) : (
        <LoginPrompt
          heading="Ratings of my songs"
          ended={data.ended}
          offers={data.offers}
          next={pathTo(data.song)}
        >
          <p className="lead">
            Here you will see the ratings your songs received after you added them. Please login to
            get started.
          </p>
          <p>Only you will see your ratings.</p>
        </LoginPrompt>
      )}
    </Page>
  );
}

export { PageError as ErrorBoundary };

function pathTo(song: string | null): string {
  const screen = "/ratings-of-my-songs";
  if (song === null) return screen;
  const id = encodeURIComponent(song);
  return `${screen}?song=${id}#song-${id}`;
}

function RatingsPage({
  viewer,
  panels,
  mail,
  wait,
  waitOfOwn,
  song: open,
  unlocked,
  saved,
  next,
  isFirst,
  canSubmit,
  now,
  loading,
}: Extract<Loaded, { viewer: object }> & { loading: boolean }) {
  const { subscription } = viewer;
  const thanks = unlocked && subscription.tier === "premium";
  return (
    <>
      {thanks ? <Notice tone="ok">Thank you for subscribing!</Notice> : null}
      {saved ? <Notice tone="ok">Your choice is saved.</Notice> : null}
      <div className="rows-head">
        <StarHeading>Ratings of my songs</StarHeading>
        {panels.some(({ scores }) => scores.length > 0) ? (
          <MarkKey hidden={Math.max(...panels.map(({ hidden }) => hidden))} />
        ) : null}
      </div>
      {isFirst ? null : <Link to="/ratings-of-my-songs">Back to the newest</Link>}
      {panels.length === 0 && isFirst ? (
        <div className="standalone-message">
          <p>No ratings yet. Add a song to get started!</p>
          <Link className="button" to={canSubmit ? "/?menu=addownsong&upload" : "/"}>
            {canSubmit ? "Upload Your Song" : "Play and rate songs"}
          </Link>
        </div>
      ) : (
        <div className="rows">
          {panels.map((panel, index) => (
            <SongPanel
              key={panel.songId}
              panel={panel}
              tier={subscription.tier}
              now={now}
              wait={panel.spotifyUrl === null ? waitOfOwn : wait}
              first={index === 0}
              open={panel.songId === open || (panels.length === 1 && isFirst)}
              unlocked={thanks && panel.songId === open}
            />
          ))}
        </div>
      )}
      {next === null ? null : (
        <Link className="button plain show-more" to={`?after=${encodeURIComponent(next)}`}>
          Show more
        </Link>
      )}
      {loading ? <p className="quiet">Loading ratings...</p> : null}
      {panels.length > 0 ? <SpotifyCredit songs={panels} /> : null}
      <div className="ratings-notes">
        <div className="prose">
          <p>Every song you add is promised 5 ratings.</p>
          <p className="quiet">
            Only you see the ratings of your songs, unless you share them. The rating 'Added to my
            playlist' exists since Oct 10, 2025.
          </p>
        </div>
        <div className="prose">
          <RatingMails mail={mail} />
          <SubscriptionState viewer={viewer} />
        </div>
      </div>
    </>
  );
}

function RatingMails({
  mail,
}: {
  mail: Pick<EmailPreferences, "address" | "rating" | "ended" | "returned">;
}) {
  if (mail.address && mail.ended.rating) {
    return <EndedMails address={mail.address} topics={["rating"]} returned={mail.returned} />;
  }
  return (
    <MailForm disabled={mail.address === null} next="/ratings-of-my-songs">
      <MailCheckbox
        field="receiveRatingEmails"
        label="Receive an Email when I get a new Rating"
        wanted={mail.rating}
        disabled={mail.address === null}
      >
        <p className="quiet">
          {mail.address ? (
            <span>
              <bdi>{mail.address}</bdi> <Link to="/account">Change</Link>
            </span>
          ) : (
            <span>
              We do not know your address. <Link to="/account">Give us one</Link>
            </span>
          )}
        </p>
      </MailCheckbox>
    </MailForm>
  );
}
