/** `npm run twins`: stand-ins for the cloud on this machine, so that its path can be tried without a key. */
import { startAzureSpeechTwin } from '../sync-server/src/integrations/azure-speech/twin/index.ts';
import { startOpenAiTwin } from '../sync-server/src/integrations/openai/twin/index.ts';

const OPENAI_PORT = 4821;
const AZURE_PORT = 4822;
const AZURE_KEY = 'twin-key';
/** About as fast as a model speaks. */
const PACE_MS = 35;
/** About as long as words take to be written down. */
const TRANSCRIBE_MS = 400;

interface RunningTwin {
  name: string;
  /** What the server must be told to use it. */
  environment: Record<string, string>;
  close: () => Promise<void>;
}

async function openAi(): Promise<RunningTwin> {
  const realtime = { transcribeMs: TRANSCRIBE_MS };
  const twin = await startOpenAiTwin({ port: OPENAI_PORT, paceMs: PACE_MS, realtime });
  return {
    name: 'OpenAI',
    environment: {
      OPENAI_BASE_URL: twin.url,
      OPENAI_API_KEY: twin.key,
      OPENAI_MODEL: 'gpt-4o-mini',
      OPENAI_TRANSCRIBE_MODEL: 'gpt-4o-mini-transcribe',
      OPENAI_VOICE_MODEL: 'gpt-4o-mini-tts',
      OPENAI_REALTIME_MODEL: 'gpt-realtime',
    },
    close: twin.close,
  };
}

async function azureSpeech(): Promise<RunningTwin> {
  const { endpoint, close } = await startAzureSpeechTwin({ port: AZURE_PORT, key: AZURE_KEY });
  return {
    name: 'Azure Speech',
    environment: { AZURE_SPEECH_ENDPOINT: endpoint, AZURE_SPEECH_KEY: AZURE_KEY },
    close,
  };
}

const twins = await Promise.all([openAi, azureSpeech].map((start) => start()));

console.log('Nothing below is a real service: answers follow simple rules, and nothing leaves this machine.');
console.log('A coach takes up words that you type. Of what you say only the sound is heard, so made-up sentences');
console.log('stand in its place; and voices hum.\n');
for (const { name, environment } of twins) {
  console.log(`# ${name}`);
  for (const [variable, value] of Object.entries(environment)) console.log(`export ${variable}=${value}`);
}
console.log('\nSet these where the server starts. Stop with Ctrl+C.');

const stop = async (): Promise<void> => {
  await Promise.all(twins.map(({ close }) => close()));
  process.exit(0);
};
process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => void stop());
