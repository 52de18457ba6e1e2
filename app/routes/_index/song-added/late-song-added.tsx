import { type ComponentProps, lazy } from "react";
import type { SongAdded } from "./song-added";

type Props = ComponentProps<typeof SongAdded>;

let ready: typeof SongAdded | null = null;

/** Not among the carousel's scripts. */
export async function loadSongAdded() {
  ready = (await import("./song-added")).SongAdded;
  return { default: ready };
}

const Lazy = lazy(loadSongAdded);

export function LateSongAdded(props: Props) {
  const Ready = ready;
  return Ready ? <Ready {...props} /> : <Lazy {...props} />;
}
