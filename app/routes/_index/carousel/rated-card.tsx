import { type ComponentProps, lazy, type ReactElement, Suspense, useEffect, useState } from "react";
import { ButtonForm } from "~/components/form/button-form";
import { Mark } from "~/components/marks";
import { Cover } from "~/components/song/cover";
import { Release } from "~/components/song/release";
import { songName } from "~/components/song/song-title";
import { SpotifyLink } from "~/components/song/spotify-link";
import type { CarouselSong, JustRated } from "~/exchange/carousel/view";
import { playlistScore, ratingLabel, ratingScale } from "~/exchange/rating/scale";
import { usePlayerAccess } from "~/player/shell/player-access";
import { Outcome } from "./outcome";
import { PlayForm, playState } from "./play-form";
import { type ReasonBoxes, ReasonsForm } from "./reasons-form";
import { type CarouselControls, Favorite, PlaylistLink, songBoxId } from "./song-parts";

const Playlists = lazy(() =>
  import("./playlists.client").then(
    (late) => ({ default: late.Playlists }),
    () => ({ default: ({ otherwise }: { otherwise: ReactElement }) => otherwise }),
  ),
);

/**
 * The song just rated, until the next one is begun: what was given, in a row, and the question what stayed. What else can
 * be done with it is behind a word.
 */
export function RatedCard({
  rating,
  carousel,
  boxes,
}: {
  rating: JustRated;
  carousel: CarouselControls;
  boxes: ReasonBoxes | undefined;
}) {
  const { songId, score, reasons, title, artists } = rating;
  const { setCard } = usePlayerAccess();
  // It may have been the last of its package.
  const known = carousel.songs.find((one) => one.songId === songId);
  const song: CarouselSong = { ...unknown, ...rating, ...known };
  const state = playState(carousel.player, song);
  const isChangeable = useUntil(rating.changeableMs);
  const id = encodeURIComponent(songId);
  const next = `/?rated=${id}`;
  const isToPut = score === playlistScore && carousel.hasSpotify && rating.spotifyUrl !== null;
  return (
    <article className="song done" id={songBoxId(songId)}>
      <Cover track={rating} />
      <Outcome>
        <p role="status">
          <span className="visually-hidden">Song successfully rated with: </span>
          <Mark score={score} />
          <b>{ratingLabel(score)}</b>
        </p>
        <small title={songName(rating)}>
          <bdi translate="no">{title}</bdi>
          <span>, </span>
          <bdi translate="no">{artists.join(", ")}</bdi>
        </small>
      </Outcome>
      {state === "playing" || state === "paused" ? (
        <PlayForm
          song={song}
          state={state}
          loud={false}
          onPlay={(event) => carousel.play(song, event)}
          onPause={carousel.pause}
        />
      ) : null}
      {/* Closes again after a change. */}
      <details key={score} className="change">
        <summary className="link-button">{isChangeable ? "Change" : "More"}</summary>
      </details>
      <div className="changes">
        {isChangeable
          ? ratingScale.map((one) => (
              <ButtonForm
                key={one.score}
                action={`/songs/${id}/rating`}
                fields={{ score: String(one.score) }}
                to={next}
                small
                accented={one.score === score}
              >
                <Mark score={one.score} />
                <span>{one.label}</span>
              </ButtonForm>
            ))
          : null}
        <div className="links">
          {isToPut && !song.playlist ? (
            <IntoPlaylist song={song} carousel={carousel} />
          ) : (
            <PlaylistLink song={song} carousel={carousel} />
          )}
          <Favorite song={song} carousel={carousel} />
          <Release song={rating} next={next} />
          <SpotifyLink track={rating} />
        </div>
      </div>
      <div className="listen" ref={carousel.player?.songId === songId ? setCard : undefined} />
      {reasons ? (
        <ReasonsForm key={songId} songId={songId} reasons={reasons} boxes={boxes} />
      ) : null}
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
  const link = <PlaylistLink {...props} />;
  return isAlive ? (
    <Suspense fallback={link}>
      <Playlists songId={props.song.songId} otherwise={link} />
    </Suspense>
  ) : (
    link
  );
}

/** True until so much time has passed. */
function useUntil(ms: number): boolean {
  const [isOver, setOver] = useState(ms <= 0);
  useEffect(() => {
    setOver(ms <= 0);
    const timer = window.setTimeout(() => setOver(true), ms);
    return () => window.clearTimeout(timer);
  }, [ms]);
  return !isOver;
}
