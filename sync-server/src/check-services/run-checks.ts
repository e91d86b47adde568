/** Makes the calls one after the other, so that their times can be compared, and says of each how it went. */
import type { Config } from '../app/config.ts';
import { connectServices } from '../app/connect-services.ts';
import { createStripePayments } from '../integrations/stripe/index.ts';
import {
  type Call,
  catalogue,
  pronunciationScore,
  realtimeHello,
  reply,
  structuredAnswer,
  transcription,
  voice,
} from './calls.ts';
import { explain, type Service } from './explain.ts';

export interface Checked {
  /** What was called, such as `reply`. */
  call: string;
  /** Who answered, with the model. */
  by: string;
  /** Null when it went well; else what to do, in plain words. */
  failure: string | null;
  warning: string | null;
  ms: number;
  /** Null where a call failed and may still have cost something; 0 for a server of one's own. */
  costMicros: number | null;
}

export interface CheckParts {
  config: Pick<Config, 'openAi' | 'azureSpeech' | 'payments'>;
  /** Stripe's, if it is not Stripe itself. */
  stripeAddress?: URL;
  now?: () => number;
  /** For one call; a server of one's own may have to load its model first. */
  withinMs?: { provider: number; ownServer: number };
}

interface Planned {
  call: string;
  service: Service;
  isOwn: boolean;
  make: Call;
}

const WITHIN_MS = { provider: 60_000, ownServer: 300_000 };

export async function* runChecks(parts: CheckParts): AsyncGenerator<Checked, void> {
  const { now = () => performance.now(), withinMs = WITHIN_MS } = parts;
  for (const { call, service, isOwn, make } of await planOf(parts)) {
    const startedMs = now();
    const by = [service.name, service.model].filter((part) => part !== null).join(', ');
    const limitMs = isOwn ? withinMs.ownServer : withinMs.provider;
    try {
      const { costMicros, warning } = await within(limitMs, make);
      yield { call, by, failure: null, warning, ms: now() - startedMs, costMicros: isOwn ? 0 : costMicros };
    } catch (error) {
      const failure = explain(error, service);
      yield { call, by, failure, warning: null, ms: now() - startedMs, costMicros: isOwn ? 0 : null };
    }
  }
}

/** Also of a call that does not heed its signal. */
async function within(limitMs: number, make: Call): ReturnType<Call> {
  const signal = AbortSignal.timeout(limitMs);
  const late = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => late.reject(signal.reason), { once: true });
  return Promise.race([make(signal), late.promise]);
}

async function planOf({ config, stripeAddress }: CheckParts): Promise<Planned[]> {
  const { services, realtime } = await connectServices(config);
  const { coach, transcriber, voice: speaker, assessor } = services;
  const planned: Planned[] = [];
  const add = (call: string, where: string, modelVariable: string, model: string, make: Call): void => {
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
    const { where, transcriber: ears } = transcriber;
    add('transcription', where, 'OPENAI_TRANSCRIBE_MODEL', ears.name, transcription(ears));
  }
  if (realtime !== null)
    add('realtime hello', realtime.where, 'OPENAI_REALTIME_MODEL', realtime.voice.name, realtimeHello(realtime.voice));
  if (assessor !== null) add('pronunciation score', 'azure', '', '', pronunciationScore(assessor.assessor));
  if (config.payments?.type === 'stripe') {
    const access = { ...config.payments, ...(stripeAddress === undefined ? {} : { address: stripeAddress }) };
    planned.push({ call: 'price list', service: STRIPE, isOwn: false, make: catalogue(createStripePayments(access)) });
  }
  return planned;
}

function openAi({ openAi: configured }: CheckParts['config'], modelVariable: string, model: string): Service {
  const baseUrl = configured?.baseUrl ?? null;
  return {
    // An address may hold a password: only its host is shown.
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
  addressVariable: 'the way out to api.stripe.com',
  modelVariable: null,
  model: null,
  accountPage: null,
};
