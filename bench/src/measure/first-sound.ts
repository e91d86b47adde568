/** How long a learner waits until the coach is heard, when the model and the voice take 400 ms each to begin. */
import { type CoachVoice, speakablePieces } from '@parley/domain';
import { openHost, removeDataFolders } from '../../../desktop/src/host/test-kit/open-host.ts';
import { type LiveServer, startLiveServer } from '../../../desktop/src/host/test-kit/a-live-coach.ts';
import { LATE_DELIVERY } from '../../../desktop/src/host/test-kit/a-catalogue.ts';

const UPSTREAM_MS = 400;
/** Between two words, as `npm run twins` paces them. */
const WORD_MS = 35;
/** What the model says before its first word; the twin paces that like words, where a model says it all at once. */
const EVENTS_BEFORE_WORDS = 4;

/** None begins like another: what was spoken once is not asked for again. */
const LINES = [
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

type Asking = Awaited<ReturnType<typeof openHost>>['ask'];

export interface FirstSound {
  medianMs: number;
  slowestMs: number;
}

/** From the learner's sent words to the first piece of the coach's sound that the host hands out. */
export async function measureFirstSound(): Promise<FirstSound> {
  const live = await startLiveServer({ paceMs: WORD_MS });
  const { host, ask } = await openHost({ serverUrl: live.server.url, clock: { now: () => new Date() } });
  try {
    await ask.sync.run();
    const { sessionId, coach } = await ask.practice.start({
      practiceId: LATE_DELIVERY,
      difficulty: 'easy',
      communicationStyle: 'audio',
      coachKind: 'live',
    });
    const times: number[] = [];
    for (const line of LINES) {
      beginLate(live, line);
      times.push(await hearLine(ask, sessionId, coach.voice));
      await ask.practice.sendTyped({ sessionId, text: 'We are looking into that one as well.', hintLevel: 0 });
    }
    const sorted = times.toSorted((a, b) => a - b);
    return { medianMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, slowestMs: sorted.at(-1) ?? Number.NaN };
  } finally {
    await host.close();
    removeDataFolders();
    await live.close();
  }
}

function beginLate({ says }: LiveServer, line: string): void {
  says.reply.push({ does: 'answer_late', ms: UPSTREAM_MS - EVENTS_BEFORE_WORDS * WORD_MS, text: line });
  says.speech.length = 0;
  for (const _ of speakablePieces(line, { isWhole: true })) says.speech.push({ does: 'answer_late', ms: UPSTREAM_MS });
}

/** As the window does: what can be spoken is asked for while the words still come. */
async function hearLine(
  ask: Asking,
  sessionId: Parameters<Asking['practice']['hearCoach']>[0]['sessionId'],
  voice: CoachVoice,
): Promise<number> {
  const startMs = performance.now();
  let words = '';
  const sounds: Promise<number>[] = [];
  const hear = (isWhole: boolean): void => {
    for (const text of speakablePieces(words, { isWhole }).slice(sounds.length))
      sounds.push(firstSoundMs(ask, { text, voice }));
  };
  for await (const event of await ask.practice.hearCoach({ sessionId })) {
    if (event.type === 'words') words += event.text;
    hear(event.type === 'session');
  }
  await Promise.all(sounds);
  const first = await sounds[0];
  if (first === undefined) throw new Error('the coach said nothing');
  return first - startMs;
}

async function firstSoundMs(ask: Asking, line: { text: string; voice: CoachVoice }): Promise<number> {
  let atMs: number | null = null;
  for await (const _ of await ask.voice.speakLine(line)) atMs ??= performance.now();
  if (atMs === null) throw new Error('the coach was not heard');
  return atMs;
}
