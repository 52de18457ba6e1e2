import { type ComponentProps, lazy, type ReactElement, Suspense, useEffect, useState } from "react";
import { ButtonForm } from "~/components/form/button-form";
import { Mark } from "~/components/marks";
import { Cover } from "~/components/song/cover";
import { Release } from "~/components/song/release";
import type { CarouselSong, JustRated } from "~/exchange/carousel/view";
import { playlistScore, ratingLabel, ratingScale } from "~/exchange/rating/scale";
import { usePlayerAccess } from "~/player/shell/player-access";
import { Outcome } from "./outcome";
import { PlayForm, playState } from "./play-form";
import { ReasonsForm } from "./reasons-form";
import {
  type CarouselControls,
  Favorite,
  LargeTitle,
  largeCover,
  PlaylistLink,
  songBoxId,
} from "./song-parts";

const Playlists = lazy(() =>
  import("./playlists.client").then(
    (late) => ({ default: late.Playlists }),
    () => ({ default: ({ otherwise }: { otherwise: ReactElement }) => otherwise }),
  ),
);

/**
 * The song just rated, until the next one is begun: what was given, which can be changed for a minute, the question for
 * reasons, and after "Added to my playlist!" the playlists.
 */
export function RatedCard({
  rating,
  carousel,
  holdsPlayer,
}: {
  rating: JustRated;
  carousel: CarouselControls;
  holdsPlayer: boolean;
}) {
  const { songId, score, reasons } = rating;
  const { setCard } = usePlayerAccess();
  // It may have been the last of its package.
  const known = carousel.songs.find((one) => one.songId === songId);
  const song: CarouselSong = { ...unknown, ...rating, ...known };
  const state = playState(carousel.player, song);
  const isAtSpotify = carousel.hasSpotify && rating.spotifyUrl !== null;
  return (
    <article className="song large done" id={songBoxId(songId)}>
      <Cover track={rating} first={largeCover} />
      <div className="deck">
        <LargeTitle track={rating} />
        {state === "playing" || state === "paused" ? (
          <PlayForm
            song={song}
            state={state}
            loud={false}
            onPlay={(event) => carousel.play(song, event)}
            onPause={carousel.pause}
          />
        ) : null}
        <div className="listen" ref={holdsPlayer ? setCard : undefined} />
        <Outcome>
          <Mark score={score} />
          <p role="status">
            <span>Song successfully rated with: </span>
            <b>{ratingLabel(score)}</b>
          </p>
          <ChangeRating key={score} rating={rating} />
        </Outcome>
        {isAtSpotify && score === playlistScore && !song.playlist ? (
          <IntoPlaylist song={song} carousel={carousel} />
        ) : null}
        <Release song={rating} next={`/?rated=${encodeURIComponent(songId)}`} />
        {reasons ? <ReasonsForm key={songId} songId={songId} reasons={reasons} /> : null}
        <div className="links">
          <Favorite song={song} carousel={carousel} />
          {score === playlistScore && !song.playlist ? null : (
            <PlaylistLink song={song} carousel={carousel} />
          )}
        </div>
      </div>
    </article>
  );
}

const unknown = {
  ...{ heard: true, rated: null, favorited: false, playlist: null },
  ...{ requiredSeconds: 0, loudness: null },
};

/** The playlists there and then, where scripts run. */
function IntoPlaylist(props: ComponentProps<typeof PlaylistLink>) {
  const [isAlive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  const link = <PlaylistLink {...props} loud />;
  return isAlive ? (
    <Suspense fallback={link}>
      <Playlists songId={props.song.songId} otherwise={link} />
    </Suspense>
  ) : (
    link
  );
}

function ChangeRating({ rating }: { rating: JustRated }) {
  const { songId, score, changeableMs } = rating;
  const [left, setLeft] = useState(Math.ceil(changeableMs / 1000));
  const isOver = left <= 0;
  useEffect(() => {
    if (isOver) return;
    const timer = window.setInterval(() => setLeft((seconds) => seconds - 1), 1000);
    return () => window.clearInterval(timer);
  }, [isOver]);
  if (isOver) return null;
  const id = encodeURIComponent(songId);
  return (
    <>
      {/* Closes again after a change. */}
      <details className="change-rating">
        <summary className="link-button">
          <span>Change</span>
          <span aria-hidden="true">{`(${left} s left)`}</span>
        </summary>
      </details>
      <div className="changes">
        {ratingScale
          .filter((other) => other.score !== score)
          .map((other) => (
            <ButtonForm
              key={other.score}
              action={`/songs/${id}/rating`}
              fields={{ score: String(other.score) }}
              to={`/?rated=${id}`}
              small
            >
              <Mark score={other.score} />
              <span>{other.label}</span>
            </ButtonForm>
          ))}
      </div>
    </>
  );
}
