let loading: Promise<void> | null = null;

/** Loads the Web Playback SDK's script once per page; a failed load can be tried again. */
export function loadSdk(url: string, nonce: string | undefined): Promise<void> {
  if (window.Spotify) return Promise.resolve();
  loading ??= new Promise<void>((resolve, reject) => {
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
  return loading;
}
