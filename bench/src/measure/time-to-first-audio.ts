/** Measures the time to the first audio of the coach when the model and the voice each take 400 ms to begin. */
import { type CoachVoice, splitForSpeech } from '@parley/domain';
import { openHost, removeDataFolders } from '../../../desktop/src/host/test-kit/open-host.ts';
import { type ModelCoachServer, startModelCoachServer } from '../../../desktop/src/host/test-kit/model-coach-server.ts';
import { LATE_DELIVERY } from '../../../desktop/src/host/test-kit/test-catalogue.ts';

const UPSTREAM_MS = 400;
/** The interval between two words, as `npm run fakes` paces them. */
const WORD_MS = 35;
/** Events before the first word. The fake paces them like words, but a real model sends them at once. */
const EVENTS_BEFORE_TEXT = 4;

/** Each begins differently, because synthesised audio is cached. */
const UTTERANCES = [
  'I see. And when did you first hear of it?',
  'Oh no. How late will it be, do you think?',
  'Two weeks? That is hard for us, as our own clients wait for it.',
  'Good morning, this is Grace. I was told that you have news about our order.',
  'That is disappointing. Exactly how long a delay should I expect?',
  'Thank you for telling me. Who else knows about it by now?',
  'What happened?',
  'I am glad to hear that. When can your driver be here?',
  'All right, let us look at the dates. Would Tuesday work for you?',
  'My client will not like it. What should I say to them?',
  'How many boxes are left? We could begin with those.',
  'Nobody called me about that. Was it the carrier or the warehouse?',
  'Is it the same supplier again?',
  'You did the right thing there. And what comes next?',
  'Fair enough. Shall we write that down before we end this call?',
];

type HostClient = Awaited<ReturnType<typeof openHost>>['ask'];

export interface FirstAudioTimes {
  medianMs: number;
  slowestMs: number;
}

/** Measures from sending the learner’s text to the first chunk of coach audio that the host returns. */
export async function measureTimeToFirstAudio(): Promise<FirstAudioTimes> {
  const fixture = await startModelCoachServer({ wordDelayMs: WORD_MS });
  const { host, ask } = await openHost({ serverUrl: fixture.server.url, clock: { now: () => new Date() } });
  try {
    await ask.sync.run();
    const { sessionId, coach } = await ask.practice.start({
      practiceId: LATE_DELIVERY,
      difficulty: 'easy',
      communicationStyle: 'audio',
      coachKind: 'model',
    });
    const times: number[] = [];
    for (const line of UTTERANCES) {
      scriptLateReply(fixture, line);
      times.push(await timeUtterance(ask, sessionId, coach.voice));
      await ask.practice.sendTyped({ sessionId, text: 'We are looking into that one as well.', hintLevel: 0 });
    }
    const sorted = times.toSorted((a, b) => a - b);
    return { medianMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, slowestMs: sorted.at(-1) ?? Number.NaN };
  } finally {
    await host.close();
    removeDataFolders();
    await fixture.close();
  }
}

function scriptLateReply({ script }: ModelCoachServer, line: string): void {
  script.reply.push({ does: 'answer_late', ms: UPSTREAM_MS - EVENTS_BEFORE_TEXT * WORD_MS, text: line });
  script.speech.length = 0;
  for (const _ of splitForSpeech(line, { isComplete: true }))
    script.speech.push({ does: 'answer_late', ms: UPSTREAM_MS });
}

/** Like the renderer, requests audio for each complete piece while the text still streams. */
async function timeUtterance(
  ask: HostClient,
  sessionId: Parameters<HostClient['practice']['streamCoachReply']>[0]['sessionId'],
  voice: CoachVoice,
): Promise<number> {
  const startMs = performance.now();
  let words = '';
  const audioTimes: Promise<number>[] = [];
  const requestAudio = (isWhole: boolean): void => {
    for (const text of splitForSpeech(words, { isComplete: isWhole }).slice(audioTimes.length))
      audioTimes.push(firstAudioAtMs(ask, { text, voice }));
  };
  for await (const event of await ask.practice.streamCoachReply({ sessionId })) {
    if (event.type === 'words') words += event.text;
    requestAudio(event.type === 'session');
  }
  await Promise.all(audioTimes);
  const first = await audioTimes[0];
  if (first === undefined) throw new Error('the coach said nothing');
  return first - startMs;
}

async function firstAudioAtMs(ask: HostClient, line: { text: string; voice: CoachVoice }): Promise<number> {
  let atMs: number | null = null;
  for await (const _ of await ask.voice.speakLine(line)) atMs ??= performance.now();
  if (atMs === null) throw new Error('the coach was not heard');
  return atMs;
}
