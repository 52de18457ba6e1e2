/** Messages from the player to the other tabs of this browser. */
export interface Tabs {
  /** Tells them that a song starts in this one. */
  announce(): void;
  close(): void;
}

/**
 * Connects to the other tabs.
 * @param onAnnounced called when a song starts in another tab.
 */
export function connectTabs(onAnnounced: () => void): Tabs {
  if (!("BroadcastChannel" in window)) return { announce() {}, close() {} };
  const channel = new BroadcastChannel("player");
  channel.onmessage = onAnnounced;
  return {
    announce: () => channel.postMessage("plays"),
    close: () => channel.close(),
  };
}
