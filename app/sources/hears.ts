import { hearsSpotify } from "~/members/hearing";
import { type Song, type SourceName, sourceOf } from "./song";

type Viewer = Parameters<typeof hearsSpotify>[0];

const hears: Record<SourceName, (viewer: Viewer) => boolean> = {
  spotify: hearsSpotify,
  files: () => true,
};

export function canHear(song: Pick<Song, "trackId">, viewer: Viewer): boolean {
  return hears[sourceOf(song)](viewer);
}
