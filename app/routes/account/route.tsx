import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import { loadAccount } from "~/account/account.server";
import { useFreshData } from "~/components/form/use-fresh-data";
import { privateHead } from "~/components/head/head";
import { Tally } from "~/components/icons";
import { LoginPrompt } from "~/components/layout/login-prompt";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { Notice } from "~/components/notice";
import { PremiumContext } from "~/components/premium/premium-context";
import { SubscriptionState } from "~/components/premium/subscription-state";
import { retentionDays } from "~/db/periods";
import type { RouteHandle } from "~/http/route-handle";
import { unsealEntered } from "~/login/entered-address.server";
import type { AccountEmail } from "~/mailing/email-preferences";
import { isFreshLogin } from "~/members/lifetime";
import { viewerView } from "~/members/viewer.server";
import { sha256 } from "~/platform/crypto.server";
import { counted, inWords } from "~/platform/text";
import { AccountAddress, AgainNotice } from "./address";
import { AccountMails } from "./mails";
import { AccountRecordings } from "./recordings";
import { AccountSessions } from "./sessions";
import { AccountWays } from "./ways";

export const handle: RouteHandle<Awaited<ReturnType<typeof loader>>> = {
  crawlers: "disallowed",
  returnTarget: true,
  scripts: ({ viewer }) => viewer !== null,
  playsSongs: ({ viewer }) => viewer !== null,
};

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("Your account - Fivefold");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const viewer = await context.viewer();
  if (!viewer) {
    const ended = context.hasEndedLogin();
    return { viewer: null, deleted: query.has("deleted"), ended, offers: context.config.offers };
  }
  const now = context.now();
  const secret = context.config.sessionSecret;
  const spotifyOpen = context.config.spotifyClients.length > 0;
  const account = await loadAccount(context.db, viewer, { secret, now, spotifyOpen });
  return {
    viewer: viewerView(viewer),
    account: {
      ...account,
      id: await sha256(viewer.userId),
      now,
      saved: query.has("saved"),
      ended: query.has("ended"),
      declined: query.has("declined"),
      again: isFreshLogin(viewer.session, now) ? query.get("again") : null,
      entered: await unsealEntered(context.config.tokenKey, viewer.userId, query.get("entered")),
    },
  };
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

export default function AccountRoute() {
  const loaded = useLoaderData<typeof loader>();
  // Somebody else may have logged in meanwhile, for whom the forms would act.
  useFreshData(loaded.viewer !== null);
  return (
    <Page viewer={loaded.viewer} current="account">
      {loaded.viewer && loaded.account.declined ? (
        <Notice tone="info">
          You did not confirm at Spotify that it is you, so nothing was changed.
        </Notice>
      ) : null}
      {loaded.viewer ? (
        <Account {...loaded} />
      ) : loaded.deleted && !loaded.ended ? (
        <Farewell />
      ) : (
        <LoginPrompt
          heading="Your account"
          ended={loaded.ended}
          offers={loaded.offers}
          next="/account"
        >
          <p className="lead">
            Here you choose which e-mails you get and where they go. Please login to get started.
          </p>
        </LoginPrompt>
      )}
    </Page>
  );
}

export { PageError as ErrorBoundary };

function Account({ viewer, account }: Extract<Loaded, { viewer: object }>) {
  const isSold = useContext(PremiumContext) !== "none";
  const { id, ways, mail, sessions, recordings, now, saved, ended, again, entered } = account;
  return (
    <div className="settings">
      <h1>Your account</h1>
      <p className="lead">
        <bdi>{viewer.displayName}</bdi>
      </p>
      <Link to="/rated">Songs I rated</Link>
      <Link to="/rounds">
        {viewer.hasRounds ? "Your rounds" : "Open a round with people you know"}
      </Link>
      {saved ? <Notice tone="ok">Your choice is saved.</Notice> : null}
      {ended ? <Notice tone="ok">That login has ended.</Notice> : null}
      <Group
        id="ways"
        heading="How you come in"
        summary={comesBy(ways.spotify !== null, mail.own)}
        open={again === "spotify"}
      >
        <AccountWays ways={ways} mail={mail} again={again === "spotify"} />
      </Group>
      <Group
        id="address"
        heading="Your address"
        summary={mail.waiting ?? mail.address ?? "None yet"}
        open={
          mail.address === null ||
          mail.waiting !== null ||
          entered !== null ||
          again === "removal" ||
          again === "address"
        }
      >
        <AccountAddress mail={mail} ways={ways} again={again} entered={entered} />
      </Group>
      <Group heading="E-mails" summary={mailsInShort(mail)} open={mail.ended.rating}>
        <AccountMails mail={mail} />
      </Group>
      {isSold ? (
        <Group heading="Subscription" summary={viewer.subscription.label}>
          <SubscriptionState viewer={viewer} />
        </Group>
      ) : null}
      {recordings.length > 0 ? (
        <Group
          id="recordings"
          heading="Your recordings"
          summary={counted(recordings.length, "recording")}
        >
          <AccountRecordings recordings={recordings} />
        </Group>
      ) : null}
      <Group
        heading="Where you are logged in"
        summary={
          sessions.length > 1
            ? `Here, and ${inWords(sessions.length - 1).toLowerCase()} more`
            : "Only here"
        }
        open={ended}
      >
        <AccountSessions sessions={sessions} now={now} />
      </Group>
      <Group heading="Your data" summary="All of it, in one file">
        <AccountData />
      </Group>
      <AccountDeletion
        account={id}
        came={cameBy(ways.spotify !== null, mail.own)}
        subscribed={viewer.subscription.tier === "premium"}
        again={again === "delete"}
      />
    </div>
  );
}

function Farewell() {
  return (
    <div className="standalone-message">
      <Tally count={5} />
      <h1>Farewell, and thank you for listening</h1>
      <p className="lead" role="status">
        Your account is deleted.
      </p>
      <p>
        Your songs are gone, and so are their ratings and everything else about you. The ratings
        that you gave stay with the songs, without your name. Nothing will be charged any more.
      </p>
      <p>You are welcome back at any time.</p>
      <Link className="button plain" to="/">
        Go to Homepage
      </Link>
    </div>
  );
}

function Group({
  id,
  heading,
  summary,
  open,
  children,
}: {
  id?: string;
  heading: string;
  summary: string;
  /** Something in it has just been done, or waits to be done. */
  open?: boolean;
  children: ReactNode;
}) {
  return (
    <details className="panel" open={open}>
      <summary>
        <h2>{heading}</h2>
        <bdi className="quiet">{summary}</bdi>
      </summary>
      {/* Within, because browsers open what holds the place that an address names. */}
      <div className="prose" id={id}>
        {children}
      </div>
    </details>
  );
}

function AccountData() {
  return (
    <>
      <p>
        You can download everything that Fivefold stores about you, in one file. The{" "}
        <Link to="/imprint">privacy policy</Link> says what that is and how long we keep it.
      </p>
      {/* The answer is a file and the document stays, so the form needs no script. */}
      <form method="post" action="/account/export">
        <button className="button plain" type="submit">
          Download my data
        </button>
      </form>
    </>
  );
}

function comesBy(spotify: boolean, email: boolean): string {
  if (!spotify) return "By e-mail";
  return email ? "With Spotify or by e-mail" : "With Spotify";
}

function mailsInShort({ address, rating, rhythm, ended }: AccountEmail): string {
  if (address === null || !rating || ended.rating) return "None about ratings";
  return rhythm === "each" ? "After each rating" : "Once all five are in";
}

function cameBy(spotify: boolean, address: boolean): string {
  return [spotify ? "Spotify account" : "", address ? "address" : ""].filter(Boolean).join(" or ");
}

function AccountDeletion({
  account,
  came,
  subscribed,
  again,
}: {
  account: string;
  came: string;
  subscribed: boolean;
  again: boolean;
}) {
  return (
    <details className="panel" id="delete" open={again}>
      <summary>
        <h2>Delete my account</h2>
      </summary>
      <p>
        {`This deletes your songs, the ratings they received and everything else about you${
          subscribed ? ", and your subscription ends at once" : ""
        }. The ratings you gave stay with the songs, without your name. This cannot be undone.`}
      </p>
      <p>
        {`You are welcome back at any time. If you log in again with the same ${came} within a day, you get no songs to rate and cannot submit any until that day is over. For ${counted(retentionDays.departures, "day")} we keep a fingerprint of it, and with that which songs you have rated, so that nobody rates a song twice by coming back.`}
      </p>
      {again ? <AgainNotice /> : null}
      <form className="checkbox-form" method="post" action="/account/delete">
        <input type="hidden" name="account" value={account} />
        <label>
          <input type="checkbox" name="sure" required />I want my account to be deleted permanently.
        </label>
        <button className="button danger" type="submit">
          Delete my account
        </button>
      </form>
    </details>
  );
}
