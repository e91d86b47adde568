/** Starts the fakes of the cloud services on this machine, so that those features can be tried without a key. */
import { startAzureSpeechFake } from '@parley/fakes/azure-speech/index.ts';
import { startOpenAiFake } from '@parley/fakes/openai/index.ts';

const OPENAI_PORT = 4821;
const AZURE_PORT = 4822;
const AZURE_KEY = 'fake-key';
/** Roughly the pace at which a model streams tokens. */
const TOKEN_INTERVAL_MS = 35;
/** Roughly how long a transcription takes. */
const TRANSCRIPTION_MS = 400;

interface RunningFake {
  name: string;
  /** Environment variables that make the server use the fake. */
  environment: Record<string, string>;
  close: () => Promise<void>;
}

async function startOpenAi(): Promise<RunningFake> {
  const realtime = { transcribeMs: TRANSCRIPTION_MS };
  const fake = await startOpenAiFake({ port: OPENAI_PORT, paceMs: TOKEN_INTERVAL_MS, realtime });
  return {
    name: 'OpenAI',
    environment: {
      OPENAI_BASE_URL: fake.url,
      OPENAI_API_KEY: fake.key,
      OPENAI_MODEL: 'gpt-4o-mini',
      OPENAI_TRANSCRIBE_MODEL: 'gpt-4o-mini-transcribe',
      OPENAI_VOICE_MODEL: 'gpt-4o-mini-tts',
      OPENAI_REALTIME_MODEL: 'gpt-realtime',
    },
    close: fake.close,
  };
}

async function startAzureSpeech(): Promise<RunningFake> {
  const { endpoint, close } = await startAzureSpeechFake({ port: AZURE_PORT, key: AZURE_KEY });
  return {
    name: 'Azure Speech',
    environment: { AZURE_SPEECH_ENDPOINT: endpoint, AZURE_SPEECH_KEY: AZURE_KEY },
    close,
  };
}

const fakes = await Promise.all([startOpenAi, startAzureSpeech].map((start) => start())).catch((error: unknown) => {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
  console.error(`Another program uses port ${OPENAI_PORT} or ${AZURE_PORT}: the fakes may be running already.`);
  process.exit(1);
});

console.log('These are fakes, not real services: replies follow simple rules, and nothing leaves this machine.');
console.log('A coach responds to what you type. Speech is not really transcribed: invented sentences take its place,');
console.log('and synthesised voices hum.\n');
for (const { name, environment } of fakes) {
  console.log(`# ${name}`);
  for (const [variable, value] of Object.entries(environment)) console.log(`export ${variable}=${value}`);
}
console.log('\nSet these variables in the environment of the server. Stop with Ctrl+C.');

const stop = async (): Promise<void> => {
  await Promise.all(fakes.map(({ close }) => close()));
  process.exit(0);
};
process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => void stop());
