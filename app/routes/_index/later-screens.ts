// biome-ignore-all lint/performance/noBarrelFile: this is where the browser's bundle is cut.

// AddSong, CountedDown, GiveReasons, NoSongs and TakeBack are the parts that browsers load when they first show
// them (lazy-screen.tsx). Without the other two, what they share with the carousel would be cut into many
// small files: esbuild makes one for each set of entries that reach the same modules.
export { Page } from "~/components/layout/page";
export { AddSong } from "./add-song/add-song";
export { CarouselScreen } from "./carousel/carousel";
export { NoSongs } from "./carousel/no-songs";
export { GiveReasons } from "./reasons/give-reasons";
export { CountedDown } from "./song-added/counted-down";
export { TakeBack } from "./song-added/take-back";
