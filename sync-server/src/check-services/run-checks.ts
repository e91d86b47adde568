/** Runs the calls one after another, so that their times are comparable, and reports the result of each. */
import type { Config } from '../compose/config/config.ts';
import { connectAiServices } from '../compose/connect-ai-services.ts';
import { connectStripePayments } from '../compose/connect-payments.ts';
import {
  type ServiceCall,
  catalogue,
  pronunciationScore,
  realtimeGreeting,
  reply,
  structuredAnswer,
  transcription,
  voice,
} from './service-calls.ts';
import { explain, type Service } from './explain-failure.ts';
import { unlistedModelWarning } from './unlisted-model.ts';

export interface CheckResult {
  /** The kind of call, such as `reply`. */
  call: string;
  /** The service and its model. */
  serviceName: string;
  /** Null on success, and otherwise advice in plain words. */
  failure: string | null;
  warning: string | null;
  ms: number;
  /** Null when a call failed but may have cost something; 0 for a self-hosted server. */
  costMicros: number | null;
}

export interface CheckParts {
  config: Pick<Config, 'openAi' | 'azureSpeech' | 'payments'>;
  /** Replaces Stripe's own address in tests. */
  stripeAddress?: URL;
  now?: () => number;
  /** The time limit per call; a self-hosted server may have to load its model first. */
  timeoutMs?: { provider: number; ownServer: number };
}

interface Planned {
  call: string;
  service: Service;
  isOwn: boolean;
  make: ServiceCall;
}

const TIMEOUT_MS = { provider: 60_000, ownServer: 300_000 };

export async function* runChecks(parts: CheckParts): AsyncGenerator<CheckResult, void> {
  const { now = () => performance.now(), timeoutMs = TIMEOUT_MS } = parts;
  for (const { call, service, isOwn, make } of await planChecks(parts)) {
    const startedMs = now();
    const by = [service.name, service.model].filter((part) => part !== null).join(', ');
    const limitMs = isOwn ? timeoutMs.ownServer : timeoutMs.provider;
    try {
      const { costMicros, warning } = await withTimeout(limitMs, make);
      yield {
        call,
        serviceName: by,
        failure: null,
        warning: warning ?? (isOwn ? null : unlistedModelWarning(call, service)),
        ms: now() - startedMs,
        costMicros: isOwn ? 0 : costMicros,
      };
    } catch (error) {
      const failure = explain(error, service);
      yield { call, serviceName: by, failure, warning: null, ms: now() - startedMs, costMicros: isOwn ? 0 : null };
    }
  }
}

/** Also ends a call that ignores its signal. */
async function withTimeout(limitMs: number, make: ServiceCall): ReturnType<ServiceCall> {
  const signal = AbortSignal.timeout(limitMs);
  const late = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => late.reject(signal.reason), { once: true });
  return Promise.race([make(signal), late.promise]);
}

async function planChecks({ config, stripeAddress }: CheckParts): Promise<Planned[]> {
  const { services, realtime } = await connectAiServices(config);
  const { coach, transcriber, voice: speaker, assessor } = services;
  const planned: Planned[] = [];
  const add = (call: string, where: string, modelVariable: string, model: string, make: ServiceCall): void => {
    const service = where === 'azure' ? azure(config) : openAi(config, modelVariable, model);
    planned.push({ call, service, isOwn: where === 'own', make });
  };
  if (coach !== null) {
    add('reply', coach.where, 'OPENAI_MODEL', coach.model.name, reply(coach.model));
    add('structured answer', coach.where, 'OPENAI_MODEL', coach.model.name, structuredAnswer(coach.model));
  }
  if (speaker !== null)
    add('voice', speaker.where, 'OPENAI_VOICE_MODEL', speaker.synthesiser.name, voice(speaker.synthesiser));
  if (transcriber !== null) {
    const { where, transcriber: service } = transcriber;
    add('transcription', where, 'OPENAI_TRANSCRIBE_MODEL', service.name, transcription(service));
  }
  if (realtime !== null)
    add(
      'realtime hello',
      realtime.where,
      'OPENAI_REALTIME_MODEL',
      realtime.voice.name,
      realtimeGreeting(realtime.voice),
    );
  if (assessor !== null) add('pronunciation score', 'azure', '', '', pronunciationScore(assessor.assessor));
  if (config.payments?.type === 'stripe') {
    const payments = await connectStripePayments(config.payments, stripeAddress);
    planned.push({ call: 'price list', service: STRIPE, isOwn: false, make: catalogue(payments) });
  }
  return planned;
}

function openAi({ openAi: configured }: CheckParts['config'], modelVariable: string, model: string): Service {
  const baseUrl = configured?.baseUrl ?? null;
  return {
    // The address may contain a password, so only its host is shown.
    name: baseUrl === null ? 'OpenAI' : new URL(baseUrl).host,
    keyVariable: 'OPENAI_API_KEY',
    addressVariable: 'OPENAI_BASE_URL',
    modelVariable,
    model,
    accountPage: baseUrl === null ? 'platform.openai.com/settings/organization/billing' : null,
  };
}

function azure({ azureSpeech }: CheckParts['config']): Service {
  const hasEndpoint = azureSpeech !== null && 'endpoint' in azureSpeech;
  return {
    name: hasEndpoint ? `Azure Speech at ${new URL(azureSpeech.endpoint).host}` : 'Azure Speech',
    keyVariable: 'AZURE_SPEECH_KEY',
    addressVariable: hasEndpoint ? 'AZURE_SPEECH_ENDPOINT' : 'AZURE_SPEECH_REGION',
    modelVariable: null,
    model: null,
    accountPage: 'portal.azure.com',
  };
}

const STRIPE: Service = {
  name: 'Stripe',
  keyVariable: 'STRIPE_SECRET_KEY',
  addressVariable: 'the outbound connection to api.stripe.com',
  modelVariable: null,
  model: null,
  accountPage: null,
};
