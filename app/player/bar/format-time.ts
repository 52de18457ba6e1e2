export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** At 0 the server is being asked. */
export function rateIn(secondsLeft: number): string {
  return secondsLeft > 0 ? `Rate in ${secondsLeft} s` : "Checking...";
}
