/** Chooses the AI services from the configuration, and loads only the adapters that are configured. */
import type { LocalModel } from '@parley/contract';
import type { AiServices, RealtimeService } from '../coach/index.ts';
import type { AzureSpeechConfig, Config, OpenAiConfig } from './config/config.ts';
import { LOCAL_FIRST_BYTE_MS, type LocalModelAdapters } from '../http/routes/coaching-selector.ts';
import { locateProvider } from './provider-location.ts';

const NO_SERVICES: AiServices = { coach: null, transcriber: null, assessor: null, voice: null };

export interface ConnectedServices {
  services: AiServices;
  /** The realtime voice service, if there is one. */
  realtime: RealtimeService | null;
}

/** Uses Azure for speech where it is configured, and otherwise models behind OpenAI's protocol. */
export async function connectAiServices({
  openAi,
  azureSpeech,
}: Pick<Config, 'openAi' | 'azureSpeech'>): Promise<ConnectedServices> {
  const byOpenAi = openAi === null ? { services: NO_SERVICES, realtime: null } : await connectOpenAi(openAi);
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

async function connectOpenAi(configured: OpenAiConfig): Promise<ConnectedServices> {
  const { createOpenAiModel, createOpenAiRealtime, createOpenAiSynthesiser, createOpenAiTranscriber } =
    await import('../integrations/openai/index.ts');
  const { apiKey, baseUrl, model, transcribeModel, voiceModel, realtimeModel } = configured;
  const access = { apiKey, baseUrl };
  const where = await locateProvider(baseUrl);
  const isOwn = where === 'own';
  const firstByteMs = configured.firstByteMs ?? (isOwn ? LOCAL_FIRST_BYTE_MS : null);
  const patientAccess = firstByteMs === null ? access : { ...access, timeouts: { firstByteMs } };
  return {
    services: {
      ...NO_SERVICES,
      coach: {
        where,
        model: createOpenAiModel({ ...patientAccess, model, isSelfHosted: isOwn, loadsModel: isOwn }),
        firstByteMs,
      },
      transcriber:
        transcribeModel === null
          ? null
          : { where, transcriber: createOpenAiTranscriber({ ...patientAccess, model: transcribeModel }) },
      // A voice model that is still loading is not waited for; until it is ready, the device speaks.
      voice:
        voiceModel === null ? null : { where, synthesiser: createOpenAiSynthesiser({ ...access, model: voiceModel }) },
    },
    realtime:
      realtimeModel === null
        ? null
        : {
            where,
            voice: createOpenAiRealtime({ ...access, ...transcriptionOptions(transcribeModel), model: realtimeModel }),
          },
  };
}

/**
 * Returns null when this server offers no local models. An adapter contacts a model only after a learner has chosen it.
 */
export async function connectLocalModels({
  offersLocalModels,
}: Pick<Config, 'offersLocalModels'>): Promise<LocalModelAdapters | null> {
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
    findModels: () => findLocalModels(),
    createCoach: (model) => ({
      where,
      model: createOpenAiModel({ ...accessTo(model), isSelfHosted: true, loadsModel: true }),
      firstByteMs: LOCAL_FIRST_BYTE_MS,
    }),
    createTranscriber: (model) => ({ where, transcriber: createOpenAiTranscriber(accessTo(model)) }),
  };
}

/** A call without a transcript could not be coached, so OpenAI's default model transcribes when none is configured. */
const transcriptionOptions = (transcribeModel: string | null): { transcribeModel?: string } =>
  transcribeModel === null ? {} : { transcribeModel };
