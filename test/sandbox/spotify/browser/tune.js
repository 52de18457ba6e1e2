/** A small tune for each track, always the same. It can start at any position. */

const SCALES = [
  [0, 2, 4, 7, 9],
  [0, 3, 5, 7, 10],
  [0, 2, 5, 7, 9],
];
const BASS_LINES = [
  [0, 0, 3, 4],
  [0, 4, 2, 3],
  [0, 2, 4, 3],
];
const STEPS_A_BAR = 8;
const LOOK_AHEAD_MS = 1500;
const TICK_MS = 250;

/** Creates a player of tunes. It is silent until the browser allows sound. */
export function createTune() {
  let context = null;
  let master = null;
  let volume = 0.6;
  let timer = null;
  let current = null;
  let notes = [];

  function ready() {
    if (!context) {
      context = new AudioContext();
      master = context.createGain();
      master.connect(context.destination);
      master.gain.value = volume * 0.35;
    }
    return context;
  }

  /** To be called during a user gesture, which makes browsers allow sound. */
  async function unlock() {
    await Promise.race([ready().resume(), new Promise((resolve) => setTimeout(resolve, 300))]);
    return context.state === "running";
  }

  function setVolume(value) {
    volume = value;
    if (master) master.gain.setTargetAtTime(value * 0.35, context.currentTime, 0.03);
  }

  /** Plays a track from a position (milliseconds) to its end, or until stopped. */
  function play(trackId, positionMs, durationMs) {
    stop();
    ready();
    void context.resume().catch(() => undefined);
    current = {
      song: compose(trackId),
      startedAt: performance.now() - positionMs,
      durationMs,
      scheduledTo: positionMs,
    };
    schedule();
    timer = setInterval(schedule, TICK_MS);
  }

  function stop() {
    clearInterval(timer);
    current = null;
    for (const note of notes) {
      note.gain.gain.cancelScheduledValues(0);
      note.gain.gain.setTargetAtTime(0, context.currentTime, 0.03);
      note.oscillator.stop(context.currentTime + 0.2);
    }
    notes = [];
  }

  function schedule() {
    if (!current || context.state !== "running") return;
    const { song, startedAt, durationMs } = current;
    const now = performance.now() - startedAt;
    // After a gap (a sleeping tab, a blocked context) continue at the current position.
    const from = Math.max(current.scheduledTo, now);
    const until = Math.min(now + LOOK_AHEAD_MS, durationMs);
    const first = Math.ceil(from / song.stepMs);
    for (let step = first; step * song.stepMs < until; step++) {
      const at = context.currentTime + (step * song.stepMs - now) / 1000;
      for (const note of song.notesAt(step)) sound(note, at, song.stepMs / 1000);
    }
    current.scheduledTo = Math.max(until, from);
  }

  function sound({ frequency, length, level, shape }, at, stepSeconds) {
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    const seconds = length * stepSeconds;
    oscillator.type = shape;
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(level, at + 0.012);
    gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    oscillator.connect(gain).connect(master);
    oscillator.start(at);
    oscillator.stop(at + seconds + 0.05);
    const note = { oscillator, gain };
    notes.push(note);
    oscillator.onended = () => {
      notes = notes.filter((other) => other !== note);
    };
  }

  return { unlock, play, stop, setVolume };
}

function compose(trackId) {
  const random = randomFrom(trackId);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const scale = pick(SCALES);
  const bass = pick(BASS_LINES);
  const root = 45 + Math.floor(random() * 8);
  const stepMs = 60_000 / (84 + Math.floor(random() * 48)) / 2;
  const shape = pick(["triangle", "sine", "triangle"]);
  let degree = 5;
  // Two bars of melody; the end of every fourth bar varies.
  const melody = Array.from({ length: STEPS_A_BAR * 2 }, (_, step) => {
    degree = Math.max(2, Math.min(11, degree + Math.floor(random() * 5) - 2));
    return step % 4 === 0 || random() < 0.55 ? degree : null;
  });
  const hertz = (step) => {
    const octave = Math.floor(step / scale.length);
    return 440 * 2 ** ((root + octave * 12 + scale[step % scale.length] - 69) / 12);
  };
  function notesAt(step) {
    const bar = Math.floor(step / STEPS_A_BAR);
    const inBar = step % STEPS_A_BAR;
    const bassNote = bass[bar % bass.length];
    const lead = melody[step % melody.length];
    const lift = bar % 4 === 3 && inBar > 3 ? 1 : 0;
    const notes = [];
    if (lead !== null) {
      notes.push({ frequency: hertz(lead + 5 + lift), length: 2.4, level: 0.5, shape });
    }
    if (inBar % 4 === 0) {
      notes.push({ frequency: hertz(bassNote), length: 3.6, level: 0.6, shape: "triangle" });
    }
    if (inBar === 0) {
      for (const interval of [5, 7, 9]) {
        notes.push({
          frequency: hertz(bassNote + interval),
          length: 8,
          level: 0.14,
          shape: "sine",
        });
      }
    }
    return notes;
  }
  return { stepMs, notesAt };
}

function randomFrom(key) {
  let state = 7;
  for (const character of key) state = (Math.imul(state, 31) + character.charCodeAt(0)) | 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}
