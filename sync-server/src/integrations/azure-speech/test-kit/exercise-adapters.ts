/** A separate process that uses every adapter, with and without success, and must then exit on its own. */
import { createAzureAssessor, createAzureSynthesiser, createAzureTranscriber } from '../index.ts';
import { startAzureSpeechFake } from '@parley/fakes/azure-speech/index.ts';

const fake = await startAzureSpeechFake({
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
  endpoint: fake.endpoint,
  // Long timeouts make a leaked timer visible.
  timeouts: { connectMs: 60_000, answerMs: 60_000, retryPauseMs: 1 },
};
const voice = { gender: 'female', locale: 'en-US', rate: 1, pitch: 1 } as const;
const pcm = new Uint8Array(64_000).fill(40);
const abortController = new AbortController();
const { signal } = new AbortController();
const heard = async (): Promise<void> => undefined;

const say = async (abortSignal: AbortSignal): Promise<string> => {
  const stream = createAzureAssessor(access).open({
    referenceText: 'Good morning to you all',
    signal: abortSignal,
    heard,
  });
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
  await createAzureTranscriber(access).transcribe({ pcm: [pcm], signal, heard }),
  await speak(),
];
setTimeout(() => abortController.abort(), 100);
for (const abortSignal of [abortController.signal, signal, signal, signal])
  outcomes.push(
    await say(abortSignal).catch((error: unknown) =>
      error instanceof Error ? error.message : 'a value that is not an Error was thrown',
    ),
  );
await fake.close();
process.stdout.write(
  JSON.stringify({ outcomes, calls: fake.calls.length, resources: process.getActiveResourcesInfo() }),
);
