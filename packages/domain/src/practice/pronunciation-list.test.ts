import { describe, expect, it } from 'vitest';
import {
  changedWords,
  MAX_PRONUNCIATION_WORDS,
  mergePronunciationWords,
  type PronunciationWord,
  type PronunciationWords,
} from './pronunciation-list.ts';
import { recordWordAttempt } from '../test-kit/pronunciation-words.ts';

const MONDAY = '2026-11-16T09:00:00.000Z';
const TUESDAY = '2026-11-17T09:00:00.000Z';

const practise = (
  list: PronunciationWords,
  {
    word = 'delay',
    device,
    accuracy = 50,
    at = MONDAY,
  }: { word?: string; device: string; accuracy?: number; at?: string },
): PronunciationWords =>
  recordWordAttempt(list, { word, ipa: 'dɪleɪ', accuracy, worstPhonemes: [], at, deviceId: device });

const times = (count: number, list: PronunciationWords, device: string): PronunciationWords =>
  Array.from({ length: count }).reduce<PronunciationWords>((sum) => practise(sum, { device }), list);

/** As written by an app that kept only one count. */
const plain = ({ counts: _counts, ...entry }: PronunciationWord): PronunciationWord => entry;

describe('pronunciation list', () => {
  it('keeps a running mean per word', () => {
    const once = practise([], { device: 'laptop', accuracy: 40 });
    const twice = practise(once, { device: 'laptop', accuracy: 60, at: TUESDAY });
    expect(twice).toMatchObject([{ word: 'delay', attempts: 2, meanAccuracy: 50, lastPracticedAt: TUESDAY }]);
  });

  it('accepts no new words when full, but still counts known ones', () => {
    const [entry] = practise([], { device: 'laptop' });
    if (entry === undefined) throw new Error('no entry');
    const full = Array.from({ length: MAX_PRONUNCIATION_WORDS }, (_, index) => ({ ...entry, word: `word ${index}` }));
    expect(practise(full, { device: 'laptop', word: 'delay' })).toEqual(full);
    const again = practise(full, { device: 'laptop', word: 'word 7', at: TUESDAY });
    expect(again.find(({ word }) => word === 'word 7')).toMatchObject({ attempts: 2, lastPracticedAt: TUESDAY });
  });

  it('sums the attempts of all devices', () => {
    const synced = practise([], { device: 'laptop' });
    const phone = times(20, synced, 'phone');
    const laptop = practise(synced, { device: 'laptop', at: TUESDAY });
    const merged = mergePronunciationWords(phone, laptop);
    expect(merged).toMatchObject([{ attempts: 22, lastPracticedAt: TUESDAY }]);
    expect(mergePronunciationWords(laptop, phone)).toEqual(merged);
    expect(mergePronunciationWords(merged, phone)).toEqual(merged);
  });

  it('weighs each device by its attempts', () => {
    const laptop = practise([], { device: 'laptop', accuracy: 100 });
    const phone = practise(practise([], { device: 'phone', accuracy: 10 }), { device: 'phone', accuracy: 10 });
    expect(mergePronunciationWords(laptop, phone)).toMatchObject([{ attempts: 3, meanAccuracy: 40 }]);
  });

  it('continues from a count made before counts per device', () => {
    const before = times(20, [], 'old').map(plain);
    const [laptop, phone] = [practise(before, { device: 'laptop' }), practise(before, { device: 'phone' })];
    expect(mergePronunciationWords(laptop, phone)).toMatchObject([{ attempts: 22 }]);
  });

  it('keeps attempts from an older app that no device has counted', () => {
    const counted = times(3, [], 'laptop');
    const older = times(5, [], 'tablet').map(plain);
    expect(mergePronunciationWords(counted, older)).toMatchObject([{ attempts: 5 }]);
    expect(mergePronunciationWords(older, counted)).toMatchObject([{ attempts: 5 }]);
  });

  it('returns only the changed entries', () => {
    const before = practise(practise([], { device: 'laptop' }), { device: 'laptop', word: 'three' });
    const after = practise(before, { device: 'laptop', word: 'three' });
    expect(changedWords(before, after).map(({ word }) => word)).toEqual(['three']);
  });
});
