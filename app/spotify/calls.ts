/** Helpers for calls to Spotify's Web API, beside `ApiCall`. */
import type * as z from "zod";
import type { CallRoutes } from "./legacy-fallback";

/**
 * Reads an answer, without pictures that the pages could not load.
 * @throws SpotifyError 502 where it cannot be read.
 */
export type Read = <T>(schema: z.ZodType<T>, answer: unknown) => T;

/** Makes a call by the route that the user's app has. */
export type WithFallback = (name: string, routes: CallRoutes<unknown>) => Promise<unknown>;
