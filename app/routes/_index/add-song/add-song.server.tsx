import type { ComponentProps } from "react";
import { AddSong } from "./add-song";

/** For documents. Browsers load the screen when they first come to it (`route.tsx`). */
export function AddSongDocument(props: ComponentProps<typeof AddSong>) {
  return <AddSong {...props} />;
}
