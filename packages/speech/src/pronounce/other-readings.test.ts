import { describe, expect, it } from 'vitest';
import { MODEL_DIR } from '../score/model-dir.ts';
import { loadDictionary } from './dictionary.ts';
import { pronounceText } from './pronounce.ts';
import { spokenForm } from './spoken-form.ts';

const readingsOf = (text: string, word: string): string[] => {
  const found = spokenForm(text).find(({ written }) => written === word);
  return [found?.spoken ?? [], ...(found?.otherReadings ?? [])].map((words) => words.join(' '));
};

describe('other readings', () => {
  it.each([
    ['It costs 150 euros.', '150', ['one hundred and fifty', 'a hundred and fifty', 'a hundred fifty']],
    ['About 100 days', '100', ['a hundred']],
    ['1,250,005 people', '1,250,005', ['one million two hundred and fifty thousand and five']],
    ['Room 417', '417', ['four one seven', 'four seventeen', 'four hundred and seventeen']],
    ['Invoice 2050', '2050', ['two zero five zero', 'two oh five oh', 'two thousand and fifty', 'twenty fifty']],
    ['In 2005', '2005', ['two thousand and five', 'twenty oh five']],
    ['In 1905', '1905', ['nineteen oh five', 'one thousand nine hundred and five']],
    ['1500 people', '1500', ['fifteen hundred', 'one thousand five hundred']],
    ['Flight BA2490', 'BA2490', ['b a two four nine zero', 'b a twenty four ninety']],
    ['Call 020', '020', ['zero two zero', 'oh two oh']],
    ['We meet on May 3.', '3', ['third', 'the third']],
    ['We meet on 3 May.', '3', ['third', 'the third of']],
    ['On the 3rd March', '3rd', ['third of']],
    ['At 16:30', '16:30', ['sixteen thirty', 'four thirty', 'four thirty p m', 'half past four']],
    ['At 4:45', '4:45', ['four forty five', 'quarter to five']],
    ['At 9:10', '9:10', ['nine ten', 'ten past nine']],
    ['At 12:35', '12:35', ['twelve thirty five', 'twenty five to one']],
    ['At 17:00', '17:00', ["five o'clock", 'five p m']],
    ['£2.50', '£2.50', ['two pounds fifty pence', 'two pounds fifty', 'two fifty']],
    ['£2.05', '£2.05', ['two pounds five pence', 'two pounds five', 'two oh five']],
    ['On 05/06/2024', '05', ['fifth', 'the fifth of', 'may']],
    ['On 05/06/2024', '06', ['june', 'the sixth']],
    ['At 10.30', '10.30', ['ten thirty']],
    ['Version 3.10', '3.10', ['three point ten']],
    ['It is 8/10.', '10', ['out of ten']],
    ['Over 3/5 of us', '5', ['fifths']],
    ['About ~50 or >10', '50', ['about fifty']],
    ['About ~50 or >10', '10', ['more than ten']],
    ['Call +44 20 7946', '20', ['two zero']],
    ['Call +44 20 7946', '+44', ['plus forty four']],
    ['A 4x4 or a 5 x 3 grid', '4x4', ['four by four']],
    ['A 4x4 or a 5 x 3 grid', 'x', ['by', 'times']],
    ['We won 3-0.', '3-0', ['three zero', 'three nil', 'three nothing', 'three to nothing', 'three to zero']],
    ['We lost 0-2.', '0-2', ['nil two', 'zero to two']],
    ['We won 3-1.', '3-1', ['three one', 'three to one']],
    ['A 1-1 draw', '1-1', ['one all', 'one to one']],
    ['In 1080p', '1080p', ['one thousand eighty p', 'one thousand and eighty p']],
    [`He is 6'2" tall.`, `6'2"`, ['six foot two', 'six two', 'six feet two', 'six foot two inches']],
    ['See #tag', '#tag', ['hashtag tag']],
    ['0.5 or a 10K run', '0.5', ['zero point five', 'point five']],
    ['0.5 or a 10K run', '10K', ['ten thousand', 'ten k']],
  ])('of “%s”, %s', (text, word, readings) => {
    expect(readingsOf(text, word)).toEqual(expect.arrayContaining(readings));
  });

  it.each([
    ['Give me 3 apples', '3', ['three']],
    ['In 3-4 days', '3-4', ['three to four']],
    ['one hundred days', 'one', ['one']],
    ['On 5/6/24', '24', ['twenty four']],
    ['In 24/7', '7', ['seven']],
    ['It is 3.05', '3.05', ['three point zero five']],
    ['At 9:07', '9:07', ['nine oh seven', 'nine oh seven a m']],
    ['£2.05', '£2.05', ['two pounds five pence', 'two pounds five', 'two oh five']],
    ['£1.50-£2', '£1.50-£2', ['one pound fifty pence to two pounds']],
  ])('of “%s” do not invent any for %s', (text, word, readings) => {
    expect(readingsOf(text, word)).toEqual(readings);
  });

  it('are pronounced after the usual one', async () => {
    const dictionary = await loadDictionary(MODEL_DIR, { withCorpusWords: false });
    const [word] = pronounceText('100', dictionary);
    const said = word?.pronunciations.map(({ phones }) => phones.join(' ')) ?? [];
    expect(said[0]).toBe('W AH1 N HH AH1 N D R AH0 D');
    expect(said).toContain('AH0 HH AH1 N D R AH0 D');
  });
});
