/**
 * The audio formats that the parts of Parley exchange: 16-bit little-endian mono PCM, at 16 kHz from a learner and at
 * 24 kHz from a coach.
 */

export const PCM_MEDIA_TYPE = 'audio/l16';
export const PCM_SAMPLE_RATE_HZ: number = 16_000;

export const SPOKEN_SAMPLE_RATE_HZ = 24_000;
export const SPOKEN_MEDIA_TYPE = `${PCM_MEDIA_TYPE};rate=${SPOKEN_SAMPLE_RATE_HZ}` as const;

/** A realtime session uses 24 kHz in both directions. */
export const REALTIME_SAMPLE_RATE_HZ = 24_000;
export const REALTIME_BYTES_PER_MS: number = (REALTIME_SAMPLE_RATE_HZ * 2) / 1_000;
