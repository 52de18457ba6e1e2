/** Milliseconds after which another player on the page requests the script again. */
const patienceMs = 8_000;

let loading: { done: Promise<void>; since: number } | null = null;

/**
 * Loads the Web Playback SDK's script once per page. A load that failed, or takes too long, can be repeated.
 */
export function loadSdk(url: string, nonce: string | undefined): Promise<void> {
  if (window.Spotify) return Promise.resolve();
  if (loading && performance.now() - loading.since < patienceMs) return loading.done;
  const done = new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    window.onSpotifyWebPlaybackSDKReady = resolve;
    script.onerror = () => {
      loading = null;
      script.remove();
      reject();
    };
    if (nonce) script.nonce = nonce;
    script.async = true;
    script.src = url;
    document.head.appendChild(script);
  });
  loading = { done, since: performance.now() };
  return done;
}
