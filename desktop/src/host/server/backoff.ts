/** Exponential backoff with full jitter, so that devices do not reconnect all at once. */
import { isLoopbackName } from '@parley/contract';

const INITIAL_DELAY_MS = 1_000;
const MAX_DELAY_MS = 5 * 60_000;
/** A local server is probably just starting, and asking it is cheap. */
const MAX_DELAY_ON_LOOPBACK_MS = 2_000;

export const isLoopback = (serverUrl: string): boolean => isLoopbackName(new URL(serverUrl).hostname);

export const maxDelayMs = (serverUrl: string): number =>
  isLoopback(serverUrl) ? MAX_DELAY_ON_LOOPBACK_MS : MAX_DELAY_MS;

/** Brooker, "Exponential Backoff and Jitter" (AWS, 2015). `failures` counts from 1. */
export const backoffMs = (
  failures: number,
  { chance, longestMs }: { chance: () => number; longestMs: number },
): number => chance() * Math.min(longestMs, INITIAL_DELAY_MS * 2 ** (failures - 1));
