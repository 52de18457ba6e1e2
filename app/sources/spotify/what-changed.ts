import { minSongMs } from "~/db/rules";
import type { FoundTrack } from "~/sources/catalogue";
import type { Track } from "~/sources/song";

export type KnownTrack = Omit<Track, "spotifyUrl"> & Pick<FoundTrack, "artistIds">;

type Refreshed = Omit<KnownTrack, "trackId">;

export type ChangedTrack = Partial<Refreshed>;

/** A listener gets what holds in their country and language, the app what holds everywhere. */
export type Asker = "listener" | "app";

/**
 * What differs between Spotify's answer and the stored track; null if nothing. An answer about another
 * track, such as a relinked copy, is ignored. Only the app's answer changes artists' names alone (listeners
 * get them translated), shortens a song (others would have less to hear), takes its mark as explicit away,
 * or changes its ISRC.
 */
export function whatChanged(
  known: KnownTrack,
  read: FoundTrack,
  asker: Asker,
): ChangedTrack | null {
  if (read.relinked || read.trackId !== known.trackId) return null;
  // Of a track that was taken down, Spotify may return no more than a shell.
  const isShell = [read.title, ...read.artists].includes("") || read.artists.length === 0;
  if (isShell) return null;
  const fields = Object.keys(hasChanged) as (keyof Refreshed)[];
  const changed = fields.filter((field) => hasChanged[field](known, read, asker));
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map((field) => [field, read[field]]));
}

const hasChanged: Record<
  keyof Refreshed,
  (known: KnownTrack, read: FoundTrack, asker: Asker) => boolean
> = {
  title: (known, read) => read.title !== known.title,
  album: (known, read) => read.album !== "" && read.album !== known.album,
  artists: areOtherArtists,
  artistIds: areOtherArtists,
  artUrl: isOtherArt,
  smallerArt: isOtherArt,
  durationMs: isOtherLength,
  explicit: (known, read, asker) =>
    read.explicit !== known.explicit && (read.explicit || asker === "app"),
  isrc: (known, read, asker) => asker === "app" && read.isrc !== null && read.isrc !== known.isrc,
};

function areOtherArtists(known: KnownTrack, read: FoundTrack, asker: Asker): boolean {
  if (read.artistIds.includes(null)) return false;
  const areOthers = !isEqual(known.artistIds, read.artistIds);
  if (asker === "app") return areOthers || !isEqual(known.artists, read.artists);
  // Without known ids, a listener's answer cannot tell a translated name from another.
  return areOthers && known.artistIds.length > 0;
}

function isOtherArt(known: KnownTrack, read: FoundTrack): boolean {
  if (read.artUrl === null) return false;
  if (read.artUrl !== known.artUrl) return true;
  const isKnownBetter = Object.keys(read.smallerArt).length === 0;
  return !isKnownBetter && !isEqual(known.smallerArt, read.smallerArt);
}

function isOtherLength(known: KnownTrack, read: FoundTrack, asker: Asker): boolean {
  if (read.durationMs >= known.durationMs) return read.durationMs > known.durationMs;
  return asker === "app" && read.durationMs >= minSongMs;
}

function isEqual(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
