/** Chooses who coaches, who listens and who scores, by what is configured. */
import type { AiServices, RealtimeService } from '../coach/index.ts';
import { createAzureAssessor, createAzureTranscriber } from '../integrations/azure-speech/index.ts';
import { createOpenAiModel, createOpenAiRealtime, createOpenAiTranscriber } from '../integrations/openai/index.ts';
import type { Config } from './config.ts';

export function connectServices({ openAi, azureSpeech }: Pick<Config, 'openAi' | 'azureSpeech'>): AiServices {
  const azure =
    azureSpeech === null
      ? null
      : {
          transcriber: { where: 'azure' as const, transcriber: createAzureTranscriber(azureSpeech) },
          assessor: { where: 'azure' as const, assessor: createAzureAssessor(azureSpeech) },
        };
  const none = { coach: null, transcriber: azure?.transcriber ?? null, assessor: azure?.assessor ?? null };
  if (openAi === null) return none;
  const { apiKey, baseUrl, model, transcribeModel } = openAi;
  const where = baseUrl === null ? 'openai' : 'own';
  return {
    ...none,
    coach: { where, model: createOpenAiModel({ apiKey, baseUrl, model }) },
    transcriber:
      none.transcriber ??
      (transcribeModel === null
        ? null
        : { where, transcriber: createOpenAiTranscriber({ apiKey, baseUrl, model: transcribeModel }) }),
  };
}

/** Null where nothing is configured that can listen and speak at once. */
export function connectRealtime({ openAi }: Pick<Config, 'openAi'>): RealtimeService | null {
  if (openAi === null || openAi.realtimeModel === null) return null;
  const { apiKey, baseUrl, realtimeModel: model } = openAi;
  return { where: baseUrl === null ? 'openai' : 'own', voice: createOpenAiRealtime({ apiKey, baseUrl, model }) };
}
