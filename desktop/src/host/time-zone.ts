/** The computer's time zone. It changes when the learner travels while Parley waits in the tray. */
import { isKnownTimeZone } from '@parley/domain';

export interface TimeZoneSource {
  /** IANA name. */
  current(): string;
  /** Accepts the zone that a window reports. */
  report(timeZone: string): void;
}

export interface TimeZoneParts {
  platform: NodeJS.Platform;
  detect?: () => string;
  nowMs?: () => number;
}

/** Detection reads system files, and a screen asks for the zone hundreds of times. */
const DETECTED_FOR_MS = 10_000;

export function createTimeZone(parts: TimeZoneParts): TimeZoneSource {
  const { platform, detect = detectTimeZone, nowMs = () => performance.now() } = parts;
  let zone = 'UTC';
  let detectedAtMs = Number.NEGATIVE_INFINITY;
  let reported: string | null = null;
  return {
    current() {
      if (reported !== null) return reported;
      if (nowMs() - detectedAtMs < DETECTED_FOR_MS) return zone;
      detectedAtMs = nowMs();
      const detected = detect();
      // While the system setting is being replaced, the zone may be unknown.
      if (isKnownTimeZone(detected)) zone = detected;
      return zone;
    },
    report(timeZone) {
      // Elsewhere, the zone is detected here, because a browser may hide it from pages.
      if (platform === 'win32' && isKnownTimeZone(timeZone)) reported = timeZone;
    },
  };
}

/**
 * Node caches the zone until TZ is written, and then reads the system setting again, even if there was no TZ to delete.
 * On Windows, it keeps the zone in which it started.
 */
function detectTimeZone(): string {
  if (process.env['TZ'] === undefined) delete process.env['TZ'];
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
