/**
 * The Web Playback SDK's script. Network and sound are in an iframe of its own origin, so the page's policy
 * needs only `script-src` and `frame-src` for that origin.
 */
(() => {
  const origin = new URL(document.currentScript.src).origin;
  const players = new Map();
  const calls = new Map();
  let counter = 0;
  let frame = null;

  function post(message) {
    frame.contentWindow.postMessage({ spotify: message }, origin);
  }

  function call(player, method, value) {
    const id = ++counter;
    return new Promise((resolve, reject) => {
      calls.set(id, { resolve, reject });
      post({ id, player, method, value });
    });
  }

  class Player {
    #id = String(++counter);
    #listeners = new Map();

    constructor(options) {
      if (!options || typeof options.getOAuthToken !== "function") {
        throw new Error("Player constructor requires getOAuthToken");
      }
      this._options = { volume: 1, name: "Web Playback SDK", ...options, id: this.#id };
      players.set(this.#id, this);
      this.isLoaded = Promise.resolve(true);
    }

    connect() {
      const { name, volume, enableMediaSession } = this._options;
      return call(this.#id, "connect", { name, volume, enableMediaSession });
    }
    disconnect() {
      post({ player: this.#id, method: "disconnect" });
    }
    getCurrentState() {
      return call(this.#id, "getCurrentState");
    }
    setVolume(volume) {
      return call(this.#id, "setVolume", Math.min(1, Math.max(0, volume)));
    }
    pause() {
      return call(this.#id, "pause");
    }
    resume() {
      return call(this.#id, "resume");
    }
    activateElement() {
      return call(this.#id, "activateElement");
    }

    addListener(event, listener) {
      const list = this.#listeners.get(event) ?? [];
      if (list.includes(listener)) return false;
      this.#listeners.set(event, [...list, listener]);
      return true;
    }
    on(event, listener) {
      return this.addListener(event, listener);
    }
    removeListener(event, listener) {
      const list = this.#listeners.get(event) ?? [];
      this.#listeners.set(event, listener ? list.filter((other) => other !== listener) : []);
      return list.length > 0;
    }

    _emit(event, data) {
      for (const listener of this.#listeners.get(event) ?? []) {
        try {
          listener(data);
        } catch (error) {
          // An error in one listener must not affect the others.
          setTimeout(() => {
            throw error;
          });
        }
      }
    }
    _token(request) {
      this._options.getOAuthToken((token) => {
        post({ player: this.#id, method: "token", value: { request, token } });
      });
    }
  }

  window.addEventListener("message", ({ source, origin: from, data }) => {
    if (!frame || source !== frame.contentWindow || from !== origin || !data?.spotify) return;
    const message = data.spotify;
    if (message.hello) announce();
    else if (message.id !== undefined) {
      const waiting = calls.get(message.id);
      calls.delete(message.id);
      if (message.error) waiting?.reject(new Error(message.error));
      else waiting?.resolve(message.value);
    } else if (message.token !== undefined) players.get(message.player)?._token(message.token);
    else players.get(message.player)?._emit(message.event, message.data);
  });

  function announce() {
    if (window.Spotify) return;
    window.Spotify = { Player };
    if (typeof window.onSpotifyWebPlaybackSDKReady !== "function") {
      throw new Error("onSpotifyWebPlaybackSDKReady is not defined");
    }
    window.onSpotifyWebPlaybackSDKReady();
  }

  function insert() {
    frame = document.createElement("iframe");
    frame.src = `${origin}/spotify/sdk/index.html`;
    frame.title = "Spotify Web Playback SDK";
    frame.allow = "autoplay; encrypted-media";
    frame.tabIndex = -1;
    frame.setAttribute("aria-hidden", "true");
    // Set by script, because a strict policy forbids style attributes.
    Object.assign(frame.style, {
      position: "fixed",
      top: "0",
      left: "0",
      width: "1px",
      height: "1px",
      border: "0",
      opacity: "0",
      pointerEvents: "none",
    });
    document.body.append(frame);
  }

  if (document.body) insert();
  else document.addEventListener("DOMContentLoaded", insert);
})();
