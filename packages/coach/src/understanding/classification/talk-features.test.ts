import { describe, expect, it } from 'vitest';
import { parseSpoken } from '../rules/spoken-text.ts';
import { type Features, readBaseFeatures, similarities } from './features.ts';
import { lineStems, readTalkFeatures, shapeOf } from './talk-features.ts';

const line = lineStems(["I'm going to lose sales this weekend. Can you do something about the price?"]);
const shape = (text: string): string => shapeOf(parseSpoken(text).words, line).join(' ');

describe('the shape of a sentence', () => {
  it('is the same for the same question about another word', () => {
    expect(shape('What means price?')).toBe(shape('what means sales'));
    expect(shape('the weekend you mean saturday or monday')).toBe(shape('the price, you mean gross or net?'));
  });

  it('distinguishes words of the coach’s line from other words', () => {
    expect(shape('what means price')).not.toBe(shape('what means discount'));
  });

  it('counts several words in a row as one', () => {
    expect(shape('my neighbour likes pizza')).toBe(shape('my old red bicycle broke'));
  });

  it('ignores the placeholders of a line', () => {
    expect([...lineStems(['{date|That} works. Now I can give my customers a real date.'])]).not.toContain('that');
  });
});

describe('talk features', () => {
  it('make questions about different words more alike', () => {
    const [one, other] = ['what means price', 'what means weekend'] as const;
    const alike = (read: (text: string) => Features): number => similarities(read(one), [read(other)])[0] ?? 0;
    expect(alike((text) => readTalkFeatures(text, line))).toBeGreaterThan(alike(readBaseFeatures));
  });

  it('name each place once', () => {
    const { places } = readTalkFeatures('what price price what do you mean by price', line);
    expect(new Set(places).size).toBe(places.length);
  });
});
