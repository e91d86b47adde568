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
    'la habitacion es fine para mi',
    'mi hotel es super caro',
    'el weekend fue bueno',
    'me gusta el hotel',
    'si vengo el martes a las tres',
    'no se que decir',
    'la reserva es para dos noches',
    'la camera non mi piace',
    'je suis au restaurant avec mon ami',
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
    'My colleague Domingo comes on Monday',
    'We stayed at Casa Caro in La Reserva',
    'No me, he and Ben are on at ten',
    'the Montag meeting is on, no problem',
  ])('is not taken for English with a few foreign words: %s', (text) => expect(check(text).isForeign).toBe(false));
});
