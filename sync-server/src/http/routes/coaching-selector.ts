/** Offers local models to learners on this machine and selects the coaching services for their choice. */
import {
  LOCAL_MODELS_HEADER,
  type LocalModelChoice,
  type LocalModel,
  type LocalModels,
  parseLocalModelChoice,
} from '@parley/contract';
import type { FastifyRequest } from 'fastify';
import type { AiServices, Coaching } from '../../coach/index.ts';
import type { DiscoveredModels } from '../../ports/local-models.ts';
import { isLoopbackIp } from '../addresses/private-address.ts';

/** The adapters of local models; the composition root passes null when they must not be offered. */
export interface LocalModelAdapters {
  findModels: () => Promise<DiscoveredModels>;
  createCoach: (model: LocalModel) => NonNullable<AiServices['coach']>;
  createTranscriber: (model: LocalModel) => NonNullable<AiServices['transcriber']>;
}

export interface CoachingSelector {
  /** Returns the caller's choice if the caller is on this machine, and otherwise no choice. */
  choiceOf: (request: FastifyRequest) => LocalModelChoice;
  isAvailableTo: (request: FastifyRequest) => boolean;
  listModels: (isPossible: boolean) => Promise<LocalModels>;
  coachingFor: (choice: LocalModelChoice) => Coaching;
  /** Returns the offer without chosen models that are currently missing, and lists those. */
  offerFor: (choice: LocalModelChoice) => Promise<ReturnType<Coaching['offer']>>;
}

/** A local model may have to be loaded from a slow disk first. */
export const LOCAL_FIRST_BYTE_MS = 120_000;

const NO_CHOICE: LocalModelChoice = { coach: null, transcriber: null };
const DISCOVERY_TTL_MS = 2_000;

export interface CoachingSelectorParts {
  local: LocalModelAdapters | null;
  services: AiServices;
  createCoaching: (services: AiServices) => Coaching;
}

/** Configured services take precedence: a local model only fills a gap. */
export function createCoachingSelector({ local, services, createCoaching }: CoachingSelectorParts): CoachingSelector {
  const defaultCoaching = createCoaching(services);
  const coachingByChoice = new Map<string, Coaching>();
  const adapters = {
    coach: new Map<string, AiServices['coach']>(),
    transcriber: new Map<string, AiServices['transcriber']>(),
  };
  let discovery: { at: number; models: Promise<DiscoveredModels> } | null = null;

  const isEmpty = {
    coach: services.coach === null,
    transcriber: services.transcriber === null && services.assessor === null,
  };
  const isPossible = local !== null && (isEmpty.coach || isEmpty.transcriber);

  function find(): Promise<DiscoveredModels> {
    const now = performance.now();
    if (discovery === null || now - discovery.at > DISCOVERY_TTL_MS)
      discovery = {
        at: now,
        models: local === null ? Promise.resolve({ coaches: [], transcribers: [] }) : local.findModels(),
      };
    return discovery.models;
  }
  // Discovery starts early, so that the first learner does not wait for it.
  if (isPossible) void find();

  /** Each model has one adapter per process, since the adapter remembers what its server supports and whether the model is loaded. */
  function servicesFor({ coach, transcriber }: LocalModelChoice): AiServices {
    if (local === null) return services;
    return {
      ...services,
      ...(coach !== null && isEmpty.coach && { coach: memoize(adapters.coach, coach, () => local.createCoach(coach)) }),
      ...(transcriber !== null &&
        isEmpty.transcriber && {
          transcriber: memoize(adapters.transcriber, transcriber, () => local.createTranscriber(transcriber)),
        }),
    };
  }

  function coachingFor(choice: LocalModelChoice): Coaching {
    if (choice.coach === null && choice.transcriber === null) return defaultCoaching;
    return memoize(coachingByChoice, [choice.coach, choice.transcriber], () => createCoaching(servicesFor(choice)));
  }

  return {
    isAvailableTo: (request) => isPossible && isSameMachine(request),
    choiceOf: (request) => {
      const header = request.headers[LOCAL_MODELS_HEADER];
      return isPossible && typeof header === 'string' && isSameMachine(request)
        ? parseLocalModelChoice(header)
        : NO_CHOICE;
    },
    async listModels(isPossibleHere) {
      const { coaches, transcribers } = isPossibleHere ? await find() : { coaches: [], transcribers: [] };
      return {
        isPossible: isPossibleHere,
        coaches: isEmpty.coach ? coaches : [],
        transcribers: isEmpty.transcriber ? transcribers : [],
      };
    },
    coachingFor,
    async offerFor(choice) {
      if (choice.coach === null && choice.transcriber === null) return defaultCoaching.offer();
      const { coaches, transcribers } = await find();
      const isMissing = {
        coach: isMissingModel(choice.coach, coaches),
        transcriber: isMissingModel(choice.transcriber, transcribers),
      };
      const availableChoice: LocalModelChoice = {
        coach: isMissing.coach ? null : choice.coach,
        transcriber: isMissing.transcriber ? null : choice.transcriber,
      };
      const missing = (['coach', 'transcriber'] as const).filter((part) => isEmpty[part] && isMissing[part]);
      return { ...coachingFor(availableChoice).offer(), ...(missing.length === 0 ? {} : { missing }) };
    },
  };
}

const isMissingModel = (chosen: LocalModel | null, found: readonly LocalModel[]): boolean =>
  chosen !== null && !found.some(({ provider, model }) => provider === chosen.provider && model === chosen.model);

/** Genuine choices are few, so invented model names must not fill the memory. */
const MAX_MEMOIZED = 200;

function memoize<Value>(known: Map<string, Value>, key: unknown, make: () => Value): Value {
  const name = JSON.stringify(key);
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size >= MAX_MEMOIZED) known.clear();
  const made = make();
  known.set(name, made);
  return made;
}

const FORWARDING_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'] as const;

/** A proxy on this machine forwards requests from elsewhere, so a request with forwarding headers is not local. */
export function isSameMachine(request: Pick<FastifyRequest, 'headers' | 'socket'>): boolean {
  if (FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)) return false;
  const asked = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return isLoopbackIp(request.socket.remoteAddress ?? '') && (asked === 'localhost' || isLoopbackIp(asked));
}
