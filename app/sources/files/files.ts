/** The names of a recording's files in the bucket. */
export function audioKey(recordingId: string): string {
  return `${recordingId}/audio`;
}

export function coverKey(recordingId: string): string {
  return `${recordingId}/cover`;
}

/** The one type that each file is served as, whatever it says of itself. */
export const mediaTypes = {
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  flac: "audio/flac",
  wav: "audio/wav",
  jpeg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
} as const;
