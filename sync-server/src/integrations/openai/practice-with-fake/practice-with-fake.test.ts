import { END_SESSION_FUNCTION, realtimeInstructions, translateUtterance } from '@parley/coach/model';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestSession } from '../realtime/test-kit/test-session.ts';
import { startRealtimeFake } from '@parley/fakes/openai-realtime/index.ts';
import { modelAt } from '../language-model/test-kit/ask-model.ts';
import { type OpenAiFake, type OpenAiFakeOptions, startOpenAiFake } from '@parley/fakes/openai/index.ts';
import { SCENE, startPractice } from './test-kit/practice-fixture.ts';

const fakes: { close: () => Promise<void> }[] = [];
afterEach(() => Promise.all(fakes.splice(0).map((fake) => fake.close())));
const start = async (options: OpenAiFakeOptions = {}): Promise<OpenAiFake> => {
  const fake = await startOpenAiFake(options);
  fakes.push(fake);
  return fake;
};

const SAID = [
  'Good morning, I am calling about your order.',
  'I have bad news from the harbour.',
  'The ship waits for a free place.',
  'We could send a part of it by train.',
  'I would need your answer by Monday.',
  'I can write it all down for you.',
];

describe('a practice with the fake as coach', () => {
  it.each<[string, OpenAiFakeOptions]>([
    ['Responses', {}],
    ['chat completions', { lacks: { responses: 404 } }],
  ])('over %s repeats the learner, asks one question at a time, and ends', async (_what, options) => {
    const practice = startPractice(await start(options), { objectives: [] });
    const opening = await practice.say();
    expect(opening.text).toBe(
      "Hello Ana, I'm Daniel. Our scene is “Explain a delay”. What would you like to say first?",
    );
    const lines = [];
    for (const said of SAID) lines.push(await practice.say(said));
    expect(lines.map(({ text }) => text.split('. ')[0])).toEqual([
      'So you are calling about my order',
      'I see, you have bad news from the harbour',
      '“free place”, I see',
      'So you could send a part of it by train',
      'I see, you would need my answer by Monday',
      'It was good to talk with you',
    ]);
    expect(lines.map(({ kind }) => kind)).toEqual([...Array<string>(5).fill('line'), 'goodbye']);
    for (const { text, fitted } of lines.slice(0, 5)) {
      expect(fitted).toBe(true);
      expect(text.match(/\?/g)).toHaveLength(1);
    }
    expect(new Set(lines.map(({ text }) => text)).size).toBe(6);
  });

  it('that is longer than the context of a small model still gets hints and a review', async () => {
    const fake = await start({ dialect: 'llama.cpp', model: { contextTokens: 3_000 } });
    const practice = startPractice(fake, { model: modelAt(fake, { model: 'qwen3:8b', isSelfHosted: true }) });
    await practice.say();
    for (let turn = 0; turn < 12; turn += 1)
      await practice.say(`Turn ${turn}: ${'the ship is late, and so on. '.repeat(40)}`);
    expect(await practice.hint()).not.toEqual([]);
    await expect(practice.review()).resolves.toMatchObject({ summary: expect.stringMatching(/./) });
  });

  it('with open objectives tells the learner how to end it', async () => {
    const practice = startPractice(await start());
    let line = await practice.say();
    for (const said of SAID) line = await practice.say(said);
    expect(line).toMatchObject({ kind: 'line', text: expect.stringContaining('just say goodbye') });
    expect((await practice.say('All right, goodbye!')).kind).toBe('goodbye');
  });

  it('marks only the objective whose words the learner used', async () => {
    const practice = startPractice(await start());
    await practice.say();
    expect((await practice.say('It is raining here.')).proved).toEqual([]);
    const [late] = SCENE.objectives;
    expect((await practice.say('I am afraid that your delivery will be late.')).proved).toEqual([
      { type: 'proved', objectiveId: late?.objectiveId, words: 'delivery will be late' },
    ]);
  });

  it('is reviewed with a note about where the review comes from', async () => {
    const practice = startPractice(await start());
    await practice.say();
    await practice.say('I work as a nurse in Lisbon, and I have no informations.');
    await practice.say('Yes.');
    expect(await practice.review()).toEqual({
      best: 'Your longest answer was “I work as a nurse in Lisbon, and I have no informations.”, and it carried the conversation on.',
      fix: 'The fake coach wrote this review: of the few mistakes that it knows, it found “informations”.',
      nextStep: 'Next time, say a whole sentence in place of “Yes.”.',
      summary: 'You spoke 2 times in “Explain a delay”. The fake coach wrote this, with no model behind it.',
      corrections: [{ said: 'informations', better: 'information', why: '“Information” has no plural.' }],
      remember: ['The learner works as a nurse in Lisbon.'],
      languageQuality: 65,
      proofs: [],
    });
  });

  it('gives hints, and a translation that is marked as none', async () => {
    const fake = await start();
    const practice = startPractice(fake);
    await practice.say();
    const hints = await practice.hint();
    expect(hints).toHaveLength(3);
    expect(hints.join(' ')).toContain('fake coach');
    const translation = await translateUtterance({
      model: modelAt(fake),
      text: 'How late will it be?',
      language: 'German',
      signal: new AbortController().signal,
    });
    expect(translation).toBe('The fake coach cannot translate into German: “How late will it be?”');
  });
});

describe('a realtime session with the fake', () => {
  it('reads as a conversation and ends', async () => {
    const fake = await startRealtimeFake({ speed: 60 });
    fakes.push(fake);
    const { instructions, messages } = realtimeInstructions(SCENE, { turns: [], completed: [] });
    const testSession = await startTestSession(fake, { instructions, messages, endFunction: END_SESSION_FUNCTION });
    testSession.session.speak();
    const lines = [await testSession.nextUtterance()];
    for (let turn = 0; turn < 6; turn += 1) {
      testSession.speakTurn(900);
      lines.push(await testSession.nextUtterance());
    }
    expect(testSession.eventsOfType('learnerSaid').map(({ text }) => text)).toEqual([
      'Hello, I am trying out this conversation.',
      'I would like to practise my English a little.',
      'My work is easier when I speak it well.',
      'I am not sure yet, because I have only just begun.',
      'I think that a little every day is best.',
      'Thank you, I have to go now. Goodbye!',
    ]);
    expect(lines.map(({ text }) => text)).toEqual([
      "Hello Ana, I'm Daniel. Our scene is “Explain a delay”. What would you like to say first?",
      'So you are trying out this conversation. Could you tell me a little more about that?',
      'I see, you would like to practise your English a little. What else should I know about it?',
      'Right, your work is easier when you speak it well. What would be a good next step?',
      'So you have only just begun. That is a good reason. Would you do it again?',
      'I see, you think that a little every day is best. What would help you most?',
      'It was good to talk with you. Thank you, and goodbye!',
    ]);
    expect(lines.map(({ wantsToEnd }) => wantsToEnd)).toEqual([...Array<boolean>(6).fill(false), true]);
    await testSession.session.close();
  });

  it('says goodbye when told to end', async () => {
    const fake = await startRealtimeFake({ speed: 60 });
    fakes.push(fake);
    const { instructions, goodbyeInstructions, messages } = realtimeInstructions(SCENE, { turns: [], completed: [] });
    const testSession = await startTestSession(fake, { instructions, messages });
    testSession.session.speak(goodbyeInstructions);
    expect(await testSession.nextUtterance()).toMatchObject({
      text: expect.stringContaining('goodbye'),
      isOrdered: true,
    });
    await testSession.session.close();
  });

  it('asks again when a turn was not understood', async () => {
    const fake = await startRealtimeFake({ speed: 60 });
    fakes.push(fake);
    fake.script.queueTranscripts(null);
    const testSession = await startTestSession(fake);
    testSession.speakTurn(900);
    expect((await testSession.nextUtterance()).text).toContain('Could you say it again?');
    await testSession.session.close();
  });
});
