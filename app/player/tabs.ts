/** The player's word to the other tabs of this browser. */
export interface Tabs {
  /** Tells them that a song begins in this one. */
  announce(): void;
  close(): void;
}

/** @param onAnnounced called when a song begins in another tab. */
export function connectTabs(onAnnounced: () => void): Tabs {
  const channel = new BroadcastChannel("player");
  channel.onmessage = onAnnounced;
  return {
    announce: () => channel.postMessage("plays"),
    close: () => channel.close(),
  };
}
