import { END_FUNCTION, realtimeInstructions, translateLine } from '@parley/coach/model';
import { afterEach, describe, expect, it } from 'vitest';
import { talkWith } from '../realtime/test-kit/talk.ts';
import { startRealtimeTwin } from '../realtime/twin/index.ts';
import { modelAt } from '../test-kit/asked.ts';
import { type OpenAiTwin, type OpenAiTwinOptions, startOpenAiTwin } from '../twin/index.ts';
import { A_SCENE, practiseWith } from './test-kit/a-practice.ts';

const twins: { close: () => Promise<void> }[] = [];
afterEach(() => Promise.all(twins.splice(0).map((twin) => twin.close())));
const start = async (options: OpenAiTwinOptions = {}): Promise<OpenAiTwin> => {
  const twin = await startOpenAiTwin(options);
  twins.push(twin);
  return twin;
};

const SAID = [
  'Good morning, I am calling about your order.',
  'I have bad news from the harbour.',
  'The ship waits for a free place.',
  'We could send a part of it by train.',
  'I would need your answer by Monday.',
  'I can write it all down for you.',
];

describe('a practice with a coach who is a twin', () => {
  it.each<[string, OpenAiTwinOptions]>([
    ['Responses', {}],
    ['chat completions', { lacks: { responses: 404 } }],
  ])(
    'over %s: takes up what was said and not the scene, asks one thing at a time, and ends',
    async (_what, options) => {
      const practice = practiseWith(await start(options), { objectives: [] });
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
    },
  );

  it('whose objectives are open is left by the learner, who is told how', async () => {
    const practice = practiseWith(await start());
    let line = await practice.say();
    for (const said of SAID) line = await practice.say(said);
    expect(line).toMatchObject({ kind: 'line', text: expect.stringContaining('just say goodbye') });
    expect((await practice.say('All right, goodbye!')).kind).toBe('goodbye');
  });

  it('ticks an objective whose words the learner used, and no other', async () => {
    const practice = practiseWith(await start());
    await practice.say();
    expect((await practice.say('It is raining here.')).proved).toEqual([]);
    const [late] = A_SCENE.objectives;
    expect((await practice.say('I am afraid that your delivery will be late.')).proved).toEqual([
      { type: 'proved', objectiveId: late?.objectiveId, words: 'delivery will be late' },
    ]);
  });

  it('is reviewed in sentences that say where they come from', async () => {
    const practice = practiseWith(await start());
    await practice.say();
    await practice.say('I work as a nurse in Lisbon, and I have no informations.');
    await practice.say('Yes.');
    expect(await practice.review()).toEqual({
      best: 'Your longest answer was “I work as a nurse in Lisbon, and I have no informations.”, and it carried the conversation on.',
      fix: 'A stand-in wrote this review: of the few mistakes that it knows, it found “informations”.',
      nextStep: 'Next time, say a whole sentence in place of “Yes.”.',
      summary: 'You spoke 2 times in “Explain a delay”. A stand-in wrote this, with no model behind it.',
      corrections: [{ said: 'informations', better: 'information', why: '“Information” has no plural.' }],
      remember: ['The learner works as a nurse in Lisbon.'],
      languageQuality: 65,
      proofs: [],
    });
  });

  it('gives hints that can be said, and a translation that claims to be none', async () => {
    const twin = await start();
    const practice = practiseWith(twin);
    await practice.say();
    const hints = await practice.hint();
    expect(hints).toHaveLength(3);
    expect(hints.join(' ')).toContain('stand-in');
    const translation = await translateLine({
      model: modelAt(twin),
      text: 'How late will it be?',
      language: 'German',
      signal: new AbortController().signal,
    });
    expect(translation).toBe('A stand-in cannot translate into German: “How late will it be?”');
  });
});

describe('a live talk with a voice that is a twin', () => {
  it('reads as a conversation, and ends', async () => {
    const twin = await startRealtimeTwin({ speed: 60 });
    twins.push(twin);
    const { instructions, messages } = realtimeInstructions(A_SCENE, { turns: [], completed: [] });
    const talk = await talkWith(twin, { instructions, messages, endFunction: END_FUNCTION });
    talk.session.speak();
    const lines = [await talk.nextLine()];
    for (let turn = 0; turn < 6; turn += 1) {
      talk.say(900);
      lines.push(await talk.nextLine());
    }
    expect(talk.all('learnerSaid').map(({ text }) => text)).toEqual([
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
    await talk.session.close();
  });

  it('that is told to end says goodbye, whatever was said', async () => {
    const twin = await startRealtimeTwin({ speed: 60 });
    twins.push(twin);
    const { instructions, farewell, messages } = realtimeInstructions(A_SCENE, { turns: [], completed: [] });
    const talk = await talkWith(twin, { instructions, messages });
    talk.session.speak(farewell);
    expect(await talk.nextLine()).toMatchObject({ text: expect.stringContaining('goodbye'), isOrdered: true });
    await talk.session.close();
  });

  it('asks again where a turn was not understood', async () => {
    const twin = await startRealtimeTwin({ speed: 60 });
    twins.push(twin);
    twin.script.hears(null);
    const talk = await talkWith(twin);
    talk.say(900);
    expect((await talk.nextLine()).text).toContain('Could you say it again?');
    await talk.session.close();
  });
});
