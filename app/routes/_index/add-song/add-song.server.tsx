/** For documents, which run no scripts; browsers load the screen when they first come to it (`route.tsx`). */
export { AddSong } from "./add-song";
