import { type FormEvent, useEffect, useLayoutEffect, useRef } from "react";
import type { CarouselSong, CarouselView } from "~/exchange/carousel/view";
import { readKept } from "~/platform/kept";
import { takeHeldPlay } from "~/player/early-play";
import { loadPlayer, usePlayerAccess } from "~/player/shell/player-access";
import { positionKey } from "~/player/sound";

// Where a song can be played, it starts to load before React takes over the page. A failure is handled where the
// player is used.
if (globalThis.document?.querySelector('[action$="/play"]')) loadPlayer().catch(() => undefined);

/**
 * The player as the carousel uses it. Until its code has loaded, or if it never does, PLAY SONG stays a plain
 * form.
 * @param view the package that the carousel shows, and the open listen, if any.
 * @param justRatedId the song whose rating led back to the carousel, or null.
 */
export function usePlayerIsland(view: CarouselView, justRatedId: string | null) {
  const { songs } = view;
  const { snapshot, handle } = usePlayerAccess();

  // A PLAY SONG pressed before the player was ready, or a listen from before a reload.
  const offered = useRef(view);
  offered.current = view;
  const isRunning = snapshot !== null;
  useEffect(() => {
    if (!isRunning) return;
    const held = takeHeldPlay()?.action;
    const { songs, listen } = offered.current;
    const song = songs.find(({ songId }) => held?.endsWith(`/songs/${songId}/play`));
    if (song) return handle.current?.play(song);
    const begun = songs.find(({ songId, heard }) => songId === listen?.songId && !heard);
    if (!begun || !listen) return;
    const [listenId, reachedMs] = (readKept(positionKey) ?? "").split(" ");
    const isKnown = listenId === listen.listenId;
    handle.current?.follow(begun, isKnown ? { listenId, positionMs: Number(reachedMs) } : listen);
  }, [isRunning, handle]);

  const currentId = snapshot?.songId ?? null;
  const current = songs.find((song) => song.songId === currentId);
  const isRated = currentId === justRatedId || (current ? current.rated !== null : snapshot?.rated);
  // The player changes in the same frame as the page.
  useLayoutEffect(() => {
    if (currentId === null) return;
    // A song that was rated, here or in another tab, plays on; one that was passed on stops.
    if (isRated) handle.current?.rated();
    else if (!current) handle.current?.stop();
  }, [currentId, isRated, current, handle]);

  function play(song: CarouselSong, event: FormEvent<HTMLFormElement>) {
    if (!handle.current) return;
    event.preventDefault();
    handle.current.play(song);
  }

  return { snapshot, handle, play };
}
