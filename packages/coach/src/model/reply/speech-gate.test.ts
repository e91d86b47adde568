/** The gate's output, however the stream is split. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { promptText } from '../prompts.ts';
import { createSpeechGate } from './speech-gate.ts';

interface Passed {
  said: string;
  saysGoodbye: boolean;
  hasWithheld: boolean;
}

function pass(pieces: readonly string[]): Passed & { words: string[] } {
  const gate = createSpeechGate(60);
  const words = [...pieces.map((piece) => gate.take(piece)), gate.finish()];
  return { words, said: gate.spokenText(), saysGoodbye: gate.hasEndMarker(), hasWithheld: gate.hasWithheld() };
}

/** Splits the text at these positions. */
const cut = (text: string, places: readonly number[]): string[] => {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
};

const RECITED = `Of course. That I can do. ${promptText('reply').slice(200, 700)}`;

describe('speech gate', () => {
  it.each([
    ['plain words', 'Good morning. How are you?', 'Good morning. How are you?', false],
    ['the end marker', 'See you!\n\n<goodbye/>', 'See you!', true],
    ['the marker in another spelling', 'See you! < GOODBYE / > ', 'See you!', true],
    ['the marker as a tag pair', 'See you!<goodbye></goodbye>', 'See you!', true],
    ['the marker followed by words', 'See you! <goodbye/> Wait.', 'See you! Wait.', false],
    ['a truncated marker', 'See you! <goodb', 'See you!', false],
    ['one of our delimiters', '<said>Hello there.</said>', 'Hello there.', false],
    ['full-width brackets', 'Hello＜goodbye/＞ there.', 'Hello there.', false],
    ['a stray bracket', 'I <3 coffee, and I always did, every morning of my life.', null, false],
    ['emphasis', '**Really** good, `thanks`.', 'Really good, thanks.', false],
    ['line breaks', '\n Hello.\n\nHow are\tyou? \n', 'Hello. How are you?', false],
    ['invisible characters', 'Hel\u200Blo \u{E0041}\u{E0042}there\u202E.', 'Hello there.', false],
    ['a letter beyond the basic plane', 'Well done 𝒜na indeed.', 'Well done 𝒜na indeed.', false],
    ['emoji', '😊 Well done! 👍🏽 And 👩‍🏫 you? ❤️ Press 1️⃣. 🇬🇧', 'Well done! And you? Press 1.', false],
    [
      'signs that are no emoji',
      'It costs 5 € at Acme™ © 2026, 20 °C, A → B.',
      'It costs 5 € at Acme™ © 2026, 20 °C, A → B.',
      false,
    ],
    ['a stage direction', '*smiles warmly* Welcome, Ana.', 'Welcome, Ana.', false],
    [
      'stage directions between sentences',
      'Oh no! *leans forward* What now? *Nods.* I see.',
      'Oh no! What now? I see.',
      false,
    ],
    ['a stage direction in a sentence', 'Well, (laughs softly) that is [sighing] true.', 'Well, that is true.', false],
    ['a stage direction before the marker', 'Bye! *waves* <goodbye/>', 'Bye!', true],
    ['an action before the marker', 'Bye! *opens the door* <goodbye/>', 'Bye!', true],
    [
      'stage directions of other forms',
      '*nodding* yes. (clears his throat) **So.** *grinning widely* "Good!" *softly* "Bye." *sets the cup down* 😊 Well…',
      'yes. So. "Good!" "Bye." Well…',
      false,
    ],
    [
      'words that are named',
      'Choose one: *coffee* or *tea*? He said “hi” *twice*. In the past, e.g. *went*. Not *laugh*, but *laughs*.',
      'Choose one: coffee or tea? He said “hi” twice. In the past, e.g. went. Not laugh, but laughs.',
      false,
    ],
    [
      'words that are named at the beginning',
      '*goes* is right. Use a verb: *smiles*. *went*. Now you! *please* Sit.',
      'goes is right. Use a verb: smiles. went. Now you! please Sit.',
      false,
    ],
    [
      'remarks in brackets',
      'Stop often (pauses are good) and wait (clearing the table) [laughing is fine].',
      'Stop often (pauses are good) and wait (clearing the table) [laughing is fine].',
      false,
    ],
    ['an open bracket before the marker', 'See you (on Friday! <goodbye/>', 'See you (on Friday!', true],
    ['an open asterisk before the marker', 'See you *soon! <goodbye/>', 'See you soon!', true],
    [
      'emphasis in a sentence',
      'I *really* like it. *Really* good (or not), 2 * 3.',
      'I really like it. Really good (or not), 2 3.',
      false,
    ],
    [
      'an emphasised sentence',
      '**Stop!** *Come in, please!* (We close at six.)',
      'Stop! Come in, please! (We close at six.)',
      false,
    ],
    ['emphasis that is never closed', 'That is fine. *really fine', 'That is fine. really fine', false],
    ['a bracket that is never closed', 'See you (on Friday', 'See you (on Friday', false],
  ])('lets %s through as words only', (_, text, said, saysGoodbye) => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { maxLength: 40 }), (places) => {
        const passed = pass(cut(text, places));
        expect(passed).toMatchObject({
          said: said ?? 'I 3 coffee, and I always did, every morning of my life.',
          saysGoodbye,
        });
        expect(passed.words.join('')).toBe(passed.said);
      }),
      { numRuns: 60, seed: 20_261_121 },
    );
  });

  it('never emits any part of withheld text', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(600), { maxLength: 60 }), (places) => {
        const { said, hasWithheld } = pass(cut(RECITED, places));
        expect(hasWithheld).toBe(true);
        expect('Of course. That I can do.').toContain(said);
        expect(said).toContain('Of course.');
      }),
      { numRuns: 60, seed: 20_261_121 },
    );
  });

  it('delays words by a dozen letters at most', () => {
    expect(pass(['Good ', 'morning, ', 'Ana. ', 'How ', 'are you today?']).words).toEqual([
      '',
      '',
      '',
      'Good',
      ' morning,',
      ' Ana. How are you today?',
    ]);
  });

  it.each([
    ['a few words that also occur in our prompts', 'The learner is a beginner, says your file. Is that right?'],
    ['text from the scene', 'A delivery is late, and your customer is on the telephone. What do you say?'],
    ['a page named in words', 'You will find it on our page, acme dot com. Shall I send it?'],
  ])('accepts %s', (_, text) => {
    expect(pass([text])).toMatchObject({ said: text, hasWithheld: false });
  });

  it('withholds a link before any of it is sent', () => {
    expect(pass(['Please open ht', 'tps://som', 'ewhere.example/x and log in.'])).toMatchObject({
      said: 'Please open',
      hasWithheld: true,
    });
  });

  it('ends an overlong reply, at the end of a sentence if possible', () => {
    expect(pass(['So it went on again. '.repeat(200)]).said).toMatch(/^(So it went on again\. ?){18}$/);
    expect(pass(['word '.repeat(5_000)]).said.length).toBeLessThan(1_600);
  });

  it('ends earlier for levels with a lower word limit', () => {
    const gate = createSpeechGate(25);
    gate.take('So it went on again. '.repeat(200));
    expect(gate.spokenText()).toMatch(/^(So it went on again\. ?){8}$/);
  });
});
