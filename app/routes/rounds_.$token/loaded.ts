import type { RoundView } from "~/exchange/rounds/view.server";
import type { SpotifyGap } from "~/members/spotify-gap";
import type { ViewerView } from "~/members/views";
import type { Offers } from "~/platform/env";

export interface Loaded {
  viewer: ViewerView | null;
  round: RoundView;
  takesSeat: boolean;
  /** The viewer has just opened their own marks. */
  drawn: boolean;
  gap: SpotifyGap | null;
  offers: Offers;
  now: number;
  address: string;
}
