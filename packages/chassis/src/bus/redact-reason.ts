const CHARS_MAX = 300

/** What a broker, validator or handler said, without anything that could be a person's (D13). */
export function redactReason(reason: string): string {
  return reason
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\S+@\S+/g, '[redacted]')
    .replaceAll(/"(?:[^"\\]|\\.){0,10000}"/g, '"[redacted]"')
    .replaceAll(/\+?\d[\d\s().-]{6,}\d/g, '[redacted]')
    .slice(0, CHARS_MAX)
}
