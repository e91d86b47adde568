/** How long to wait before the next try: exponential with full jitter, so that devices do not come back all at once. */
import { isLoopbackName } from '@parley/contract';

const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;
/** A server on this machine is only starting, and asking it costs nobody anything. */
const LONGEST_ON_LOOPBACK_MS = 2_000;

export const isLoopback = (serverUrl: string): boolean => isLoopbackName(new URL(serverUrl).hostname);

export const longestWaitMs = (serverUrl: string): number =>
  isLoopback(serverUrl) ? LONGEST_ON_LOOPBACK_MS : LONGEST_MS;

/** Brooker, "Exponential Backoff and Jitter" (AWS, 2015). `failures` counts from 1. */
export const backoffMs = (
  failures: number,
  { chance, longestMs }: { chance: () => number; longestMs: number },
): number => chance() * Math.min(longestMs, FIRST_MS * 2 ** (failures - 1));
