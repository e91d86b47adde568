import type { Assessment } from '@parley/domain';
import { hasProgram, synthesise } from '@parley/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScorer, type Scorer } from '../scorer.ts';
import { parseWav } from '../wav/parse-wav.ts';

const hasVoice = hasProgram('espeak-ng');
if (!hasVoice) console.warn('skipped: synthesised speech needs espeak-ng (Debian: espeak-ng)');

let scorer: Scorer;
beforeAll(async () => {
  scorer = await createScorer();
});
afterAll(async () => {
  await scorer.close();
});

async function assess(text: string, said: string, voice = 'en-us'): Promise<Assessment> {
  const wav = parseWav(synthesise(said, { voice }) ?? new Uint8Array());
  if (!wav.ok) throw new Error(wav.error.message);
  return scorer.assess({ pcm: wav.value.pcm, text });
}

async function errorsIn(text: string, said: string, voice?: string): Promise<Record<string, string>> {
  const { words } = await assess(text, said, voice);
  return Object.fromEntries(words.flatMap(({ word, error }) => (error === 'None' ? [] : [[word, error]])));
}

const REPORT = 'Could you send me the report by Friday afternoon?';
const DELIVERY = 'I would like to explain why the delivery is late.';

describe.skipIf(!hasVoice)('a word in whose place another one is said', () => {
  it.each([
    [REPORT, 'report', 'invoice'],
    [REPORT, 'Friday', 'Monday'],
    [DELIVERY, 'delivery', 'payment'],
  ])('counts as omitted: %s (%s)', async (text, word, other) => {
    expect(await errorsIn(text, text.replace(word, other))).toEqual({ [word]: 'Omission', '…': 'Insertion' });
  });

  it('takes its share of the accuracy', async () => {
    const [right, wrong] = [
      await assess(DELIVERY, DELIVERY),
      await assess(DELIVERY, DELIVERY.replace('delivery', 'payment')),
    ];
    expect((right.accuracy ?? 0) - (wrong.accuracy ?? 0)).toBeGreaterThan(5);
  });

  it.each([
    ['Could you please send me the report by Friday afternoon?', REPORT],
    ['I would like to explain why the new delivery is late.', DELIVERY],
  ])('is told apart from a word beside which another one is inserted: %s', async (said, text) => {
    expect(await errorsIn(text, said)).toEqual({ '…': 'Insertion' });
  });

  it('counts as omitted at the end, where the other one is longer', async () => {
    const text = 'They discussed the contract and the schedule.';
    const errors = await errorsIn(text, text.replace('schedule', 'invoices'), 'en-gb');
    expect(errors).toEqual({ schedule: 'Omission', '…': 'Insertion' });
  });

  it('is told apart from a name that is said otherwise than it is spelled', async () => {
    const said = 'We visited Mull guy in the spring.';
    const errors = await errorsIn(said.replace('Mull guy', 'Milngavie'), said);
    expect(Object.values(errors)).not.toContain('Omission');
  });
});
