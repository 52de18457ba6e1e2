import { dayMs } from "~/platform/dates";

/** A wish must be made within it after the rating for the song's owner to see it counted (rule 44, release). */
export const releaseWindowMs = dayMs;

/** The time in which the owner of a link can still change it before it is mailed. */
export const releaseWaitMs = 60 * 60 * 1000;

export interface ReleaseLink {
  url: string;
  service: string;
}

/** The hosts, with the paths there that are a song's, album's or artist's and lead nowhere else. */
const services = [
  { name: "Spotify", place: /^open\.spotify\.com\/./ },
  { name: "Apple Music", place: /^music\.apple\.com\/./ },
  { name: "Bandcamp", place: /^[a-z0-9-]+\.bandcamp\.com\// },
  { name: "SoundCloud", place: /^((www|m|on)\.)?soundcloud\.com\/./ },
  {
    name: "YouTube",
    place:
      /^(((www|m|music)\.)?youtube\.com\/(watch$|playlist$|(shorts|live|channel)\/.|@)|youtu\.be\/.)/,
  },
  { name: "Tidal", place: /^((www|listen)\.)?tidal\.com\/./ },
  { name: "Deezer", place: /^(www\.)?deezer\.com\/./ },
];

const maxLength = 300;

export const serviceNames = services.map(({ name }) => name);

/** Where a song is out: an https link at one of the services, in its normal form; null for any other text. */
export function readReleaseLink(text: string): ReleaseLink | null {
  const trimmed = text.trim();
  if (trimmed.length > maxLength || !URL.canParse(trimmed)) return null;
  const { protocol, username, password, port, hostname, pathname, href } = new URL(trimmed);
  const isPlain = protocol === "https:" && `${username}${password}${port}` === "";
  const service = services.find(({ place }) => place.test(hostname + pathname));
  return isPlain && service && href.length <= maxLength
    ? { url: href, service: service.name }
    : null;
}

/** What somebody who has rated an own recording sees of its release; null where there is nothing to see. */
export type ReleaseView = ReleaseLink | "asked" | "can ask" | null;
