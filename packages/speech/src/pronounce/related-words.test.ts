import { describe, expect, it } from 'vitest';
import { MODEL_DIR } from '../score/model-dir.ts';
import { loadDictionary } from './dictionary.ts';
import { pronounceText } from './pronounce.ts';

const dictionary = await loadDictionary(MODEL_DIR, { withCorpusWords: false });
const usual = (text: string): string =>
  pronounceText(text, dictionary)
    .map(({ pronunciations }) => pronunciations[0]?.phones.join(' ') ?? '?')
    .join(', ');

describe('a word that the dictionary lacks', () => {
  it.each([
    ['organised', 'organized'],
    ['prioritising', 'prioritizing'],
    ['optimisation', 'optimization'],
    ['analyse', 'analyze'],
    ['colourful', 'colorful'],
    ['litres', 'liters'],
    ['centred', 'centered'],
    ['manoeuvre', 'maneuver'],
    ['manoeuvring', 'maneuvering'],
    ['paediatrician', 'pediatrician'],
    ['modelled', 'modeled'],
    ['instalments', 'installments'],
    ['enrol', 'enroll'],
    ['offence', 'offense'],
    ['practising', 'practicing'],
    ['programmes', 'programs'],
    ['ageing', 'aging'],
    ['sceptical', 'skeptical'],
    ['jewellery', 'jewelry'],
    ['meagre', 'meager'],
  ])('in British spelling sounds like the American: %s', (british, american) => {
    expect(dictionary(british)).toEqual([]);
    expect(usual(british)).toBe(usual(american));
  });

  it.each([
    ['queued', 'K Y UW1 D'],
    ['paler', 'P EY1 L ER0'],
    ['lacing', 'L EY1 S IH0 NG'],
    ['tiling', 'T AY1 L IH0 NG'],
    ['sunbather', 'S AH1 N B EY2 DH ER0'],
    ['temping', 'T EH1 M P IH0 NG'],
    ['grossest', 'G R OW1 S AH0 S T'],
    ['sourest', 'S AW1 ER0 AH0 S T'],
    ['singeing', 'S IH1 N JH IH0 NG'],
    ['stormier', 'S T AO1 R M IY0 ER0'],
    ['comfiest', 'K AH1 M F IY0 AH0 S T'],
    ['snuggest', 'S N AH1 G AH0 S T'],
    ['maternally', 'M AH0 T ER1 N AH0 L IY0'],
    ['toothaches', 'T UW1 TH EY1 K S'],
    ['preheat', 'P R IY0 HH IY1 T'],
    ['tidies', 'T AY1 D IY0 Z'],
    ['tidied', 'T AY1 D IY0 D'],
    ['croaked', 'K R OW1 K T'],
    ['flitted', 'F L IH1 T IH0 D'],
    ['snipped', 'S N IH1 P T'],
    ['wretches', 'R EH1 CH IH0 Z'],
    ['hoovering', 'HH UW1 V ER0 IH0 NG'],
    ['bookable', 'B UH1 K AH0 B AH0 L'],
    ['colorlessly', 'K AH1 L ER0 L AH0 S L IY0'],
    ['favourably', 'F EY1 V ER0 AH0 B L IY0'],
    ['digitalised', 'D IH1 JH AH0 T AH0 L AY0 Z D'],
    ['rebooking', 'R IY0 B UH1 K IH0 NG'],
    ['postcodes', 'P OW1 S T K OW1 D Z'],
    ['namespace', 'N EY1 M S P EY1 S'],
    ['reorganised', 'R IY0 AO1 R G AH0 N AY2 Z D'],
  ])('sounds like the words that it is made of: %s', (word, phones) => {
    expect(dictionary(word)).toEqual([]);
    expect(usual(word)).toBe(phones);
  });

  it.each([
    ['Yuki', 'Y UW1 K IY0'],
    ['Priya', 'P R IY1 AH0'],
    ['Lumo', 'L UW1 M OW0'],
    ['sudoku', 'S AH1 D OW1 K UW1'],
  ])('is a name or a borrowed word with open syllables: %s', (word, phones) => {
    expect(usual(word)).toBe(phones);
  });

  it('keeps every way of saying the words that it is made of', () => {
    const [word] = pronounceText('livestream', dictionary);
    expect(word?.pronunciations.map(({ phones }) => phones.join(' '))).toContain('L AY1 V S T R IY1 M');
  });

  it('is not taken for a plural and a word when the second begins with the s', () => {
    expect(usual('payslips')).toBe('P EY1 S L IH1 P S');
  });
});
