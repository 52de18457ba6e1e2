/** A tone for each track, always the same. It is silent until the browser allows sound. */
export function createTune() {
  let context = null;
  let gain = null;
  let volume = 0.6;
  let tone = null;

  function ready() {
    if (!context) {
      context = new AudioContext();
      gain = context.createGain();
      gain.connect(context.destination);
      setVolume(volume);
    }
    return context;
  }

  /** To be called during a user gesture, which makes browsers allow sound. */
  async function unlock() {
    await Promise.race([ready().resume(), new Promise((resolve) => setTimeout(resolve, 300))]);
  }

  function setVolume(value) {
    volume = value;
    if (gain) gain.gain.value = value * 0.1;
  }

  function play(trackId) {
    stop();
    void ready()
      .resume()
      .catch(() => undefined);
    tone = context.createOscillator();
    tone.type = "triangle";
    tone.frequency.value = 220 * 2 ** ((trackId.charCodeAt(1) % 13) / 12);
    tone.connect(gain);
    tone.start();
  }

  function stop() {
    tone?.stop();
    tone = null;
  }

  return { unlock, play, stop, setVolume };
}
