import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Mark } from "~/components/marks";
import { Cover } from "~/components/song/cover";
import { SongTitle, songName } from "~/components/song/song-title";
import type { CarouselSong } from "~/exchange/carousel/view";
import { ratingLabel, type Score } from "~/exchange/rating/scale";
import { usePlayerAccess } from "~/player/shell/player-access";
import { ConfirmForm, ListenStatus } from "./listen-status";
import { PlayForm, playState } from "./play-form";
import { RatingHint, RatingPanel } from "./rating-panel";
import {
  type CarouselControls,
  Favorite,
  LargeTitle,
  largeCover,
  PlaylistLink,
  songBoxId,
} from "./song-parts";
import { songStatus } from "./song-status";

interface SongProps {
  song: CarouselSong;
  carousel: CarouselControls;
}

/**
 * The song that it is about: cover, 'artist - song', the player, the ratings, 'Add to my favorites', and a discreet
 * link to pass on it. One that is `coming`, below what was just rated, has only the button that plays it.
 */
export function SongCard({
  song,
  carousel,
  coming,
  loud,
  children,
}: SongProps & { coming: boolean; loud: boolean; children?: ReactNode }) {
  const { player, listen, now } = carousel;
  const { songId } = song;
  const { setCard } = usePlayerAccess();
  const status = songStatus(song, carousel);
  const isCurrent = player?.songId === songId;
  const isBegun = songId === listen?.songId && !listen.finished && !song.heard;
  const isToBeConfirmed = isBegun && !player && status.kind === "unlocked";
  const secondsLeft = isCurrent && player.phase !== "failed" ? player.secondsLeft : null;
  const rating = { song, status, secondsLeft, scripted: player !== null };
  // Of the player's song, the player itself tells.
  const tells = listen?.songId === songId && !isCurrent;
  const isBare = coming && !tells && status.kind !== "unlocked";
  return (
    <article className={coming ? "song large coming" : "song large"} id={songBoxId(songId)}>
      <Cover track={song} first={largeCover} />
      <div className="deck">
        <LargeTitle track={isBare ? unlinked(song) : song} />
        {canPlay(song, carousel) ? (
          <PlayForm
            song={song}
            state={playState(player, song)}
            loud={loud}
            onPlay={(event) => carousel.play(song, event)}
            onPause={carousel.pause}
          />
        ) : null}
        <div
          className="listen"
          ref={player && player.songId !== null && !isCurrent ? undefined : setCard}
        />
        {isBare ? null : (
          <>
            <div className="rate">
              <RatingPanel {...rating} carousel={carousel} />
              {isToBeConfirmed ? <ConfirmForm songId={songId} /> : null}
            </div>
            <div className="hint">
              {tells ? (
                <ListenStatus song={song} listen={listen} now={now} hasPlayer={player !== null} />
              ) : null}
              {tells && status.kind !== "unlocked" ? null : (
                <RatingHint {...rating} told={isCurrent} />
              )}
            </div>
          </>
        )}
        <div className="links">
          {isBare ? null : <Favorite song={song} carousel={carousel} />}
          <Link className="link-button" to={`/songs/${songId}/pass/reason`}>
            <span>I can't rate this</span>
            <span className="visually-hidden">{`: ${songName(song)}`}</span>
          </Link>
        </div>
        {children}
      </div>
    </article>
  );
}

/** A song that comes later, pressed as a whole. One that was heard can be rated whatever plays. */
export function SongRow({ song, carousel }: SongProps) {
  const { player } = carousel;
  const status = songStatus(song, carousel);
  const isOpen = status.kind === "unlocked";
  const rating = { song, status, secondsLeft: null, scripted: player !== null };
  return (
    <article className="song slim" id={songBoxId(song.songId)}>
      <Cover track={song} />
      <h3>
        <SongTitle track={unlinked(song)} />
      </h3>
      {canPlay(song, carousel) ? (
        <PlayForm
          song={song}
          state={playState(player, song)}
          loud={false}
          disabled={status.kind === "blocked" || (isOpen && status.blocked)}
          onPlay={(event) => carousel.play(song, event)}
          onPause={carousel.pause}
        />
      ) : null}
      {isOpen ? (
        <div className="rate">
          <RatingHint {...rating} />
          <RatingPanel {...rating} carousel={carousel} />
        </div>
      ) : null}
    </article>
  );
}

export function RatedRow({ song, carousel, score }: SongProps & { score: Score }) {
  return (
    <article className="song slim" id={songBoxId(song.songId)}>
      <Cover track={song} />
      <h3>
        <SongTitle track={song} />
      </h3>
      <div className="links">
        <p>
          <Mark score={score} />
          <span className="visually-hidden">Your rating: </span>
          <span>{ratingLabel(score)}</span>
        </p>
        <PlaylistLink song={song} carousel={carousel} />
        <Favorite song={song} carousel={carousel} />
      </div>
    </article>
  );
}

/** Its link stands once it is played. */
function unlinked(song: CarouselSong) {
  return { ...song, spotifyUrl: null };
}

function canPlay({ spotifyUrl }: CarouselSong, { hearsSpotify }: CarouselControls): boolean {
  return hearsSpotify || spotifyUrl === null;
}
