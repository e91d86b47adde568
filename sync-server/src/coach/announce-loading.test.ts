import type { ReplyEvent } from '@parley/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { announceLoading } from './announce-loading.ts';

const WORDS: ReplyEvent = { type: 'words', text: 'Good morning.' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function toldAfter(ms: number, isUnderWay: boolean): Promise<string[]> {
  async function* answer(): AsyncGenerator<ReplyEvent> {
    await new Promise((resolve) => setTimeout(resolve, ms));
    yield WORDS;
  }
  const told: string[] = [];
  const telling = (async () => {
    for await (const { type } of announceLoading(answer(), { isUnderWay: () => isUnderWay })) told.push(type);
  })();
  await vi.advanceTimersByTimeAsync(ms + 10);
  await telling;
  return told;
}

it('announces loading once when the coach is silent for three seconds', async () => {
  expect(await toldAfter(90_000, true)).toEqual(['loading', 'words']);
});

it('announces nothing for a coach that answers in time or only thinks', async () => {
  expect(await toldAfter(2_900, true)).toEqual(['words']);
  expect(await toldAfter(20_000, false)).toEqual(['words']);
});

it('throws a failure before the first word unchanged', async () => {
  async function* fails(): AsyncGenerator<ReplyEvent> {
    yield await Promise.reject(new Error('no model'));
  }
  const events = announceLoading(fails(), { isUnderWay: () => true });
  await expect(events.next()).rejects.toThrow('no model');
});
