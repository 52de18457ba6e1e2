import { type FormEvent, useEffect, useRef, useState } from "react";
import type { CarouselSong } from "~/domain/carousel/view";
import { takeHeldPlay } from "~/player/early-play";
import type { Player, PlayerHandle, PlayerSnapshot } from "~/player/player.client";

/** The player's code. It starts to load before React takes over the page. */
const playerModule = typeof document === "undefined" ? null : import("~/player/player.client");
// A failure is handled where the module is used.
playerModule?.catch(() => undefined);

/**
 * The player of this page. Until its code has arrived, and if that never happens, PLAY SONG stays a
 * plain form.
 * @param songs the package that the carousel shows.
 */
export function usePlayerIsland(songs: CarouselSong[]) {
  const [Loaded, setLoaded] = useState<typeof Player | null>(null);
  const [snapshot, setSnapshot] = useState<PlayerSnapshot | null>(null);
  const [unlockedIds, setUnlockedIds] = useState<ReadonlySet<string>>(new Set());
  const handle = useRef<PlayerHandle>(null);

  useEffect(() => {
    let mounted = true;
    playerModule?.then(
      (island) => mounted && setLoaded(() => island.Player),
      () => takeHeldPlay()?.submit(),
    );
    return () => {
      mounted = false;
    };
  }, []);

  // A PLAY SONG that was pressed before the player was ready.
  const offered = useRef(songs);
  offered.current = songs;
  const isRunning = snapshot !== null;
  useEffect(() => {
    if (!isRunning) return;
    const held = takeHeldPlay()?.action;
    const song = offered.current.find(({ songId }) => held?.endsWith(`/songs/${songId}/play`));
    if (song) handle.current?.play(song);
  }, [isRunning]);

  // A song that has been rated, here or in another tab, need not play on.
  const currentId = snapshot?.songId ?? null;
  const isOver =
    currentId !== null && !songs.some((song) => song.songId === currentId && song.rated === null);
  useEffect(() => {
    if (isOver) handle.current?.stop();
  }, [isOver]);

  function onChange(next: PlayerSnapshot) {
    const { songId } = next;
    setSnapshot(next);
    if (next.heard && songId) setUnlockedIds((ids) => new Set([...ids, songId]));
  }

  function playHandler(song: CarouselSong) {
    return (event: FormEvent<HTMLFormElement>) => {
      if (!handle.current) return;
      event.preventDefault();
      handle.current.play(song);
    };
  }

  return { Player: Loaded, snapshot, unlockedIds, onChange, handle, playHandler };
}
