import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { LoginPrompt } from "~/components/layout/login-prompt";
import { Page } from "~/components/layout/page";
import { errorHead, PageError } from "~/components/layout/page-error";
import { StarHeading } from "~/components/layout/star-heading";
import { Mark } from "~/components/marks";
import { Cover } from "~/components/song/cover";
import { FavoriteButton, InPlaylist, useSaved } from "~/components/song/favorite-button";
import { Release } from "~/components/song/release";
import { SongTitle, songName } from "~/components/song/song-title";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import { ratingLabel } from "~/exchange/rating/scale";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import { fullDate, monthAndYear } from "~/platform/dates";
import { type RatedSong, ratingsGiven } from "~/results/given.server";
import { placeFrom, placeText } from "~/results/received";
import { savedAmong } from "~/sources/spotify/library/favorite.server";
import { playlistPath } from "~/sources/spotify/library/finds";
import resultCss from "~/styles/result.css";

export const handle: RouteHandle<Awaited<ReturnType<typeof loader>>> = {
  crawlers: "disallowed",
  returnTarget: true,
  // Asks Spotify for the favorites.
  rateLimits: { GET: [{ limiter: "LIMIT_NORMAL", per: "session", query: "favorite" }] },
  scripts: ({ viewer }) => viewer !== null,
  playsSongs: ({ viewer }) => viewer !== null,
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: resultCss }];

export const meta: MetaFunction = ({ error }) =>
  error ? errorHead(error) : privateHead("Songs I rated - Fivefold");

/**
 * The songs that the viewer has rated, from the place `after` on. A plain favorite form returns here with
 * `favorite`: the page then includes Spotify's answer, because there is no script to ask for it.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const after = placeFrom(query.get("after"));
  const now = context.now();
  const { db, sessionId, isActivity } = context;
  const ratings = sessionId ? await ratingsGiven(db, sessionId, after, { now, isActivity }) : null;
  if (!ratings) {
    context.noteEndedLogin();
    return { viewer: null, ended: context.hasEndedLogin(), offers: context.config.offers };
  }
  const { viewer, songs, next } = ratings;
  return {
    viewer: viewerView(viewer),
    songs: songs.map(({ trackId: _trackId, ...song }) => song),
    saved: query.has("favorite") ? await savedAmong(context.spotify(viewer), songs) : undefined,
    after: after && placeText(after),
    next,
  };
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

export default function Rated() {
  const data = useLoaderData<typeof loader>();
  return (
    <Page viewer={data.viewer} current="rated">
      {data.viewer ? (
        <RatedSongs key={data.after} {...data} />
      ) : (
        <LoginPrompt heading="Songs I rated" ended={data.ended} offers={data.offers} next="/rated">
          <p className="lead">
            Here you will find the songs you rated, and what you gave them. Please login to get
            started.
          </p>
        </LoginPrompt>
      )}
    </Page>
  );
}

export { PageError as ErrorBoundary };

function RatedSongs({
  viewer: { hasSpotify },
  songs,
  saved: known,
  after,
  next,
}: Extract<Loaded, { viewer: object }>) {
  const saved = useSaved(hasSpotify ? songs : [], known);
  const here = after === null ? "/rated" : `/rated?after=${encodeURIComponent(after)}`;
  if (songs.length === 0 && after === null) return <NoneRated />;
  return (
    <>
      <div className="prose">
        <StarHeading>Songs I rated</StarHeading>
        <p className="lead">The newest first. Only you see this list.</p>
        {after === null ? null : <Link to="/rated">Back to the newest</Link>}
      </div>
      {byMonth(songs).map(([month, those]) => (
        <section className="month" key={month}>
          <h2>{month}</h2>
          <ol className="results">
            {those.map((song) => (
              <li className="given" key={song.songId} id={`song-${song.songId}`}>
                <Cover track={song} first={song === songs[0] ? "5.5rem" : undefined} />
                <h3>
                  <SongTitle track={song} />
                </h3>
                <GivenRating {...song} />
                <Release song={song} next={`${here}#song-${song.songId}`} />
                {hasSpotify && song.spotifyUrl !== null ? (
                  <div className="actions">
                    <FavoriteButton
                      song={song}
                      saved={saved?.includes(song.songId)}
                      next={`${here}#song-${song.songId}`}
                    />
                    {song.playlist ? (
                      <InPlaylist name={song.playlist} />
                    ) : (
                      <Link className="link-button" to={playlistPath(song.songId)}>
                        Put it into a playlist
                        <span className="visually-hidden">{`: ${songName(song)}`}</span>
                      </Link>
                    )}
                  </div>
                ) : null}
              </li>
            ))}
          </ol>
        </section>
      ))}
      {next === null ? null : (
        <Link className="button plain show-more" to={`?after=${encodeURIComponent(next)}`}>
          Show older ones
        </Link>
      )}
      <SpotifyCredit songs={songs} />
    </>
  );
}

function byMonth<T extends { ratedAt: number }>(songs: T[]): [string, T[]][] {
  const months = new Map<string, T[]>();
  for (const song of songs) {
    const month = monthAndYear(song.ratedAt);
    months.set(month, [...(months.get(month) ?? []), song]);
  }
  return [...months];
}

function NoneRated() {
  return (
    <div className="prose">
      <StarHeading>Songs I rated</StarHeading>
      <p className="lead">No songs yet. Every song you rate is listed here.</p>
      <Link className="button" to="/">
        Play and rate songs
      </Link>
    </div>
  );
}

function GivenRating({ score, ratedAt }: Pick<RatedSong, "score" | "ratedAt">) {
  return (
    <p className="given-rating">
      <span className="visually-hidden">Your rating: </span>
      <Mark score={score} />
      <b>{ratingLabel(score)}</b>
      <time className="quiet" dateTime={new Date(ratedAt).toISOString()}>
        {fullDate(ratedAt)}
      </time>
    </p>
  );
}
