import type { ComponentProps } from "react";
import { SongAdded } from "./song-added";

/** For documents. Browsers load the screen when they first come to it (`route.tsx`). */
export function SongAddedDocument(props: ComponentProps<typeof SongAdded>) {
  return <SongAdded {...props} />;
}
