/** A process of its own that uses everything, well and badly, and then has nothing left to do: it must end by itself. */
import { createAzureAssessor, createAzureSynthesiser, createAzureTranscriber } from '../index.ts';
import { startAzureSpeechTwin } from '../twin/index.ts';

const twin = await startAzureSpeechTwin({
  script: [
    {},
    {},
    {},
    { answerAfterMs: 60_000 },
    { refuse: 401 },
    { cutAfterBytes: 3_200 },
    { cutAfterBytes: 3_200 },
    { stopsAtMs: 500 },
    {},
  ],
});
const access = {
  key: 'key',
  endpoint: twin.endpoint,
  // Far off, so that a timer that is left behind would show.
  timeouts: { connectMs: 60_000, answerMs: 60_000, retryPauseMs: 1 },
};
const voice = { gender: 'female', locale: 'en-US', rate: 1, pitch: 1 } as const;
const pcm = new Uint8Array(64_000).fill(40);
const leaving = new AbortController();
const { signal } = new AbortController();
const heard = async (): Promise<void> => undefined;

const say = async (wish: AbortSignal): Promise<string> => {
  const stream = createAzureAssessor(access).open({ referenceText: 'Good morning to you all', signal: wish, heard });
  stream.write(pcm);
  return (await stream.end()).text;
};
const speak = async (): Promise<string> => {
  let pieces = 0;
  for await (const piece of createAzureSynthesiser(access).speak({ text: 'Hello', voice, signal, spoken: heard }))
    pieces += piece.length > 0 ? 1 : 0;
  return `${pieces} pieces`;
};
const outcomes = [
  await say(signal),
  await createAzureTranscriber(access).transcribe({ pcm, signal, heard }),
  await speak(),
];
setTimeout(() => leaving.abort(), 100);
for (const wish of [leaving.signal, signal, signal, signal])
  outcomes.push(
    await say(wish).catch((error: unknown) => (error instanceof Error ? error.message : 'something else was thrown')),
  );
await twin.close();
process.stdout.write(
  JSON.stringify({ outcomes, calls: twin.calls.length, resources: process.getActiveResourcesInfo() }),
);
