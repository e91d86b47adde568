/** Chooses who coaches, who listens, who scores and who speaks, by what is configured; a client that nobody configured is not loaded. */
import type { LocalModel } from '@parley/contract';
import type { AiServices, RealtimeService } from '../coach/index.ts';
import type { AzureSpeechConfig, Config, OpenAiConfig } from './config.ts';
import { LOCAL_FIRST_BYTE_MS, type LocalModelParts } from './local-models.ts';
import { placeOf } from './service-place.ts';

const NONE: AiServices = { coach: null, transcriber: null, assessor: null, voice: null };

export interface Connected {
  services: AiServices;
  /** Who can listen and speak at once. */
  realtime: RealtimeService | null;
}

/** Azure listens, scores and speaks where it is configured; else a model behind OpenAI's protocol does. */
export async function connectServices({
  openAi,
  azureSpeech,
}: Pick<Config, 'openAi' | 'azureSpeech'>): Promise<Connected> {
  const byOpenAi = openAi === null ? { services: NONE, realtime: null } : await connectOpenAi(openAi);
  if (azureSpeech === null) return byOpenAi;
  return { ...byOpenAi, services: { ...byOpenAi.services, ...(await connectAzure(azureSpeech)) } };
}

async function connectAzure(access: AzureSpeechConfig): Promise<Partial<AiServices>> {
  const { createAzureAssessor, createAzureSynthesiser, createAzureTranscriber } =
    await import('../integrations/azure-speech/index.ts');
  return {
    transcriber: { where: 'azure', transcriber: createAzureTranscriber(access) },
    assessor: { where: 'azure', assessor: createAzureAssessor(access) },
    voice: { where: 'azure', synthesiser: createAzureSynthesiser(access) },
  };
}

async function connectOpenAi(configured: OpenAiConfig): Promise<Connected> {
  const { createOpenAiModel, createOpenAiRealtime, createOpenAiSynthesiser, createOpenAiTranscriber } =
    await import('../integrations/openai/index.ts');
  const { apiKey, baseUrl, model, transcribeModel, voiceModel, realtimeModel } = configured;
  const access = { apiKey, baseUrl };
  const where = await placeOf(baseUrl);
  const isOwn = where === 'own';
  const firstByteMs = configured.firstByteMs ?? (isOwn ? LOCAL_FIRST_BYTE_MS : null);
  const patient = firstByteMs === null ? access : { ...access, timeouts: { firstByteMs } };
  return {
    services: {
      ...NONE,
      coach: {
        where,
        model: createOpenAiModel({ ...patient, model, isOwnServer: isOwn, loadsModel: isOwn }),
        firstByteMs,
      },
      transcriber:
        transcribeModel === null
          ? null
          : { where, transcriber: createOpenAiTranscriber({ ...patient, model: transcribeModel }) },
      // A voice that is still loading is not waited for: until it has, the device speaks.
      voice:
        voiceModel === null ? null : { where, synthesiser: createOpenAiSynthesiser({ ...access, model: voiceModel }) },
    },
    realtime:
      realtimeModel === null
        ? null
        : { where, voice: createOpenAiRealtime({ ...access, ...ears(transcribeModel), model: realtimeModel }) },
  };
}

/** Null where this server offers no models of its machine. Each is spoken to only when a learner has chosen it. */
export async function connectLocalModels({
  offersLocalModels,
}: Pick<Config, 'offersLocalModels'>): Promise<LocalModelParts | null> {
  if (!offersLocalModels) return null;
  const [{ findLocalModels, LOCAL_ADDRESSES }, { createOpenAiModel, createOpenAiTranscriber }] = await Promise.all([
    import('../integrations/local-models/index.ts'),
    import('../integrations/openai/index.ts'),
  ]);
  const where = 'this_computer';
  const accessTo = ({ provider, model }: LocalModel) => ({
    apiKey: '',
    baseUrl: `${LOCAL_ADDRESSES[provider]}/v1`,
    model,
    timeouts: { firstByteMs: LOCAL_FIRST_BYTE_MS },
  });
  return {
    find: () => findLocalModels(),
    coachOf: (model) => ({
      where,
      model: createOpenAiModel({ ...accessTo(model), isOwnServer: true, loadsModel: true }),
      firstByteMs: LOCAL_FIRST_BYTE_MS,
    }),
    transcriberOf: (model) => ({ where, transcriber: createOpenAiTranscriber(accessTo(model)) }),
  };
}

/** A call without words could not be coached: where none is named, the one is asked for that OpenAI has for calls. */
const ears = (transcribeModel: string | null): { transcribeModel?: string } =>
  transcribeModel === null ? {} : { transcribeModel };
