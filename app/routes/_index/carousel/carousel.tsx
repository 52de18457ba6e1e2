import { type FormEvent, useContext, useEffect, useRef, useState } from "react";
import { useFreshData, useFreshDataAfter } from "~/components/form/use-fresh-data";
import { NonceContext } from "~/components/layout/nonce";
import { Notice } from "~/components/notice";
import { TierPanel } from "~/components/premium/tier-panel";
import { SpotifyCredit } from "~/components/song/spotify-credit";
import type { CarouselSong, CarouselView } from "~/domain/carousel/view";
import { ratingLabel, type Score } from "~/domain/rating/scale";
import type { ViewerView } from "~/domain/session/views";
import { earlyPlayScript, takeHeldPlay } from "~/player/early-play";
import type { Player, PlayerHandle, PlayerSnapshot } from "~/player/player.client";
import { CarouselHeading } from "./carousel-heading";
import { ListenStatus, secondsUntil } from "./listen-status";
import { LoadingSongs } from "./loading-songs";
import { NoMoreSongs } from "./no-more-songs";
import { NoSongs } from "./no-songs";
import { ratingPanelId } from "./rating-panel";
import { SongBox, songBoxId } from "./song-box";
import { SongList } from "./song-list";
import { useRating } from "./use-rating";

export interface CarouselScreenProps {
  viewer: ViewerView;
  view: CarouselView;
  /** The rating given just now, to say so. */
  justRated: { songId: string; score: Score } | null;
  /** The song added to the favorites just now, to say so. */
  justFavorited: string | null;
  player: { sdkUrl: string; apiUrl: string };
}

/** The player, which is on its way before the page is alive. */
const arriving = typeof document === "undefined" ? null : import("~/player/player.client");
// Who waits for it hears of the fault.
arriving?.catch(() => undefined);

/** The carousel: plain forms, which the player island takes over once it has arrived. */
export function CarouselScreen(props: CarouselScreenProps) {
  const { viewer, view, justRated, justFavorited, player } = props;
  const { eligibility } = view;
  const island = usePlayerIsland(view.songs);
  const rating = useRating();
  const nonce = useContext(NonceContext);
  useFreshData(!island.snapshot?.busy && rating.songId === null);

  const ratedId = justRated?.songId;
  const heard = island.snapshot?.songId ?? null;
  const { handle } = island;
  const isOver = heard !== null && !view.songs.some((song) => isOpen(song, heard));
  useEffect(() => {
    // What was rated, here or in another tab, need not go on.
    if (isOver) handle.current?.stop();
  }, [isOver, handle]);

  const done = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The form that had the focus is gone; the next song comes right after the message.
    if (ratedId) done.current?.focus();
  }, [ratedId]);

  const unlocked = island.snapshot?.unlocked ? heard : null;
  useEffect(() => {
    // The panel that has just opened may be below the fold.
    if (unlocked) show(ratingPanelId(unlocked), "start");
  }, [unlocked]);
  useEffect(() => {
    // A song that is started moves to the top of the list.
    if (heard) show(songBoxId(heard), "nearest");
  }, [heard]);

  // The answer to the package's last rating brings the next package.
  const isLastRated = rating.songId !== null && !hasOthersLeft(view, rating.songId);

  return (
    <>
      <script
        nonce={nonce}
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours
        dangerouslySetInnerHTML={{ __html: earlyPlayScript }}
      />
      <CarouselHeading
        remaining={eligibility.remaining}
        eligibility={eligibility}
        offerUpload={view.state === "songs"}
      />
      {justRated ? (
        <div className="done" ref={done} tabIndex={-1}>
          <Notice tone="ok">Song successfully rated with: {ratingLabel(justRated.score)}</Notice>
        </div>
      ) : null}
      {rating.error ? <Notice tone="error">{rating.error}</Notice> : null}
      {heard === null ? (
        <PlainListen view={view} inPage={island.snapshot?.place === "page"} />
      ) : null}
      {view.state === "empty" ? <NoSongs canUpload={eligibility.eligible} /> : null}
      {view.state === "exhausted" ? <NoMoreSongs canUpload={eligibility.eligible} /> : null}
      {isLastRated ? <LoadingSongs /> : null}
      {view.state === "songs" ? (
        <SongList songs={view.songs} currentSongId={heard ?? view.listen?.songId ?? null}>
          {(song, compact) => (
            <SongBox
              song={song}
              compact={compact}
              listen={view.listen}
              justFavorited={song.songId === justFavorited}
              rating={rating.songId === song.songId}
              onRate={(event) => rating.send(event, song.songId)}
              onPlay={island.playHandler(song)}
              {...standing(song, view, island.snapshot, island.unlocked)}
            />
          )}
        </SongList>
      ) : null}
      {view.state === "songs" ? <SpotifyCredit /> : null}
      <TierPanel tier={viewer.subscription} />
      {island.Player ? (
        <island.Player
          ref={island.handle}
          nonce={nonce || undefined}
          onChange={island.onChange}
          {...player}
        />
      ) : null}
    </>
  );
}

/** Whether this is the song, and still to be rated. */
function isOpen(song: CarouselSong, songId: string): boolean {
  return song.songId === songId && song.rated === null;
}

/** Whether songs are left to rate beside the one that a rating is being sent for. */
function hasOthersLeft(view: CarouselView, ratedId: string): boolean {
  return view.songs.some((song) => song.rated === null && song.songId !== ratedId);
}

function show(elementId: string, block: ScrollLogicalPosition) {
  document.getElementById(elementId)?.scrollIntoView({ block });
}

/** How a listen stands that no player in this page has begun. */
function PlainListen({ view, inPage }: { view: CarouselView; inPage: boolean }) {
  const { listen, songs, now } = view;
  const song = songs.find(({ songId }) => songId === listen?.songId);
  const waits = listen && song?.rated === null ? listen : null;
  useFreshDataAfter(waits && !waits.finished ? waits.unlocksAt - now : null);
  return waits ? <ListenStatus listen={waits} now={now} inPage={inPage} /> : null;
}

/** How one song stands: by the player where it has a song, else by what the server said. */
function standing(
  song: CarouselSong,
  view: CarouselView,
  snapshot: PlayerSnapshot | null,
  unlocked: ReadonlySet<string>,
) {
  if (snapshot?.songId) {
    const current = snapshot.songId === song.songId;
    return {
      // Who plays it once more may rate it all the same.
      unlocked: current && unlocked.has(song.songId),
      playing: current && snapshot.phase === "playing",
      blocked: !current && (snapshot.busy || snapshot.unlocked),
      secondsLeft: null,
    };
  }
  const { listen, now } = view;
  const mine = listen?.songId === song.songId ? listen : null;
  const secondsLeft = mine && !mine.finished ? secondsUntil(mine.unlocksAt, now) : null;
  return {
    unlocked: mine !== null && (mine.finished || secondsLeft === 0),
    playing: false,
    blocked: false,
    secondsLeft,
  };
}

/** The island, once the page is alive; until then, and if it never comes, forms are forms. */
function usePlayerIsland(songs: CarouselSong[]) {
  const [Loaded, setLoaded] = useState<typeof Player | null>(null);
  const [snapshot, setSnapshot] = useState<PlayerSnapshot | null>(null);
  const [unlocked, setUnlocked] = useState<ReadonlySet<string>>(new Set());
  const handle = useRef<PlayerHandle>(null);
  useEffect(() => {
    let here = true;
    arriving?.then(
      (island) => here && setLoaded(() => island.Player),
      // The plain forms go on working.
      () => takeHeldPlay()?.submit(),
    );
    return () => {
      here = false;
    };
  }, []);
  const offered = useRef(songs);
  offered.current = songs;
  const runs = snapshot !== null;
  useEffect(() => {
    if (!runs) return;
    const held = takeHeldPlay()?.action;
    const song = offered.current.find(({ songId }) => held?.endsWith(`/songs/${songId}/play`));
    if (song) handle.current?.play(song);
  }, [runs]);
  function playHandler(song: CarouselSong) {
    return (event: FormEvent<HTMLFormElement>) => {
      if (!handle.current) return;
      event.preventDefault();
      handle.current.play(song);
    };
  }
  function onChange(next: PlayerSnapshot) {
    const { songId } = next;
    setSnapshot(next);
    if (next.unlocked && songId) setUnlocked((songs) => new Set([...songs, songId]));
  }
  return { Player: Loaded, snapshot, unlocked, onChange, handle, playHandler };
}
