import type { ComponentProps } from "react";
import { RatedCard } from "./rated-card";

/** Loaded on its own, and not in the Worker, where a module that is loaded late costs some kilobytes. */
export function RatedCardIsland(props: ComponentProps<typeof RatedCard>) {
  return <RatedCard {...props} />;
}
