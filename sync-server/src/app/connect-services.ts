/** Chooses who coaches, who listens and who scores, by what is configured. */
import type { AiServices, RealtimeService } from '../coach/index.ts';
import {
  createAzureAssessor,
  createAzureSynthesiser,
  createAzureTranscriber,
} from '../integrations/azure-speech/index.ts';
import {
  createOpenAiModel,
  createOpenAiRealtime,
  createOpenAiSynthesiser,
  createOpenAiTranscriber,
} from '../integrations/openai/index.ts';
import type { Config } from './config.ts';

export function connectServices({ openAi, azureSpeech }: Pick<Config, 'openAi' | 'azureSpeech'>): AiServices {
  const azure =
    azureSpeech === null
      ? null
      : {
          transcriber: { where: 'azure' as const, transcriber: createAzureTranscriber(azureSpeech) },
          assessor: { where: 'azure' as const, assessor: createAzureAssessor(azureSpeech) },
          voice: { where: 'azure' as const, synthesiser: createAzureSynthesiser(azureSpeech) },
        };
  const none = {
    coach: null,
    transcriber: azure?.transcriber ?? null,
    assessor: azure?.assessor ?? null,
    voice: azure?.voice ?? null,
  };
  if (openAi === null) return none;
  const { apiKey, baseUrl, model, transcribeModel, voiceModel } = openAi;
  const where = baseUrl === null ? 'openai' : 'own';
  return {
    ...none,
    coach: { where, model: createOpenAiModel({ apiKey, baseUrl, model }) },
    transcriber:
      none.transcriber ??
      (transcribeModel === null
        ? null
        : { where, transcriber: createOpenAiTranscriber({ apiKey, baseUrl, model: transcribeModel }) }),
    voice:
      none.voice ??
      (voiceModel === null
        ? null
        : { where, synthesiser: createOpenAiSynthesiser({ apiKey, baseUrl, model: voiceModel }) }),
  };
}

/** Null where nothing is configured that can listen and speak at once. */
export function connectRealtime({ openAi }: Pick<Config, 'openAi'>): RealtimeService | null {
  if (openAi === null || openAi.realtimeModel === null) return null;
  const { apiKey, baseUrl, realtimeModel: model } = openAi;
  return { where: baseUrl === null ? 'openai' : 'own', voice: createOpenAiRealtime({ apiKey, baseUrl, model }) };
}
