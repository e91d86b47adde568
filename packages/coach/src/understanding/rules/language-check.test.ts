import { describe, expect, it } from 'vitest';
import { checkLanguage } from './language-check.ts';

const check = (text: string) => checkLanguage(text, () => false);

describe('another language', () => {
  it.each([
    'Me duele la cabeza.',
    'no entiendo',
    'No sé.',
    'el tren no llega',
    'tengo fiebre desde ayer',
    "j'ai mal au ventre",
    "Je n'ai pas compris.",
    "c'est trop cher pour moi",
    'il y a un problème',
    'eu não entendo',
    'a minha mala é preta',
    'non capisco',
    'ho mal di testa',
    'ich verstehe das nicht',
    'das weiß ich nicht',
    'nie rozumiem',
  ])('is recognised: %s', (text) => expect(check(text)).toMatchObject({ isEnglish: false, isForeign: true }));

  it.each([
    'No problem.',
    'no prblem',
    'No, Gutierrez.',
    'no way, me neither',
    'On Monday, per day, de facto.',
    "d'you know, c'mon",
    "I work for L'Oréal in La Paz.",
    'El Niño is coming.',
    'Ben Müller',
    'My name is José, from São Paulo.',
    'I had a café au lait and a croissant.',
  ])('is not taken for English with a few foreign words: %s', (text) => expect(check(text).isForeign).toBe(false));
});
