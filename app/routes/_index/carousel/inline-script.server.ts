import { prefetchScript } from "~/components/layout/prefetch-script.server";
import { earlyPlayScript } from "~/player/early-play-script.server";

/** What the carousel's document runs before its scripts have come. */
export const inlineScript = `${earlyPlayScript};${prefetchScript}`;
