/** Models on this machine, for learners on this machine: who is offered them, and which coach a learner who has agreed gets. */
import {
  LOCAL_CHOICE_HEADER,
  type LocalChoice,
  type LocalModel,
  type LocalModels,
  readLocalChoice,
} from '@parley/contract';
import type { FastifyRequest } from 'fastify';
import type { AiServices, Coaching } from '../coach/index.ts';
import type { FoundModels } from '../integrations/local-models/index.ts';
import { isLoopbackIp } from './near-address.ts';

/** What the composition root gives: null where nobody may be offered a model of this machine. */
export interface LocalModelParts {
  find: () => Promise<FoundModels>;
  coachOf: (model: LocalModel) => NonNullable<AiServices['coach']>;
  transcriberOf: (model: LocalModel) => NonNullable<AiServices['transcriber']>;
}

export interface LocalCoaching {
  /** What was chosen, of a caller on this machine; else nothing. */
  choiceOf: (request: FastifyRequest) => LocalChoice;
  isPossibleFor: (request: FastifyRequest) => boolean;
  list: (isPossible: boolean) => Promise<LocalModels>;
  coachingFor: (choice: LocalChoice) => Coaching;
  /** The same with what is not there just now left out, and named. */
  offerFor: (choice: LocalChoice) => Promise<ReturnType<Coaching['offer']>>;
}

/** A model that is loaded first, from whatever disk this machine has. */
export const LOCAL_FIRST_BYTE_MS = 120_000;

const NOTHING: LocalChoice = { coach: null, transcriber: null };
const FOUND_HOLDS_MS = 2_000;

export interface LocalCoachingParts {
  local: LocalModelParts | null;
  services: AiServices;
  createCoaching: (services: AiServices) => Coaching;
}

/** What is configured stays first: a model of this machine only takes a place that is empty. */
export function createLocalCoaching({ local, services, createCoaching }: LocalCoachingParts): LocalCoaching {
  const usual = createCoaching(services);
  const byChoice = new Map<string, Coaching>();
  const adapters = {
    coach: new Map<string, AiServices['coach']>(),
    transcriber: new Map<string, AiServices['transcriber']>(),
  };
  let found: { at: number; models: Promise<FoundModels> } | null = null;

  const isEmpty = {
    coach: services.coach === null,
    transcriber: services.transcriber === null && services.assessor === null,
  };
  const isPossible = local !== null && (isEmpty.coach || isEmpty.transcriber);

  function find(): Promise<FoundModels> {
    const now = performance.now();
    if (found === null || now - found.at > FOUND_HOLDS_MS)
      found = { at: now, models: local === null ? Promise.resolve({ coaches: [], transcribers: [] }) : local.find() };
    return found.models;
  }
  // So that the first learner who asks does not wait for it.
  if (isPossible) void find();

  /** One adapter a model for the process: it remembers what its server understands, and whether the model is loaded. */
  function servicesFor({ coach, transcriber }: LocalChoice): AiServices {
    if (local === null) return services;
    return {
      ...services,
      ...(coach !== null && isEmpty.coach && { coach: remembered(adapters.coach, coach, () => local.coachOf(coach)) }),
      ...(transcriber !== null &&
        isEmpty.transcriber && {
          transcriber: remembered(adapters.transcriber, transcriber, () => local.transcriberOf(transcriber)),
        }),
    };
  }

  function coachingFor(choice: LocalChoice): Coaching {
    if (choice.coach === null && choice.transcriber === null) return usual;
    return remembered(byChoice, [choice.coach, choice.transcriber], () => createCoaching(servicesFor(choice)));
  }

  return {
    isPossibleFor: (request) => isPossible && isSameMachine(request),
    choiceOf: (request) => {
      const header = request.headers[LOCAL_CHOICE_HEADER];
      return isPossible && typeof header === 'string' && isSameMachine(request) ? readLocalChoice(header) : NOTHING;
    },
    async list(isPossibleHere) {
      const { coaches, transcribers } = isPossibleHere ? await find() : { coaches: [], transcribers: [] };
      return {
        isPossible: isPossibleHere,
        coaches: isEmpty.coach ? coaches : [],
        transcribers: isEmpty.transcriber ? transcribers : [],
      };
    },
    coachingFor,
    async offerFor(choice) {
      if (choice.coach === null && choice.transcriber === null) return usual.offer();
      const { coaches, transcribers } = await find();
      const isMissing = {
        coach: isAbsent(choice.coach, coaches),
        transcriber: isAbsent(choice.transcriber, transcribers),
      };
      const there: LocalChoice = {
        coach: isMissing.coach ? null : choice.coach,
        transcriber: isMissing.transcriber ? null : choice.transcriber,
      };
      const missing = (['coach', 'transcriber'] as const).filter((part) => isEmpty[part] && isMissing[part]);
      return { ...coachingFor(there).offer(), ...(missing.length === 0 ? {} : { missing }) };
    },
  };
}

const isAbsent = (chosen: LocalModel | null, found: readonly LocalModel[]): boolean =>
  chosen !== null && !found.some(({ provider, model }) => provider === chosen.provider && model === chosen.model);

/** A learner types no model by hand: whoever makes up names fills no memory with them. */
const MOST_REMEMBERED = 200;

function remembered<Value>(known: Map<string, Value>, key: unknown, make: () => Value): Value {
  const name = JSON.stringify(key);
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size >= MOST_REMEMBERED) known.clear();
  const made = make();
  known.set(name, made);
  return made;
}

const PASSED_ON = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'] as const;

/** A proxy on this machine passes on what others ask: whatever shows one is not the learner's own app. */
export function isSameMachine(request: Pick<FastifyRequest, 'headers' | 'socket'>): boolean {
  if (PASSED_ON.some((name) => request.headers[name] !== undefined)) return false;
  const asked = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return isLoopbackIp(request.socket.remoteAddress ?? '') && (asked === 'localhost' || isLoopbackIp(asked));
}
